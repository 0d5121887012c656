"""What leaves the prompt's window, how full that is, and what a model's tools saved, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from forgesite.testing_models import ScriptedModel
from forgesite.tests.browser import Person
from forgesite.tests.conftest import Modelled

#: The newest four messages stay (see conftest.py).
EXCHANGES = 3
TELL = """async ([count, conversation]) => {
  const token = document.querySelector("meta[name=csrf-token]").content;
  const headers = { "X-CSRFToken": token, "Content-Type": "application/json" };
  for (let n = 0; n < count; n++) {
    const message = `Shelf ${n} of the cellar holds ${n + 2} jars of plums.`;
    await fetch("/chat", { method: "POST", headers, body: JSON.stringify({ message, conversation }) });
  }
}"""


@pytest.fixture
def long(talker: Person, model: ScriptedModel) -> Person:
    """A conversation that is long enough to be compacted, its first exchange first."""
    for n in range(EXCHANGES + 1):
        model.will_answer(f"Noted: shelf {n} has its plums.")
    talker.say("The cellar has shelves of plums, the attic has none.")
    talker.page.evaluate(TELL, [EXCHANGES, talker.page.url.rstrip("/").rpartition("/")[2]])
    talker.page.reload()
    expect(talker.page.locator("article.it")).to_have_count(EXCHANGES + 1)
    return talker


def test_what_is_compacted_is_folded_under_its_pointer_and_stays_readable(long: Person) -> None:
    page = long.page
    page.fill("#message", "")
    long.send("!compact")

    fold = page.locator(".fold").first
    expect(fold.locator("summary")).to_have_text(re.compile(r"^\d+ messages compacted$"))
    expect(page.locator("#compaction")).to_contain_text("messages left the window")
    first = fold.locator(".me").first
    expect(first).to_be_hidden()
    fold.locator("summary").click()
    expect(first).to_be_visible()
    expect(first).to_have_text("The cellar has shelves of plums, the attic has none.")

    page.reload()
    expect(page.locator(".fold summary")).to_have_count(1)
    fold.locator(".fold-to a").first.click()
    expect(page.locator("#id_text")).to_contain_text("plums")


def test_pinning_what_was_compacted_takes_it_out_of_its_fold(long: Person) -> None:
    page = long.page
    long.send("!compact")
    page.locator(".fold summary").first.click()
    folded = page.locator(".fold .me").count()
    page.locator(".fold .asked [data-pin]").first.focus()
    page.keyboard.press("Enter")

    # The fold stays open, and the focus where it was.
    expect(page.locator(".fold .me")).to_have_count(folded - 1)
    expect(page.locator(".fold details")).to_have_attribute("open", "")
    expect(page.locator("#thread > .asked [data-pin]").first).to_be_focused()
    expect(page.locator("#thread > .asked .me").first).to_have_text(
        "The cellar has shelves of plums, the attic has none."
    )
    assert [row["compacted"] for row in long.history() if row["pinned"]] == [False, False]

    # What an edit begins anew has nothing folded.
    page.locator("#thread > .asked").first.hover()
    page.locator("#thread > .asked [data-edit]").first.click()
    page.fill(".edit textarea", "!help")
    page.press(".edit textarea", "Enter")
    expect(page.locator(".me")).to_have_text(["!help"])
    expect(page.locator(".fold")).to_have_count(0)


def test_a_compaction_by_the_gauge_asks_first_and_keeps_what_is_typed(long: Person) -> None:
    page = long.page
    page.fill("#message", "half a thought")
    gauge = page.locator("#gauge")
    expect(gauge).to_contain_text(re.compile(r"~\d+ % of 8k"))
    gauge.click()
    expect(page.locator("#compact")).to_contain_text(re.compile(r"about [\d,]+ of 8,192 tokens"))
    page.locator("#compact button[value='']").click()
    expect(page.locator(".fold")).to_have_count(0)

    gauge.click()
    page.locator("#compact button[value=yes]").click()
    expect(page.locator(".fold")).to_have_count(1)
    expect(page.locator("#compaction")).to_contain_text("stay in it")
    expect(page.locator("#message")).to_have_value("half a thought")
    assert long.wrong == []


def test_with_nothing_to_compact_it_says_so(talker: Person, model: ScriptedModel) -> None:
    model.will_answer("Hello.")
    talker.say("Hello there")
    talker.page.click("#gauge")
    talker.page.locator("#compact button[value=yes]").click()

    expect(talker.page.locator("#compaction")).to_contain_text("Nothing was compacted")


def test_the_gauge_says_that_the_window_fills_in_more_than_colour(talker: Person, model: ScriptedModel) -> None:
    gauge = talker.page.locator("#gauge")
    model.will_answer("Noted.")
    talker.say("The log of the disk: " + "sda is fine. " * 1350)

    expect(gauge).to_have_class(re.compile("warn"))
    expect(gauge).to_contain_text("▲")
    expect(gauge).to_contain_text("filling")
    expect(gauge).to_have_attribute("aria-label", re.compile(r"memory [\d,]+ · history [\d,]+ · rest [\d,]+.*filling"))
    expect(gauge.locator(".bar i")).to_have_count(3)

    # What the next prompt takes is asked again when the conversation opens.
    talker.page.reload()
    expect(gauge).to_contain_text(re.compile(r"▲ ~\d\d %"))


def test_without_a_model_the_gauge_shows_the_number_alone(person: Person) -> None:
    person.say("!memory")
    expect(person.page.locator("#gauge")).to_have_text(re.compile(r"^~[\d,]+ tokens$"))
    expect(person.page.locator("#gauge .bar")).to_have_count(0)


def test_news_of_another_conversation_does_not_concern_the_page(long: Person, modelled: Modelled) -> None:
    other = long.second_page()
    other.goto(f"{modelled.forge.url}/")
    long.send("!compact")
    expect(long.page.locator("#compaction")).to_be_visible()

    other.wait_for_timeout(300)
    expect(other.locator("#compaction")).to_be_hidden()
