"""What a person does to a conversation and its messages, at the page."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from forgesite.testing_models import ScriptedModel, tokens
from forgesite.testing_models import stream as events
from forgesite.tests.browser import Person


def test_an_edit_is_a_branch_and_both_stay_in_reach(person: Person) -> None:
    person.say("Which port does the <b>test</b> server use?")
    person.say("!memory")
    page = person.page
    page.locator(".asked").first.hover()
    page.locator("[data-edit]").first.click()
    page.fill(".edit textarea", "Which port has the gateway?")
    page.press(".edit textarea", "Enter")

    expect(page.locator(".me")).to_have_text(["Which port has the gateway?"])
    expect(page.locator(".asked .switch")).to_contain_text("2/2")
    page.locator(".asked [data-slot=before]").click()
    expect(page.locator(".me")).to_have_text(["Which port does the <b>test</b> server use?", "!memory"])

    # The run of the other branch is still told to whoever comes: it has no place here.
    page.reload()
    expect(page.locator("article.it")).to_have_count(2)
    page.wait_for_timeout(300)
    expect(page.locator(".me")).to_have_text(["Which port does the <b>test</b> server use?", "!memory"])
    expect(page.locator(".asked .switch").first).to_contain_text("1/2")


def test_an_edit_that_is_left_changes_nothing(person: Person) -> None:
    person.say("!memory")
    person.page.press("#message", "ArrowUp")
    person.page.fill(".edit textarea", "another text")
    person.page.press(".edit textarea", "Escape")

    expect(person.page.locator(".me")).to_have_text(["!memory"])
    assert len(person.history()) == 2


def test_a_retry_answers_the_same_message_again(talker: Person, model: ScriptedModel) -> None:
    model.will_answer("The first answer.")
    model.will_answer("The second answer.")
    first = talker.say("Tell me something")
    first.locator("[data-retry]:visible").click()

    answer = talker.page.locator("article.it")
    expect(answer).to_contain_text("The second answer.")
    expect(answer).to_have_count(1)
    expect(talker.page.locator(".me")).to_have_count(1)
    expect(answer.locator(".switch")).to_contain_text("2/2")
    answer.locator("[data-slot=before]").click()
    expect(talker.page.locator("article.it")).to_contain_text("The first answer.")


def test_an_answer_that_was_cut_says_why_and_goes_on(talker: Person, model: ScriptedModel) -> None:
    model.will_answer("One, two, ", finish="length")
    cut = talker.say("Count to four")
    expect(cut.locator("[data-slot=ending]")).to_contain_text("token limit")
    talker.page.reload()
    expect(talker.page.locator("[data-slot=ending]")).to_contain_text("token limit")

    model.will_answer("three, four.")
    talker.page.click("[data-continue]")

    expect(talker.page.locator("article.it")).to_have_attribute("data-state", "done")
    expect(talker.page.locator("article.it .md").first).to_have_text("One, two, three, four.")
    expect(talker.page.locator("[data-slot=ending]")).to_be_hidden()
    assert [row["content"] for row in talker.history()] == ["Count to four", "One, two, three, four."]


def test_a_stream_that_breaks_keeps_its_text_and_is_told_as_broken(talker: Person, model: ScriptedModel) -> None:
    model.will_send(events(tokens("Half of it"))[:3], end=False)

    broken = talker.say("Tell me all of it")

    expect(broken.locator(".md").first).to_contain_text("Half")
    expect(broken.locator("[data-slot=ending]")).to_be_visible()
    expect(broken.locator("[data-retry]:visible")).to_have_count(1)


def test_stop_keeps_the_text_so_far(talker: Person, model: ScriptedModel) -> None:
    model.will_answer("word " * 400, every=0.02)
    answer = talker.send("Go on and on")
    expect(answer).to_contain_text("word word")
    talker.page.keyboard.press("Escape")

    expect(talker.ended(answer).locator("[data-slot=ending]")).to_contain_text("Stopped by you.")
    expect(answer).to_contain_text("word word")
    expect(talker.page.locator("#send")).to_be_visible()


def test_a_failure_says_its_cause_and_retries(talker: Person, model: ScriptedModel) -> None:
    model.will_fail(401, {"error": {"message": "bad <b>key</b>"}})
    failed = talker.say("Are you there?")
    expect(failed.locator(".foot .mark")).to_have_text("✗")
    expect(failed.locator("[data-slot=ending]")).to_contain_text("did not accept the key")

    model.will_answer("Yes.")
    failed.locator("[data-retry]:visible").click()

    expect(talker.page.locator("article.it")).to_have_count(1)
    expect(talker.page.locator("article.it .md").first).to_have_text("Yes.")


def test_an_answer_is_copied_as_it_was_written(talker: Person, model: ScriptedModel) -> None:
    talker.context.grant_permissions(["clipboard-read", "clipboard-write"])
    model.will_answer("It is **8080**:\n\n```sh\ncurl -s x\n```")
    talker.say("Which port?")
    talker.page.reload()
    talker.page.click("[data-copy-answer]")
    expect(talker.page.locator("[data-copy-answer]")).to_have_text("Copied")
    assert talker.page.evaluate("navigator.clipboard.readText()") == "It is **8080**:\n\n```sh\ncurl -s x\n```"
    talker.page.click(".code .copy")
    expect(talker.page.locator(".code .copy")).to_have_text("Copied")
    assert talker.page.evaluate("navigator.clipboard.readText()") == "curl -s x\n"


def test_a_temporary_conversation_is_marked_and_not_listed(person: Person) -> None:
    page = person.page
    page.check("#temporary")
    expect(page.locator("#temporary-note")).to_be_visible()
    answer = person.say("Remember that the safe opens with 4711")

    expect(answer).to_contain_text("temporary")
    expect(page.locator("[data-slot=temporary-mark]")).to_be_visible()
    expect(page.locator("#conversations")).not_to_contain_text("4711")
    page.reload()
    expect(page.locator("#temporary-note")).to_be_visible()


def test_a_conversation_is_found_renamed_archived_and_brought_back(person: Person) -> None:
    page = person.page
    person.say("!recall the zeppelin of 1929")
    listed = page.locator(".conv.current")
    listed.locator("summary").click()
    listed.locator("[data-rename]").click()
    page.fill("#rename-field", "Airships")
    page.press("#rename-field", "Enter")
    expect(page.locator("#title")).to_have_text("Airships")

    page.fill("#find", "zeppelin")
    expect(page.locator(".conv")).to_have_count(1)
    page.locator(".conv summary").click()
    page.get_by_role("button", name="Archive").click()
    page.wait_for_url(f"{person.forge.url}/")
    expect(page.locator("#conversations")).not_to_contain_text("Airships")

    page.locator("[data-archived='1']").click()
    page.locator(".conv", has_text="Airships").locator("summary").click()
    page.get_by_role("button", name="Bring back").click()
    expect(page.locator("#title")).to_have_text("Airships")
    expect(page.locator(".conv.current")).to_have_text(re.compile("Airships"))


def test_a_conversation_is_deleted_after_a_question(person: Person) -> None:
    page = person.page
    person.say("!recall the bathyscaphe")
    page.locator(".conv.current summary").click()
    page.locator(".conv.current [data-delete]").click()
    expect(page.locator("#delete")).to_contain_text("bathyscaphe")
    page.locator("#delete [type=submit]").click()

    page.wait_for_url(f"{person.forge.url}/")
    expect(page.locator("#conversations")).not_to_contain_text("bathyscaphe")


def test_without_a_model_the_header_says_so_and_how_to_connect_one(person: Person) -> None:
    expect(person.page.locator("#model")).to_contain_text("built-in")
    person.page.click("#model")
    expect(person.page.locator("#models")).to_contain_text("LLM_URL")


def test_who_answers_is_chosen_and_stays_chosen(talker: Person, model: ScriptedModel) -> None:
    model.names[:] = ["scripted-1", "scripted-2"]
    page = talker.page
    page.click("#model")
    expect(page.locator("#models section", has_text="attic")).to_contain_text("nothing answers there")
    page.locator(".choice", has_text="scripted-2").click()
    expect(page.locator("#model")).to_contain_text("scripted-2")
    talker.say("Hello")
    assert model.sent_to("/v1/chat/completions")[-1].json["model"] == "scripted-2"

    page.reload()
    expect(page.locator("#model")).to_contain_text("scripted-2")
    model.names[:] = ["scripted-1"]


#: What each key opens or goes to. R and C press the buttons that the tests above press.
KEYS = {
    "e": ".edit textarea",
    "w": "#why",
    "o": "#models",
    "d": "#drawer",
    "?": "#keys",
    "/": "#find:focus",
    "m": "#message:focus",
    "n": "#empty",
}


def test_every_key_of_the_sheet_does_what_it_says(person: Person) -> None:
    person.say("!memory")
    for key, seen in KEYS.items():
        person.page.keyboard.press("Escape")
        person.page.evaluate("document.activeElement.blur()")
        person.page.keyboard.press(key)
        expect(person.page.locator(seen)).to_be_visible()


def golden(person: Person) -> list[dict[str, Any]]:
    return list(person.page.evaluate("async () => (await fetch('/golden')).json()"))


def test_a_star_keeps_the_question_with_what_it_was_given_and_is_taken_away_again(person: Person) -> None:
    # Words of its own: the store is shared with every other test of this process, whatever ran before.
    for text in ("the greenhouse thermostat is set to 19 degrees", "the roof was painted", "rent is due"):
        person.say(f"!remember fact - {text} since {len(text)} days")
    question = "What is the greenhouse thermostat set to?"
    answer = person.say(question)
    run = answer.get_attribute("data-run")
    trace = person.page.evaluate("async (run) => (await fetch(`/traces/${run}`)).json()", run)
    given = [row for step in trace["steps"] for row in (step["detail"] or {}).get("entries", [])]
    [said] = person.page.evaluate("async () => (await fetch('/search?q=greenhouse+thermostat&top_k=1')).json()")
    assert given[0]["id"] == said["id"]

    star = answer.locator("[data-star]")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    kept = next(one for one in golden(person) if one["question"] == question)
    ranks = {right["id"]: right["rank"] for right in kept["entries"]}
    assert ranks.keys() == {row["id"] for row in given}
    assert ranks[said["id"]] == 1

    star.click()
    expect(star).to_have_attribute("aria-pressed", "false")
    assert question not in [one["question"] for one in golden(person)]
    expect(person.page.locator("article.it [data-star]").first).to_be_hidden()
