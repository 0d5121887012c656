"""The review inbox in a real browser: what a pass proposed is read, tried, decided and taken back, by the keyboard."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from forgesite.config import ROOT
from forgesite.testing_server import LiveForge
from forgesite.tests.browser import Person
from forgesite.tests.browser_scripts import SEND, SETTLED
from forgesite.tests.test_browser import serious

INBOX = "/admin/retention/proposal/"
#: An account of its own: the passes over the others' memory propose nothing here.
NAME = "reviewer"
SIGN_UP = """
from forgesite import accounts, address
print(address.sign_in_url(accounts.sign_in_link(accounts.create_account("{name}")), address.DEFAULT_HOST, {port}))
"""
SETTLED_BY = """async () => {
  const rows = await (await fetch("/proposals?status=applied")).json();
  return rows.map((row) => row.resolution);
}"""
OLDER = (
    "The wifi password is birch-71",
    "The gate code is 4411",
    "The alarm code is 2280",
    "Deploys on Fridays are allowed",
)
NEWER = (
    "The wifi password is now otter-28",
    "The gate code is now 5522",
    "The alarm code is now 3391",
    "Deploys on Fridays are not allowed",
)


def passed(forge: LiveForge) -> None:
    """A pass over that account's memory, as a person begins one."""
    command = [sys.executable, "manage.py", "forgetting_pass", "--user", NAME]
    env = forge.env | {"FORGETTING_PASS_ENABLED": "true"}
    subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=True)


def signed_up(forge: LiveForge) -> str:
    """The link that signs it in, by one process for both."""
    made = forge.run("shell", "--no-imports", "-c", SIGN_UP.format(name=NAME, port=forge.port))
    return made.stdout.split()[-1]


@pytest.fixture
def reviewer(browser: Browser, forge: LiveForge) -> Iterator[Person]:
    """Who has four pairs to decide on, the older one of the first of which was given to an answer."""
    with browser.new_context(locale="en-GB") as context:
        person = Person(context, forge)
        person.go(signed_up(forge))
        person.page.wait_for_url(f"{forge.url}/")
        for text in (*OLDER, "Shelf 7 holds the apples", "The bicycle is blue", "Ben plays the oboe"):
            person.page.evaluate(SEND, ["/remember", {"content": text}])
        person.page.evaluate(SEND, ["/chat", {"message": "What is the wifi password?"}])
        for text in NEWER:
            person.page.evaluate(SEND, ["/remember", {"content": text}])
        passed(forge)
        person.page.reload()
        yield person
        assert person.wrong == []


def card(person: Person, words: str) -> Locator:
    return person.page.locator("section.proposal", has_text=words)


def at(person: Person, words: str) -> Locator:
    """The card, with the keyboard in it."""
    found = card(person, words)
    found.locator("a").first.focus()
    return found


def press(person: Person, keys: str) -> None:
    """Once the page's scripts are there."""
    person.page.wait_for_load_state()
    for key in keys:
        person.page.keyboard.press(key)


def says(person: Person, words: str | re.Pattern[str]) -> None:
    expect(person.page.locator(".messagelist").first).to_contain_text(words)


def test_proposals_are_decided_by_the_keyboard_and_by_the_dozen(reviewer: Person) -> None:
    page = reviewer.page
    expect(page.locator("#waiting [aria-hidden]")).to_have_text("4 wait")
    reviewer.go(INBOX)
    cards = page.locator("section.proposal")

    # Moving about, and what would change.
    press(reviewer, "jj")
    expect(cards.nth(1).locator(":focus")).to_be_visible()
    press(reviewer, "k")
    expect(cards.nth(0).locator(":focus")).to_be_visible()
    wifi = at(reviewer, "birch-71")
    expect(wifi).to_contain_text("used in 1 answer")
    press(reviewer, "w")
    expect(wifi.locator(".effects")).to_contain_text("1 past answer would be given")
    expect(wifi.locator(".effects")).to_contain_text("What is the wifi password?")
    _is_fit_for_everybody(reviewer)

    # Accepted and taken back; the keyboard stays where it was.
    reviewer.go(INBOX)
    at(reviewer, "birch-71")
    press(reviewer, "a")
    says(reviewer, "1 proposal accepted.")
    expect(card(reviewer, "birch-71")).to_have_count(0)
    expect(page.locator("section.proposal:focus")).to_be_visible()
    press(reviewer, "u")
    says(reviewer, "1 decision taken back.")
    expect(card(reviewer, "birch-71")).to_be_focused()

    # No key is heard where a person types; an edit decides nothing.
    gate = at(reviewer, "4411")
    press(reviewer, "e")
    gate.locator("textarea").fill("")
    gate.locator("textarea").press_sequentially("The garage code is now 5522, a jar, a ruse")
    expect(cards).to_have_count(4)
    gate.get_by_role("button", name="Save", exact=True).click()
    says(reviewer, "is changed")
    expect(card(reviewer, "4411")).to_contain_text("Changed since it was judged")
    press(reviewer, "a")
    says(reviewer, "1 proposal accepted.")

    # The ways out of a conflict, each taken back.
    for key, outcome in (("s", "supersede"), ("z", "archive_older")):
        at(reviewer, "Deploys on Fridays")
        press(reviewer, key)
        says(reviewer, "1 proposal accepted.")
        assert outcome in page.evaluate(SETTLED_BY)
        press(reviewer, "u")
        says(reviewer, "1 decision taken back.")

    # A no, and a no that says why.
    at(reviewer, "2280")
    press(reviewer, "r")
    says(reviewer, "1 proposal rejected.")
    press(reviewer, "u")
    says(reviewer, "1 decision taken back.")
    press(reviewer, "b")
    says(reviewer, "1 proposal rejected.")
    press(reviewer, "u")
    says(reviewer, "1 decision taken back.")

    # Several at once, asked about first, and undone as one.
    for words in ("birch-71", "2280"):
        at(reviewer, words)
        press(reviewer, "x")
    page.get_by_role("button", name="Accept…").click()
    expect(page.locator("main")).to_contain_text("Accept 2 proposals?")
    page.get_by_role("button", name="Accept", exact=True).click()
    says(reviewer, "2 proposals accepted.")
    expect(cards).to_have_count(1)
    press(reviewer, "u")
    says(reviewer, "2 decisions taken back.")
    expect(cards).to_have_count(3)

    reviewer.go("/")
    expect(page.locator("#waiting [aria-hidden]")).to_have_text("3 wait")


def _is_fit_for_everybody(person: Person) -> None:
    """With a panel open, in the dark: no serious fault, contrast among them, and no sideways scroll on a phone."""
    person.page.emulate_media(color_scheme="dark")
    person.page.evaluate(SETTLED)
    assert serious(person) == []
    person.page.set_viewport_size({"width": 360, "height": 740})
    assert person.no_sideways_scroll()
    person.page.set_viewport_size({"width": 1280, "height": 900})
    person.wrong.clear()  # the checker tries styles of its own, which the policy refuses
