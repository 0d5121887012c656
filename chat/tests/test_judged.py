"""How a run is judged at its exit: ok, answered and indexable, each with its reason, in the rows and in the trace."""

from __future__ import annotations

import asyncio

import pytest
from django.conf import settings
from django.test import override_settings
from django.utils import timezone
from django_q.models import OrmQ

from chat.domain.prompts import PREAMBLE_WITH_TOOLS
from chat.leaving.compacting import COMPACT
from chat.leaving.compaction import compact
from chat.models import Conversation, Message, Role, State
from chat.tests.sockets import asked
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel, chunk
from memory.models import Entry
from memory.remember import Draft, remember
from traces.models import Run
from traces.records import record

pytestmark = pytest.mark.django_db(transaction=True)
STATED = "I own a server in the cellar."
LEAK = "The boiler in the cellar leaks, says the note. "
OWNS = "the NiPoGi server in the cellar has 32 GB of RAM and runs Debian 12"


async def judged() -> tuple[tuple[bool, str, str], tuple[bool, bool], bool]:
    """The run's ok and reasons; the answer's answered and indexable; whether the person's message may enter memory."""
    run, answer = await Run.objects.alatest("id"), await Message.objects.filter(role=Role.ASSISTANT).alatest("id")
    question = await Message.objects.filter(role=Role.USER).alatest("id")
    return (run.ok, run.not_answered, run.not_indexable), (answer.answered, answer.indexable), question.indexable


async def test_an_answer_to_what_was_stated_may_enter_memory(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("Noted: a server, downstairs.")
    await asked(ana, STATED)

    assert await judged() == ((True, "", ""), (True, True), True)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("I'm sorry, but I don't have any information about that.", "refusal"),
        (LEAK * 8, "repeats itself"),
        ("[your answer here]", "placeholder"),
        (" ".join(PREAMBLE_WITH_TOOLS.split()[30:60]), "leaked prompt"),
        ('{"error": {"message": "slot unavailable"}}', "error body"),
        ("[no memory] Memory holds nothing on this message.", "non-answer"),
    ],
)
async def test_what_is_no_answer_is_kept_and_stays_out_of_memory(
    ana: Account, model: ScriptedModel, reply: str, why: str
) -> None:
    model.will_answer(reply)
    frames = await asked(ana, STATED)

    assert (frames[-1]["ok"], frames[-1]["not_answered"]) == (True, why)
    assert await judged() == ((True, why, why), (False, False), True)
    assert (await Message.objects.aget(role=Role.ASSISTANT)).content == reply


async def test_compaction_takes_the_person_s_words_and_leaves_what_was_no_answer(
    ana: Account, model: ScriptedModel
) -> None:
    model.will_answer(LEAK * 8)
    conversation = (await asked(ana, STATED))[0]["conversation"]
    await asked(ana, "Good morning.", conversation=conversation)
    talk = await Conversation.objects.aget()

    with override_settings(FORGE=settings.FORGE.model_copy(update={"COMPACTION_KEEP_RECENT": 1})):
        await asyncio.to_thread(compact, ana, talk.pk, forced=True)

    assert [entry.text async for entry in Entry.objects.all()] == [f"user: {STATED}"]


@pytest.mark.parametrize("reply", ["It is port 8080.", "Port 8080, as you said.", "Yes."])
async def test_what_memory_answers_a_question_with_is_not_kept_once_more(
    ana: Account, model: ScriptedModel, reply: str
) -> None:
    await asyncio.to_thread(remember, ana, Draft("The test server runs on port 8080"), actor="person", cause="test")
    model.will_answer(reply)
    await asked(ana, "Which port does the test server use?")

    assert await judged() == ((True, "", "from memory"), (True, False), False)


@pytest.mark.parametrize("text", ["How do I search a folder for a word?", "Write a line on searching folders."])
async def test_what_a_model_knows_by_itself_may_enter_memory(ana: Account, model: ScriptedModel, text: str) -> None:
    await asyncio.to_thread(remember, ana, Draft("The test server runs on port 8080"), actor="person", cause="test")
    model.will_answer("With `grep -r word folder`, which prints each line and the file that holds it.")
    await asked(ana, text)

    assert await judged() == ((True, "", ""), (True, True), True)


