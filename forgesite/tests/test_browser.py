"""The main job in a real browser, end to end: remember, ask, correct, forget, and nothing that must not happen."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from forgesite.config import ROOT
from forgesite.testing_server import LiveForge
from forgesite.tests.browser import Person

EXPORTS = ROOT / "chat" / "tests" / "data" / "exports"
PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "<svg onload=alert(3)><iframe src='https://evil.example/'></iframe>",
    "[click](javascript:alert(4)) [data](data:text/html,<script>alert(5)</script>)",
    "![pixel](https://evil.example/pixel.png)",
    "<style>@import url(https://evil.example/x.css)</style><link rel=stylesheet href=https://evil.example/y.css>",
    '"><script src=https://evil.example/z.js></script><a onmouseover=alert(6)>x</a>',
    "```html\n<script>alert(7)</script>\n```",
    "</textarea></title></template><script>alert(8)</script>",
]


#: The list of entries comes last: a test goes on from there.
ADMIN = [
    "/admin/",
    "/admin/memory/entry/?q=page",
    "/admin/memory/refusal/",
    "/admin/chat/conversation/",
    "/admin/chat/message/",
    "/admin/traces/run/",
    "/admin/memory/entry/",
]


def test_what_is_told_is_answered_with_its_proof_and_forgotten_on_request(person: Person) -> None:
    told = person.say("Remember that the aquarium pump hums at 8080 hertz")
    expect(told.locator("[data-entry] q")).to_contain_text("the aquarium pump hums at 8080 hertz")
    entry = told.locator("[data-entry]").get_attribute("data-entry")

    asked = person.say("At how many hertz does the aquarium pump hum?")
    expect(asked.locator(".md").first).to_contain_text("8080")
    expect(asked.locator(".chip").first).to_contain_text(f"#{entry}")
    expect(asked.locator(".mark")).to_have_text("✓")
    asked.locator("[data-why]").click()
    expect(person.page.locator("#why-body")).to_contain_text("The aquarium pump hums at 8080 hertz", ignore_case=True)
    _asked_why_not(person, entry or "")

    person.go(f"/admin/memory/entry/{entry}/delete/")
    person.page.check("[name=sure]")
    person.page.fill("[name=number]", entry or "")
    person.page.click("button.danger")
    expect(person.page.locator(".verdict")).to_contain_text("Forgotten for good")
    person.go("/")
    again = person.say("At how many hertz does the aquarium pump hum?")
    expect(again.locator(".md").first).to_contain_text("Memory holds nothing")
    expect(again.locator(".mark")).to_have_text("∅")


def _asked_why_not(person: Person, entry: str) -> None:
    """In the panel that is open: its receipt by its hash, and the question back, by the keyboard."""
    panel = person.page.locator("#why-body")
    expect(panel.locator(".mono", has_text=re.compile(r"^[0-9a-f]{64}$"))).to_be_visible()
    box = panel.get_by_label("Why not something else?")
    for what, told in (("My aunt Gertrude breeds alpacas", "never stored"), (f"#{entry}", "given")):
        box.fill(what)
        box.press("Enter")
        expect(panel.get_by_role("status")).to_contain_text(told)


def test_a_fact_saved_in_french_is_found_by_a_question_in_french(person: Person) -> None:
    person.say("Retiens que le NiPoGi a 32 Go de RAM")

    answer = person.say("Combien de RAM a le NiPoGi ?")

    expect(answer.locator(".md").first).to_contain_text("32 Go")


def test_an_imported_conversation_answers_a_question(person: Person, forge: LiveForge) -> None:
    done = forge.run("import", str(EXPORTS))
    assert "conversations" in done.stdout, done.stderr

    person.go("/admin/memory/entry/?kind__exact=exchange")
    said = person.page.locator("td.field-clipped").first.inner_text()
    words = " ".join(re.findall(r"\w{4,}", said)[:8])
    person.go("/")

    expect(person.say(f"!recall {words}").locator(".chip").first).to_be_visible()


def test_forget_and_save_anyway_work_from_the_answer(person: Person) -> None:
    told = person.say("Remember that the spare key hangs behind the boiler")
    told.locator("[data-forget]").click()
    person.page.locator("#forget button[value=yes]").click()
    expect(told).to_contain_text("is forgotten")

    refused = person.say("Remember: do I own a boat in Brest?")
    if refused.locator("[data-save-anyway]").count():
        refused.locator("[data-save-anyway]").click()
        expect(refused.locator("[data-entry]")).to_contain_text("Saved")


def test_text_never_becomes_script(person: Person) -> None:
    for payload in PAYLOADS:
        person.say(payload)
        person.say(f"!remember note - about this page: {payload}")
    person.say("!recall about this page")
    person.say("!memory note")
    person.page.reload()
    expect(person.page.locator(".me")).to_have_count(2 * len(PAYLOADS) + 2)
    for page in ADMIN:
        person.go(page)
    person.go(person.page.locator("th.field-number a").first.get_attribute("href") or "")
    expect(person.page.locator("#id_text")).to_be_visible()


def test_a_reload_in_the_middle_of_an_answer_shows_the_text_once(person: Person) -> None:
    person.page.fill("#message", "!help")
    person.page.press("#message", "Enter")
    person.page.wait_for_url(re.compile("/c/"))
    person.page.reload()

    answer = person.page.locator("article.it")
    expect(answer.locator(".mark")).to_be_visible()
    expect(answer).to_have_count(1)
    expect(person.page.locator(".me")).to_have_count(1)
    expect(answer.get_by_text("!remember", exact=False)).to_have_count(1)


def test_a_text_that_is_too_large_stays_in_the_box_with_its_size(person: Person) -> None:
    text = "é" * 600_000
    person.page.fill("#message", text)
    person.page.press("#message", "Enter")

    expect(person.page.locator("#trouble")).to_contain_text("1.14 MiB")
    assert person.page.input_value("#message") == text


def test_a_lost_connection_is_told_and_what_was_typed_is_sent_afterwards(person: Person, forge: LiveForge) -> None:
    person.say("!help")
    forge.stop()
    expect(person.page.locator("#offline")).to_be_visible()
    person.page.fill("#message", "!memory")
    person.page.press("#message", "Enter")
    assert person.page.input_value("#message") == "!memory"

    forge.start()

    # The page comes back by itself, at the latest after its longest pause.
    expect(person.page.locator("article.it")).to_have_count(2, timeout=30_000)
    expect(person.page.locator("#message")).to_have_value("")
    person.wrong.clear()  # the browser's own word on a socket that was refused


def test_the_page_works_from_the_keyboard(person: Person) -> None:
    page = person.page
    page.keyboard.type("!")
    expect(page.locator("#palette")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#message")).to_have_value("!remember ")
    page.fill("#message", "")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_have_no_serious_fault_for_assistive_technology(person: Person, browser: Browser, theme: str) -> None:
    person.page.evaluate("theme => localStorage.setItem('theme', theme)", theme)
    person.say("Remember that the choir meets on Tuesdays")
    person.say("When does the choir meet?")
    found = [f"chat: {one}" for one in serious(person)]
    for page in ("/", "/settings/", "/admin/", "/admin/memory/entry/", "/admin/memory/entry/add/"):
        person.go(page)
        found += [f"{page}: {one}" for one in serious(person)]
    person.context.clear_cookies()
    person.go("/signin/")
    found += [f"signin: {one}" for one in serious(person)]

    assert found == []
    person.wrong.clear()  # the checker tries styles of its own, which the policy refuses


def serious(person: Person, rules: list[str] | None = None) -> list[str]:
    """By all rules of the checker, or by these alone."""
    options = {"runOnly": {"type": "rule", "values": rules}} if rules else None
    violations = Axe().run(person.page, options=options).response["violations"]
    return [
        f"{one['id']} {one['nodes'][0]['html'][:160]}" for one in violations if one["impact"] in ("serious", "critical")
    ]


def test_a_phone_has_no_sideways_scroll(person: Person) -> None:
    person.page.set_viewport_size({"width": 360, "height": 740})
    person.say("Remember that " + "a very long word without any break " * 3 + "x" * 200)
    assert person.no_sideways_scroll()
    for page in ("/", "/settings/", "/admin/", "/admin/memory/entry/", "/admin/traces/run/"):
        person.go(page)
        assert person.no_sideways_scroll(), page
