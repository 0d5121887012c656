"""The hot block in a turn's prompt, over the real socket: where it stands, when it changes, and what is told of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from chat.domain.prompts import LATER, NO_MEMORY, NOTHING_MORE, PREAMBLE, PREAMBLE_WITH_TOOLS
from chat.leaving.compaction import compact
from chat.models import Conversation, Message
from chat.tests.conftest import answered_by
from chat.tests.sockets import Page, Wire, answer_of, asked
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from memory.forget import forget
from memory.hot_block import mark_of
from memory.models import Entry
from memory.move import archive
from memory.remember import Draft, remember
from memory.revise import Changes, revise
from traces.models import Step

pytestmark = pytest.mark.django_db(transaction=True)
PORT = "the test server runs on port 8080"
QUESTION = "Which port does the test server use?"
BY: dict[str, Any] = {"actor": "person", "cause": "test"}


async def know(owner: Account, text: str, **draft: Any) -> Entry:
    return (await asyncio.to_thread(remember, owner, Draft(text, **draft), **BY)).entry


def system(model: ScriptedModel, turn: int = -1) -> str:
    return model.prompts[turn][0]["content"]


def notes(model: ScriptedModel) -> str:
    return model.prompts[-1][-1]["content"]


def of_type(frames: list[Wire], type_: str) -> Wire:
    [found] = [frame for frame in frames if frame["type"] == type_]
    return found


# -- where it stands, and what the turn says of it


async def test_it_stands_at_the_head_and_its_rows_are_only_named_in_the_turn(
    filled: Account, model: ScriptedModel
) -> None:
    entry = await know(filled, PORT)
    frames = await asked(filled, QUESTION)
    assert f"\n- #{entry.pk} [fact] {PORT}\n</memory {mark_of(filled)}>" in system(model)
    assert str(model.prompts[-1]).count(PORT) == 1
    assert f"[memory] Nearest to this message in the list above: #{entry.pk}" in notes(model)
    recalled = of_type(frames, "recalled")
    assert entry.pk in [row["id"] for row in recalled["dropped"] if row["reason"] == "hot"]
    assert recalled["entries"] == []


async def test_the_frame_and_the_trace_say_what_it_held(filled: Account, model: ScriptedModel) -> None:
    frames = await asked(filled, QUESTION)
    told = of_type(frames, "recalled")["hot_block"]
    assert told | {"tokens": 0} == {"entries": 8, "left_out": 0, "tokens": 0, "complete": True}
    assert 0 < of_type(frames, "context")["hot_block_tokens"] <= told["tokens"]
    assert (await Step.objects.aget(tool="recall")).detail["hot_block"] == told


async def test_with_all_of_it_in_sight_an_empty_recall_says_that(filled: Account, model: ScriptedModel) -> None:
    await asked(filled, "Who painted the ceiling?")
    assert NOTHING_MORE in notes(model)
    assert "[no memory]" not in notes(model)


async def test_past_its_budget_it_is_an_index_and_what_a_turn_names_of_it_comes_with_the_turn(
    filled: Account, model: ScriptedModel
) -> None:
    for number in range(26):
        await know(filled, f"{chr(97 + number) * 6} is {chr(122 - number) * 5}")
    floors = [await know(filled, f"the printer of floor {number} answers to Osprey {number}") for number in range(8)]
    with override_settings(FORGE=settings.FORGE.model_copy(update={"RECALL_HOT_MAX_TOKENS": 400})):
        talk = (await asked(filled, "Who painted the ceiling?"))[0]["conversation"]
        assert NO_MEMORY in notes(model)
        frames = await asked(filled, "Which names has the Osprey printer?", conversation=talk)
    assert "\n* Osprey (8)" in system(model, 0) == system(model, 1)
    assert "Osprey 3" not in system(model)
    assert all(f"| the printer of floor {number} answers" in notes(model) for number in range(8))
    recalled = of_type(frames, "recalled")
    assert {row["id"] for row in recalled["entries"]} == {entry.pk for entry in floors}
    assert {row["channel"] for row in recalled["entries"]} > {"index"}
    told = recalled["hot_block"]
    assert (told["complete"], told["entries"], told["left_out"]) == (False, 0, 42)


async def test_without_entries_or_switched_off_the_prompt_is_the_same_to_the_byte(
    ana: Account, model: ScriptedModel
) -> None:
    await asked(ana, QUESTION)
    await know(ana, PORT)
    with override_settings(FORGE=settings.FORGE.model_copy(update={"RECALL_HOT_BLOCK": False})):
        await asked(ana, "How do plants eat?")
    assert system(model, 0) == system(model, 1)
    assert "# What memory holds" not in system(model)


async def test_memory_switched_off_gives_nothing(filled: Account, model: ScriptedModel) -> None:
    with override_settings(FORGE=settings.FORGE.model_copy(update={"MEMORY_ENABLED": False})):
        await asked(filled, "Which bike is green?")
    assert "green and stands" not in str(model.prompts)
    assert (await Conversation.objects.aget()).hot_upto is None


# -- when it changes


async def test_what_a_turn_saves_travels_with_it_and_joins_the_next_conversation(
    filled: Account, model: ScriptedModel
) -> None:
    talk = (await asked(filled, f"Remember that {PORT}. How do plants eat?"))[0]["conversation"]
    entry = await Entry.objects.alatest("id")
    assert PORT not in system(model)
    assert f"[saved] #{entry.pk} fact" in notes(model)
    await asked(filled, "And fish?", conversation=talk)
    assert system(model, 0) == system(model, 1)
    assert LATER.format(count=1) in notes(model)
    await asked(filled, "And birds?")
    assert f"- #{entry.pk} [fact] {PORT}" in system(model)


async def test_where_the_first_entry_comes_later_no_list_is_spoken_of(ana: Account, model: ScriptedModel) -> None:
    talk = (await asked(ana, "How do plants eat?"))[0]["conversation"]
    await know(ana, PORT)
    await asked(ana, "And fish?", conversation=talk)
    assert "list above" not in notes(model)
    assert NO_MEMORY in notes(model)


async def test_after_a_compaction_what_was_saved_meanwhile_is_in_it(filled: Account, model: ScriptedModel) -> None:
    talk = (await asked(filled, "How do plants eat?"))[0]["conversation"]
    entry = await know(filled, PORT)
    await asked(filled, "And fish?", conversation=talk)
    assert PORT not in system(model)
    update = {"COMPACTION_KEEP_RECENT": 2}
    with override_settings(FORGE=settings.FORGE.model_copy(update=update)):
        await asyncio.to_thread(compact, filled, talk, forced=True)
    await asked(filled, "And birds?", conversation=talk)
    assert f"- #{entry.pk} [fact] {PORT}\n" in system(model)


async def test_an_entry_that_changes_or_goes_does_so_at_the_next_turn(filled: Account, model: ScriptedModel) -> None:
    port, code = await know(filled, PORT), await know(filled, "the code of the shed is 4711")
    talk = (await asked(filled, "How do plants eat?"))[0]["conversation"]
    await asyncio.to_thread(revise, filled, port.pk, Changes(text=f"{PORT}81"), version=None, **BY)
    await asyncio.to_thread(archive, filled, code.pk, **BY)
    await asked(filled, "And fish?", conversation=talk)
    assert f"- #{port.pk} [fact] {PORT}81\n" in system(model)
    assert "4711" not in system(model)


async def test_a_new_conversation_begins_where_the_last_one_left_the_block(
    filled: Account, model: ScriptedModel
) -> None:
    await asked(filled, "How do plants eat?")
    await know(filled, PORT)
    await asked(filled, "How do fish eat?")
    before, after = system(model, 0), system(model, 1)
    assert after.startswith(before[: before.index("</memory ", len(PREAMBLE_WITH_TOOLS))])


# -- what stands behind it, and what becomes of it


async def test_what_stands_for_compacted_messages_follows_it_and_they_are_in_no_prompt(
    filled: Account, model: ScriptedModel
) -> None:
    talk = (await asked(filled, "How do PLANTS eat?"))[0]["conversation"]
    await asked(filled, "How do FISH eat?", conversation=talk)
    pinned = await Message.objects.filter(conversation=talk).afirst()
    assert pinned
    await Message.objects.filter(pk=pinned.pk).aupdate(pinned=True)
    await asked(filled, "How do BIRDS eat?", conversation=talk)
    with override_settings(FORGE=settings.FORGE.model_copy(update={"COMPACTION_KEEP_RECENT": 2})):
        pointer = (await asyncio.to_thread(compact, filled, talk, forced=True)).pointer
    await asked(filled, "Thank you", conversation=talk)
    text = system(model)
    assert text.index("# What memory holds") < text.index("# Earlier in this conversation") < text.index(pointer)
    said = " ".join(one["content"] for one in model.prompts[-1][1:])
    assert "FISH" not in said
    assert said.index("PLANTS") < said.index("BIRDS") < said.index("Thank you")


async def test_an_entry_of_it_that_is_forgotten_while_the_model_answers_is_stored_nowhere(
    filled: Account, model: ScriptedModel
) -> None:
    entry = await know(filled, PORT)
    model.will_answer(f"You keep a lot.\n\n> {PORT}\n\n" + "and so on " * 20, every=0.05)
    page = await Page(filled).open()
    await page.say("send", text="What do I keep?")
    frames = await page.until("delta")
    await asyncio.to_thread(forget, filled, [entry.pk], **BY)
    frames += await page.until("done")
    await page.close()
    assert f"[forgotten #{entry.pk}]" in (await answer_of(frames)).content
    assert PORT not in (await answer_of(frames)).content


@pytest.mark.parametrize(("window", "shown"), [(1024, False), (2048, True)])
async def test_a_small_window_gives_it_a_third_of_what_is_left_at_the_most(
    filled: Account, window: int, shown: bool
) -> None:
    for number in range(20):
        await know(filled, f"the wifi of floor {number} is called Kestrel {number}")
    with ScriptedModel(window=window) as server, answered_by(server, ENABLED_TOOLS="none"):
        frames = await asked(filled, "How do plants eat?")
    told, text = of_type(frames, "recalled")["hot_block"], server.prompts[0][0]["content"]
    assert told["left_out"] == 28 - told["entries"] > 0
    assert ("\n* " in text.partition("# What memory holds")[2], told["complete"]) == (shown, False)
    assert of_type(frames, "context")["hot_block_tokens"] <= window // 6
    assert frames[-1]["type"] == "done"
    assert text.startswith(PREAMBLE)
