"""What a model's tools did in a turn: seen as they do it, and under the answer after a reload."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from forgesite.testing_models import ScriptedModel
from forgesite.tests.browser import Person

SAID = "My NAS has four disks, and my boat is called Petrel."
STATED = ("My NAS has four disks", "My boat is called Petrel")
UNSTATED = "My NAS is a Kraken with eight disks"


def test_each_write_of_a_model_is_seen_at_once_and_after_a_reload(talker: Person, model: ScriptedModel) -> None:
    model.will_call(*(("remember", {"content": text}) for text in (*STATED, UNSTATED)))
    model.will_answer("Noted, both of them.")
    answer = talker.say(SAID)
    for _reload in range(2):
        expect(answer.locator("[data-entry] q")).to_have_text(list(STATED))
        expect(answer.locator("[data-refusal] q")).to_have_text([UNSTATED])
        expect(answer.locator("[data-refusal] [data-slot=rule]")).to_contain_text("in none of your messages")
        expect(answer.locator(".md").first).to_have_text("Noted, both of them.")
        talker.page.reload()

    answer.locator("[data-entry]").first.locator("[data-undo]").click()
    expect(answer.locator("[data-entry]").first).to_have_class(re.compile("undone"))
    answer.locator("[data-save-anyway]").click()
    expect(answer.locator("[data-entry]")).to_have_count(3)
    talker.page.reload()
    expect(answer.locator("[data-entry]").first).to_have_class(re.compile("undone"))
    expect(answer.locator("[data-entry]")).to_have_count(3)
    expect(answer.locator("[data-refusal]")).to_have_count(0)

    answer.locator("[data-why]").click()
    expect(talker.page.locator("#why-body .steps li b", has_text="remember")).to_have_count(3)


def test_a_tool_at_work_stands_in_the_line_of_steps(talker: Person, model: ScriptedModel) -> None:
    model.will_call(("memory_search", {"query": "Petrel"}))
    model.will_answer("word " * 60, every=0.05)
    going = talker.send("Is there anything about my boat Petrel?")

    expect(going.locator(".live")).to_contain_text("search memory")
    talker.page.click("#stop")


def test_the_head_of_the_prompt_is_told_under_the_answer(talker: Person, model: ScriptedModel) -> None:
    talker.say("Remember that the ladder stands in the shed")
    talker.go("/")
    model.will_answer("In the shed.")
    asked = talker.say("Where is the ladder?")

    expect(asked.locator("[data-slot=hot]")).to_have_text(re.compile(r"\d+ entr(y|ies) at the head of the prompt"))
    talker.page.reload()
    expect(asked.locator("[data-slot=hot]")).to_have_text(re.compile(r"\d+ entr(y|ies) at the head of the prompt"))
    asked.locator("[data-why]").click()
    expect(talker.page.locator("#why-body")).to_contain_text("Given to every question")


def test_an_answer_that_is_none_says_why_at_once_and_after_a_reload(talker: Person, model: ScriptedModel) -> None:
    model.will_answer("The boiler in the cellar leaks, says the note. " * 8)
    answer = talker.say("The boiler was repaired")
    for _reload in range(2):
        expect(answer.locator("[data-slot=why-ended]")).to_have_text("The model goes in circles: this is no answer.")
        expect(answer.locator("[data-slot=mark]")).to_have_text("∅")
        expect(answer.locator("[data-continue]")).to_be_hidden()
        talker.page.reload()

    answer.locator("[data-why]").click()
    expect(talker.page.locator("#why-body")).to_contain_text("Not answered: the model went in circles")