async def test_what_is_said_beside_a_save_may_enter_memory(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("The boiler upstairs: noted.")
    await asked(ana, "Remember that the port is 8080. The boiler was moved upstairs.")

    assert await judged() == ((True, "", ""), (True, True), True)


async def test_what_a_model_looked_up_is_not_kept_once_more(ana: Account, model: ScriptedModel) -> None:
    await asyncio.to_thread(remember, ana, Draft("The test server runs on port 8080"), actor="person", cause="test")
    model.will_call(("memory_search", {"query": "test server port"}))
    model.will_answer("Eight thousand and eighty, it seems.")
    await asked(ana, "The new server wants the number of the old one.")

    assert await judged() == ((True, "", "recall"), (True, False), True)


async def test_compaction_takes_a_person_s_words_without_the_answer_that_is_kept_out(
    ana: Account, model: ScriptedModel
) -> None:
    await asyncio.to_thread(remember, ana, Draft(OWNS), actor="person", cause="test")
    model.will_answer(f"Good. Memory says: {OWNS}.")
    moved = "The NiPoGi server in the cellar was moved upstairs."
    conversation = (await asked(ana, moved))[0]["conversation"]
    await asked(ana, "Good morning.", conversation=conversation)

    with override_settings(FORGE=settings.FORGE.model_copy(update={"COMPACTION_KEEP_RECENT": 1})):
        await asyncio.to_thread(compact, ana, conversation, forced=True)

    texts = [entry.text async for entry in Entry.objects.filter(kind="exchange")]
    assert texts == [f"user: {moved}"]


@pytest.mark.parametrize(
    ("text", "why"), [("!memory", "command"), (f"Remember that {OWNS}.", "save"), (STATED, "no model")]
)
async def test_the_built_in_responder_s_words_are_kept_out(ana: Account, text: str, why: str) -> None:
    await asked(ana, text)

    assert (await Run.objects.aget()).not_indexable == why
    assert not (await Message.objects.aget(role=Role.ASSISTANT)).indexable


async def test_an_answer_that_quotes_memory_is_one_and_is_kept_out(filled: Account, model: ScriptedModel) -> None:
    await asyncio.to_thread(remember, filled, Draft(OWNS), actor="person", cause="test")
    model.will_answer(f"Good. Memory says: {OWNS}.")
    await asked(filled, "The NiPoGi server in the cellar was moved upstairs.")

    assert (await judged())[:2] == ((True, "", "quotes memory"), (True, False))


async def test_a_failed_run_says_so(ana: Account, model: ScriptedModel) -> None:
    model.will_send([chunk({"content": "The server"}), b'data: {"error": {"message": "out of memory"}}\n\n'])
    await asked(ana, STATED)

    assert await judged() == ((False, "", "failed"), (False, False), False)
    assert (await Message.objects.aget(role=Role.ASSISTANT)).state == State.FAILED


async def test_a_cut_answer_is_a_part_and_stays_out(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("The server in the", finish="length")
    await asked(ana, STATED)

    assert await judged() == ((True, "cut off", "cut off"), (False, False), True)
    assert (await Message.objects.aget(role=Role.ASSISTANT)).state == State.CUT


async def test_an_error_page_inside_a_200_is_an_error_and_no_answer(ana: Account, model: ScriptedModel) -> None:
    model.will_fail(200, "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>")
    frames = await asked(ana, STATED)

    assert frames[-1]["type"] == "failed"
    assert await judged() == ((False, "", "failed"), (False, False), False)


async def test_a_compaction_that_cannot_be_queued_takes_no_answer_back(
    ana: Account, model: ScriptedModel, caplog: pytest.LogCaptureFixture
) -> None:
    model.will_answer("Noted.")
    broken = settings.FORGE.model_copy(update={"MEMORY_MAX_HISTORY": "no number"})
    with override_settings(FORGE=broken):
        frames = await asked(ana, STATED)

    assert frames[-1]["type"] == "done"
    assert await judged() == ((True, "", ""), (True, True), True)
    assert "compaction not queued" in caplog.text


async def test_a_window_that_is_full_is_compacted_once_its_exchange_is_stored(
    ana: Account, model: ScriptedModel
) -> None:
    small = settings.FORGE.model_copy(update={"COMPACTION_THRESHOLD": 1})
    with override_settings(FORGE=small):
        await asked(ana, STATED)

    [queued] = [task.task["args"][0] async for task in OrmQ.objects.all()]
    assert queued == COMPACT


def test_the_three_stand_in_the_record_of_a_run(ana: Account) -> None:
    run = Run(owner=ana, run_id="r1", started_at=timezone.now(), ok=True, total_ms=1, not_indexable="command")

    told = record(run, [])

    assert (told["ok"], told["not_answered"], told["not_indexable"]) == (True, None, "command")
