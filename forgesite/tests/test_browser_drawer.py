"""The drawer, the badge of todos, and commands that lead elsewhere, in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from forgesite.tests.browser import Person


def pin_of(message: Locator) -> Locator:
    return message.locator("[data-pin]")


def pinned(person: Person) -> list[str]:
    """What the panel shows of this conversation."""
    cards = person.page.locator("#drawer-body ul").first.locator(".words")
    return cards.all_inner_texts() if person.page.locator("#drawer-body ul").count() else []


def open_todos(person: Person) -> int:
    """Of this account, other tests' too."""
    answer = person.context.request.get(f"{person.forge.url}/memory?kind=todo&status=open")
    return int(answer.json()["total"])


def test_an_answer_is_pinned_with_its_question_and_one_of_them_unpinned(person: Person) -> None:
    page = person.page
    person.say("The spare key hangs behind the boiler")
    person.say("!memory")
    pin_of(page.locator("article.it").first).click()

    expect(pin_of(page.locator(".asked").first)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#drawer-open [data-slot=count]")).to_have_text("2")
    page.click("#drawer-open")
    expect(page.locator(".pinned")).to_have_count(2)
    assert pinned(person)[0] == "The spare key hangs behind the boiler"

    page.locator(".pinned [data-unpin]").first.click()
    expect(page.locator("#drawer-open [data-slot=count]")).to_have_text("1")
    expect(pin_of(page.locator(".asked").first)).to_have_attribute("aria-pressed", "false")
    expect(pin_of(page.locator("article.it").first)).to_have_attribute("aria-pressed", "true")
    assert [row["pinned"] for row in person.history()] == [False, True, False, False]


def test_the_drawer_outlives_a_reload_and_clearing(person: Person) -> None:
    page = person.page
    person.say("The spare key hangs behind the boiler")
    pin_of(page.locator(".asked").first).click()
    expect(page.locator("#drawer-open [data-slot=count]")).to_have_text("2")
    person.send("!clear")
    expect(page.locator(".me")).to_have_text(["The spare key hangs behind the boiler", "!clear"])

    expect(page.locator("#drawer-open [data-slot=count]")).to_have_text("2")
    expect(pin_of(page.locator(".asked").first)).to_have_attribute("aria-pressed", "true")


def test_a_card_leads_to_its_message_here_and_in_another_conversation(person: Person) -> None:
    page = person.page
    person.say("The wifi in the attic is called Kestrel")
    pin_of(page.locator(".asked").first).click()
    expect(page.locator("#drawer-open [data-slot=count]")).to_have_text("2")
    page.click("#drawer-open")
    page.locator(".pinned [data-slot=jump]").first.click()
    expect(page.locator(".asked").first).to_be_focused()

    person.go("/")
    page.click("#drawer-open")
    elsewhere = page.locator(".pinned", has_text="Kestrel").first
    expect(page.locator("#drawer-body")).to_contain_text("In other conversations")
    elsewhere.locator("[data-slot=jump]").click()
    page.wait_for_url(re.compile(r"/c/\w+/\?message="))
    expect(page.locator(".me").first).to_have_text("The wifi in the attic is called Kestrel")


def test_the_drawer_works_from_the_keyboard_and_gives_the_focus_back(person: Person) -> None:
    page = person.page
    person.say("The spare key hangs behind the boiler")
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    expect(page.locator("#drawer-open [data-slot=count]")).to_have_text("2")
    expect(page.locator("#announce")).to_have_text("2 messages pinned.")
    page.keyboard.press("d")
    expect(page.locator("#drawer")).to_be_focused()
    expect(page.locator("#drawer-open")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Escape")

    expect(page.locator("#drawer")).to_be_hidden()
    expect(page.locator("#drawer-open")).to_be_focused()
    expect(page.locator("#drawer-open")).to_have_attribute("aria-label", "Drawer: 2 pinned messages")


def test_one_panel_is_open_at_a_time(person: Person) -> None:
    page = person.page
    person.say("!memory").locator("[data-why]").click()
    page.click("#drawer-open")

    expect(page.locator("#drawer")).to_be_visible()
    expect(page.locator("#why")).to_be_hidden()


def test_the_badge_counts_what_is_open_and_due_and_leads_to_it(person: Person) -> None:
    page = person.page
    person.say("!todo pay the rent yesterday")
    person.say("!todo call the dentist tomorrow")

    badge, before = page.locator("#todos .todos"), open_todos(person)
    expect(badge).to_contain_text(re.compile(rf"\b{before} open · \d+ due"))
    number = re.findall(r"#(\d+) \[todo\] pay the rent", person.say("!todo").inner_text())[0]
    person.say(f"!done {number}")
    expect(badge).to_contain_text(re.compile(rf"\b{before - 1} open"))

    page.reload()
    expect(badge).to_contain_text(re.compile(rf"\b{before - 1} open"))
    badge.click()
    page.wait_for_url(re.compile("kind__exact=todo"))
    expect(page.locator("#result_list, .results").first).to_contain_text("call the dentist tomorrow")
    expect(page.locator("#result_list, .results").first).not_to_contain_text("pay the rent yesterday")


def test_proposals_that_wait_are_counted_until_none_waits(person: Person) -> None:
    page, waiting = person.page, [2]
    page.route("**/proposals/waiting", lambda route: route.fulfill(json={"count": waiting[0]}))
    page.reload()

    badge = page.locator("#waiting")
    expect(badge).to_have_accessible_name(re.compile("2 proposals wait for your review"))
    expect(badge.locator("[aria-hidden]")).to_have_text("2 wait")
    assert str(badge.get_attribute("href")).startswith("/admin/retention/proposal/")
    waiting[0] = 0
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(badge).to_be_hidden()


def test_a_command_for_another_conversation_goes_there_and_sends_nothing(person: Person) -> None:
    page = person.page
    person.say("!memory")
    page.fill("#message", "!new")
    page.press("#message", "Enter")
    page.wait_for_url(f"{person.forge.url}/")
    expect(page.locator("#empty")).to_be_visible()
    expect(page.locator("#message")).to_have_value("")

    page.fill("#message", "!temp")
    page.press("#message", "Enter")
    page.wait_for_url(re.compile("temporary=1"))
    expect(page.locator("#temporary")).to_be_checked()
    person.say("Remember that the safe opens with 4711")
    expect(page.locator("[data-slot=temporary-mark]")).to_be_visible()
    expect(page.locator("article.it")).to_contain_text("temporary")
    assert [row["role"] for row in person.history()] == ["user", "assistant"]
