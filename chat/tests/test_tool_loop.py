"""How a run with tools comes to its end: steps, loops, broken calls, a full window, a stop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from chat.models import State
from chat.tests.conftest import answered_by
from chat.tests.sockets import Page, Wire, answer_of, asked, text_of
from chat.tests.test_model_budget import counted, long_talk
from chat.tests.test_tools import PORT, TOLD, know, of_type, result, steps
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel, chunk, stream, tokens
from memory.models import Entry
from traces.models import Run, Step

pytestmark = pytest.mark.django_db(transaction=True)
SAVE = {"content": "Owns a NiPoGi with 32 GB"}
ENVELOPE = json.dumps({"tool": "remember", "content": SAVE})


@contextmanager
def most_steps(most: int, **more: Any) -> Iterator[None]:
    with override_settings(FORGE=settings.FORGE.model_copy(update={"MAX_STEPS": most, **more})):
        yield


def offers(model: ScriptedModel) -> list[bool]:
    """Which requests offered tools."""
    return ["tools" in request.json for request in model.sent_to("/v1/chat/completions")]


# -- steps


async def test_the_last_step_offers_no_tools(filled: Account, model: ScriptedModel) -> None:
    for number in range(3):
        model.will_call(("recall", {"query": f"number {number}"}))
    with most_steps(3):
        frames = await asked(filled, "Look it up, would you.")
    assert offers(model) == [True, True, False]
    assert frames[-1]["type"] == "done"


async def test_one_step_gives_the_rows_of_a_recall_by_our_code(
    filled: Account, model: ScriptedModel, no_block: None
) -> None:
    entry = await know(filled, PORT)
    model.will_call(("recall", {"query": "test server port"}))
    with most_steps(1, RECALL_AUTO=False):
        frames = await asked(filled, "Which port does the test server use?")
    assert offers(model) == [True]
    assert f"#{entry.pk}" in text_of(frames)
    assert PORT in text_of(frames)
    assert frames[-1]["not_answered"] is None


async def test_one_step_ends_a_save_with_its_echo(ana: Account, model: ScriptedModel) -> None:
    model.will_call(("remember", SAVE))
    with most_steps(1):
        frames = await asked(ana, TOLD)
    assert text_of(frames) == "Saved."
    assert (await answer_of(frames)).content == "Saved."
    assert await Entry.objects.acount() == 1


async def test_an_envelope_that_says_done_ends_with_what_came_of_it(ana: Account, model: ScriptedModel) -> None:
    model.will_refuse_tools()
    model.will_answer(json.dumps({"tool": "remember", "content": SAVE, "done": True}))
    frames = await asked(ana, TOLD)
    assert text_of(frames) == "Saved."
    assert len(offers(model)) == 2  # the first was refused


async def test_nothing_said_after_a_call_is_told_by_our_code(ana: Account, model: ScriptedModel) -> None:
    model.will_call(("remember", SAVE))
    model.will_answer("")
    frames = await asked(ana, TOLD)
    assert text_of(frames) == "Saved."
    assert frames[-1]["not_answered"] is None


async def test_the_same_call_twice_ends_the_run_unanswered(ana: Account, model: ScriptedModel) -> None:
    model.will_call(("memory_search", {"query": "my server", "max_results": 3}))
    model.will_call(("memory_search", {"max_results": "3", "query": "my server"}))
    frames = await asked(ana, "Look it up, would you.")
    assert (frames[-1]["type"], frames[-1]["not_answered"]) == ("done", "loop")
    answer = await answer_of(frames)
    assert (answer.answered, answer.indexable) == (False, False)
    assert len(offers(model)) == 2
    assert (await Run.objects.aget()).not_answered == "loop"


async def test_words_before_a_call_stay_and_the_answer_is_a_paragraph_of_its_own(
    ana: Account, model: ScriptedModel
) -> None:
    model.will_call(("remember", SAVE), text="Let me note that.")
    model.will_answer("Done.")
    frames = await asked(ana, TOLD)
    assert text_of(frames) == (await answer_of(frames)).content == "Let me note that.\n\nDone."
    assert model.prompts[-1][-2]["content"] == "Let me note that."


# -- envelopes


async def test_an_envelope_is_never_seen_on_the_page(ana: Account, model: ScriptedModel) -> None:
    model.will_refuse_tools()
    model.will_answer(f"```json\n{ENVELOPE}\n```")
    model.will_answer("Noted.")
    frames = await asked(ana, TOLD)
    assert text_of(frames) == "Noted."
    assert "tool" not in str(of_type(frames, "html"))
    assert "You may use a tool" in model.prompts[-1][0]["content"]
    assert offers(model) == [True, False, False]
    assert await Entry.objects.acount() == 1
    assert ("model", "failed") not in steps(frames)
    run = await Run.objects.aget()
    assert run.llm
    assert run.llm["calls"] == 2


async def test_prose_before_an_envelope_is_taken_back(ana: Account, model: ScriptedModel) -> None:
    model.will_refuse_tools()
    model.will_answer(f"Sure, I will save that: {ENVELOPE} Is that all?")
    model.will_answer("Noted.")
    frames = await asked(ana, TOLD)
    after = frames[[frame["type"] for frame in frames].index("unsaid") :]
    assert text_of(after) == (await answer_of(frames)).content == "Noted."
    assert await Entry.objects.acount() == 1


async def test_a_server_that_takes_no_tools_is_asked_so_once(ana: Account, model: ScriptedModel) -> None:
    model.will_refuse_tools()
    page = await Page(ana).open()
    await page.ask("How do plants eat?")
    await page.ask("How do stones eat?")
    await page.close()
    assert offers(model) == [True, False, False]


async def test_an_answer_in_an_envelope_is_unwrapped(ana: Account, model: ScriptedModel) -> None:
    model.will_refuse_tools()
    model.will_answer('{"tool": "chat", "content": "Plants eat light."}')
    frames = await asked(ana, "How do plants eat?")
    assert text_of(frames) == (await answer_of(frames)).content == "Plants eat light."


@pytest.mark.parametrize(
    "text", ['{"name": "Ada", "born": 1815}', '{"name": "deploy", "arguments": {"to": "prod"}}', '{"action": "dep']
)
async def test_json_that_is_no_call_is_an_answer(ana: Account, model: ScriptedModel, text: str) -> None:
    model.will_answer(text)
    frames = await asked(ana, "Give me JSON on that.")
    assert text_of(frames) == text
    assert len(offers(model)) == 1


# -- the window


async def test_results_fit_the_room_and_say_what_was_cut(ana: Account, no_block: None) -> None:
    entry = await know(ana, f"{PORT} " + "and so on " * 3000)
    talk = await asyncio.to_thread(long_talk, ana, 8)
    with ScriptedModel(window=4096) as server, answered_by(server, RECALL_AUTO=False, RECALL_HOT_BLOCK=False):
        server.will_call(("memory_get", {"id": entry.pk}))
        frames = await asked(ana, "Look it up, would you.", conversation=talk)
        told = server.prompts[-1]
        offered = json.dumps(server.sent_to("/v1/chat/completions")[-1].json["tools"])
    assert "cut here: the window has no more room" in told[-1]["content"]
    assert told[-1]["content"].rstrip().startswith("<memory ")
    assert counted(told) + len(offered) // 4 <= 4096 - settings.FORGE.LLM_MAX_TOKENS
    left_out = [frame["left_out"] for frame in of_type(frames, "context")]
    assert left_out[0] < left_out[1]


async def test_tools_are_left_out_where_the_message_leaves_them_no_room(ana: Account) -> None:
    """It was taken while they were off, and is answered once more now that they are on."""
    with ScriptedModel(window=4096) as server, answered_by(server, ENABLED_TOOLS="none"):
        [failed] = await asked(ana, "lorem ipsum " * 2000)
        first = await asked(ana, ("lorem ipsum " * 2000)[: failed["limit"]])
        page = await Page(ana).open()
        with override_settings(FORGE=settings.FORGE.model_copy(update={"ENABLED_TOOLS": "memory"})):
            await page.say("send", retry=first[0]["answer_id"], conversation=first[0]["conversation"])
            frames = await page.until("done", "failed")
        await page.close()
        assert offers(server) == [False, False]
    assert frames[-1]["type"] == "done"


# -- thinking, stops and failures between two steps


async def test_thinking_before_a_call_leaves_no_trace(ana: Account, model: ScriptedModel) -> None:
    model.will_refuse_tools()
    model.will_send(stream(tokens(ENVELOPE), thinking=["CANARY of a thought"]))
    model.will_answer("Noted.", thinking=["CANARY again"])
    frames = await asked(ana, TOLD)
    assert text_of(frames) == "Noted."
    assert "CANARY" not in str(frames)
    assert "CANARY" not in str(model.prompts)


async def test_a_stop_in_the_second_step_keeps_what_was_saved_and_ends_the_servers_work(
    ana: Account, model: ScriptedModel
) -> None:
    model.will_call(("remember", SAVE))
    model.will_send([chunk({"content": "Noted"})], hang=True)
    page = await Page(ana).open()
    await page.say("send", text=TOLD)
    frames: list[Wire] = await page.until("delta")
    await page.say("stop")
    frames += await page.until("stopped")
    await page.close()
    answer = await answer_of(frames)
    assert (answer.state, answer.content) == (State.STOPPED, "Noted")
    assert await Entry.objects.acount() == 1
    assert [row["id"] async for row in Entry.objects.values("id")] == [
        row["id"] for row in (await Step.objects.aget(tool="remember")).detail["saved"]
    ]


async def test_a_failure_in_the_second_step_is_a_failure_with_what_was_said(ana: Account, model: ScriptedModel) -> None:
    model.will_call(("remember", SAVE), text="One moment.")
    model.will_fail(500, {"error": {"message": "out of memory"}})
    frames = await asked(ana, TOLD)
    assert (frames[-1]["type"], frames[-1]["partial"]) == ("failed", "One moment.")
    assert await Entry.objects.acount() == 1
    assert ("model", "failed") in steps(frames)


async def test_an_answer_that_goes_on_is_offered_no_tools(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("Plants eat", finish="length")
    page = await Page(ana).open()
    first = await page.ask("How do plants eat?")
    model.will_answer(" light.")
    await page.say("send", **{"continue": first[0]["answer_id"]}, conversation=first[0]["conversation"])
    frames = await page.until("done", "failed")
    await page.close()
    assert offers(model) == [True, False]
    assert (await answer_of(frames)).content == "Plants eat light."


async def test_what_a_tool_gave_is_forgotten_with_the_entry(filled: Account, model: ScriptedModel) -> None:
    from memory.forget import forget

    entry = await know(filled, PORT)
    model.will_call(("memory_get", {"id": entry.pk}))
    model.will_answer(f"You told me:\n\n> {PORT}\n\n" + "and so on " * 20, every=0.05)
    page = await Page(filled).open()
    with most_steps(4, RECALL_AUTO=False, RECALL_HOT_BLOCK=False):
        await page.say("send", text="Look it up, would you.")
        frames = await page.until("delta")
        await asyncio.to_thread(forget, filled, [entry.pk], actor="person", cause="test")
        frames += await page.until("done")
    await page.close()
    assert f"[forgotten #{entry.pk}]" in (await answer_of(frames)).content
    assert result(model).count(PORT) == 1
