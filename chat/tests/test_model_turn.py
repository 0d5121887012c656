"""A turn that a model answers, over the real socket: what it is told, what is shown, and what is kept."""

from __future__ import annotations

import asyncio

import pytest
from django.conf import settings
from django.test import override_settings

from chat.domain.prompts import NO_MEMORY, PREAMBLE_WITH_TOOLS
from chat.models import Message, State
from chat.tests.sockets import Page, Wire, answer_of, asked, text_of
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from memory.forget import forget
from memory.models import Entry
from memory.remember import Draft, remember
from traces.models import Run, Step

pytestmark = pytest.mark.django_db(transaction=True)
PORT = "the test server runs on port 8080"
QUESTION = "Which port does the test server use?"


async def know(owner: Account, text: str) -> Entry:
    saved = await asyncio.to_thread(remember, owner, Draft(text), actor="person", cause="test")
    return saved.entry


def last_said(model: ScriptedModel) -> str:
    return model.prompts[-1][-1]["content"]


def steps(frames: list[Wire]) -> list[tuple[str, str]]:
    return [(frame["tool"], frame["state"]) for frame in frames if frame["type"] == "step"]


# -- what is said, and what is kept


async def test_the_models_words_are_streamed_stored_and_named(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("Plants eat light.")
    frames = await asked(ana, "How do plants eat?")
    answer = await answer_of(frames)
    assert text_of(frames) == answer.content == "Plants eat light."
    assert (answer.state, answer.answered, answer.model) == (State.COMPLETE, True, "scripted-1")
    assert (frames[-1]["type"], frames[-1]["not_answered"]) == ("done", None)


async def test_done_and_the_run_say_what_it_took(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("Plants eat light.")
    frames = await asked(ana, "How do plants eat?")
    usage = frames[-1]["usage"]
    assert (usage["model"], usage["server"], usage["estimated"]) == ("scripted-1", "default", False)
    assert (usage["prompt_tokens"], usage["completion_tokens"]) == (7, 5)
    assert 0 <= usage["first_ms"] <= usage["total_ms"]
    run = await Run.objects.aget()
    assert run.llm
    assert run.llm | {"ms": 0, "first_ms": 0} == {
        "calls": 1,
        "ms": 0,
        "first_ms": 0,
        "prompt_tokens": 7,
        "completion_tokens": 5,
        "max_prompt_tokens": 7,
        "models": ["scripted-1"],
    }


async def test_the_frames_come_in_their_order(filled: Account, model: ScriptedModel) -> None:
    await know(filled, PORT)
    frames = await asked(filled, QUESTION)
    order = ["accepted", "step", "recalled", "context", "delta", "html", "done"]
    assert list(dict.fromkeys(frame["type"] for frame in frames)) == order
    assert steps(frames) == [("recall", "running"), ("recall", "done"), ("model", "running"), ("model", "done")]


async def test_what_memory_gave_is_in_the_prompt_as_data_and_on_the_page(
    filled: Account, model: ScriptedModel, no_block: None
) -> None:
    entry = await know(filled, PORT)
    frames = await asked(filled, QUESTION)
    assert f"#{entry.pk} fact, " in last_said(model)
    assert f"\n| {PORT}\n</memory " in last_said(model)
    assert last_said(model).endswith(f"\n\n{QUESTION}")
    [recalled] = [frame for frame in frames if frame["type"] == "recalled"]
    assert entry.pk in [row["id"] for row in recalled["entries"]]


async def test_an_empty_memory_is_said_to_the_model_and_it_answers(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("Michelangelo did.")
    frames = await asked(ana, "Who painted the ceiling?")
    assert NO_MEMORY in last_said(model)
    assert "<memory" not in last_said(model)
    assert (text_of(frames), frames[-1]["not_answered"]) == ("Michelangelo did.", None)
    assert ("recall", "empty") in steps(frames)


async def test_memory_is_not_asked_where_that_is_off(filled: Account, model: ScriptedModel) -> None:
    await know(filled, PORT)
    with override_settings(FORGE=settings.FORGE.model_copy(update={"RECALL_AUTO": False})):
        frames = await asked(filled, QUESTION)
    assert "memory" not in last_said(model)
    assert "recalled" not in {frame["type"] for frame in frames}


async def test_recalled_text_belongs_to_its_turn_alone(filled: Account, model: ScriptedModel, no_block: None) -> None:
    await know(filled, PORT)
    model.will_answer("It is 8080.")
    first = await asked(filled, QUESTION)
    await asked(filled, "Thank you", conversation=first[0]["conversation"])
    roles = [(said["role"], said["content"]) for said in model.prompts[-1][:-1]]
    assert roles == [("system", PREAMBLE_WITH_TOOLS), ("user", QUESTION), ("assistant", "It is 8080.")]
    assert await Message.objects.filter(content__contains="<memory").acount() == 0


async def test_commands_are_answered_by_forge_and_never_sent(ana: Account, model: ScriptedModel) -> None:
    first = await asked(ana, "!help")
    assert model.prompts == []
    await asked(ana, "How do plants eat?", conversation=first[0]["conversation"])
    assert [said["role"] for said in model.prompts[-1]] == ["system", "user"]
    assert "!help" not in str(model.prompts)


async def test_what_the_built_in_responder_quoted_is_never_shown_to_a_model(
    filled: Account, model: ScriptedModel, no_block: None
) -> None:
    await know(filled, PORT)
    with override_settings(FORGE=settings.FORGE.model_copy(update={"LLM_PROVIDER": "builtin"})):
        first = await asked(filled, QUESTION)
    await asked(filled, "How do plants eat?", conversation=first[0]["conversation"])
    assert PORT in text_of(first)
    assert PORT not in str(model.prompts)
    assert QUESTION in last_said(model)


# -- saves


async def test_a_plain_save_needs_no_model(ana: Account, model: ScriptedModel) -> None:
    frames = await asked(ana, f"Remember that {PORT}.")
    assert model.prompts == []
    assert text_of(frames) == "Saved."
    assert (await answer_of(frames)).model == ""


async def test_a_save_with_more_beside_it_is_done_first_and_told(filled: Account, model: ScriptedModel) -> None:
    model.will_answer("8080 it is, a common one.")
    frames = await asked(filled, f"Remember that {PORT}. Write a haiku on it.")
    entry = await Entry.objects.alatest("id")
    order = [frame["type"] for frame in frames if frame["type"] in ("saved", "delta")]
    assert (entry.text.rstrip("."), order[0]) == (PORT, "saved")
    assert f"[saved] #{entry.pk} fact" in last_said(model)
    assert text_of(frames) == "8080 it is, a common one."


async def test_a_saved_entry_is_in_its_prompt_once(filled: Account, model: ScriptedModel) -> None:
    frames = await asked(filled, f"Remember that {PORT}. {QUESTION}")
    entry = await Entry.objects.alatest("id")
    assert str(model.prompts[-1]).count(PORT) == 1
    [recalled] = [frame for frame in frames if frame["type"] == "recalled"]
    assert {"id": entry.pk, "reason": "saved"}.items() <= recalled["dropped"][0].items()


async def test_the_model_is_told_what_was_not_saved(ana: Account, model: ScriptedModel) -> None:
    frames = await asked(ana, "Remember that bike. How do plants eat?")
    assert [frame["rule"] for frame in frames if frame["type"] == "refused"] == ["degenerate"]
    assert "[not saved] " in last_said(model)
    assert await Entry.objects.acount() == 0


async def test_nothing_is_saved_in_a_temporary_conversation(ana: Account, model: ScriptedModel) -> None:
    frames = await asked(ana, f"Remember that {PORT}. How do plants eat?", temporary=True)
    [refused] = [frame for frame in frames if frame["type"] == "refused"]
    assert (refused["rule"], refused["refusal"]) == ("temporary", None)
    assert await Entry.objects.acount() == 0


@pytest.mark.parametrize("text", [QUESTION, "I own a server in the cellar."])
async def test_what_a_model_says_is_no_memory(ana: Account, model: ScriptedModel, text: str) -> None:
    model.will_answer('{"tool": "memory", "action": "remember", "content": "Owns a server in the cellar"}')
    await asked(ana, text)
    assert await Entry.objects.acount() == 0


async def test_ten_turns_that_quote_what_was_given_add_nothing(
    filled: Account, model: ScriptedModel, no_block: None
) -> None:
    entry, before = await know(filled, PORT), await Entry.objects.acount()
    conversation = ""
    for _number in range(10):
        model.will_answer(f"Memory says: #{entry.pk} fact: {PORT}")
        conversation = (await asked(filled, QUESTION, conversation=conversation))[0]["conversation"]
    assert await Entry.objects.acount() == before
    assert model.prompts[-1][-1]["content"].count(PORT) == 1
    assert not await Message.objects.filter(indexable=True).aexists()


# -- thinking and loading


async def test_thinking_shows_as_a_step_and_leaves_no_trace(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("Plants eat light.", thinking=["CANARY of a thought", " and more"])
    frames = await asked(ana, "How do plants eat?")
    assert steps(frames)[-4:] == [
        ("model", "running"),
        ("thinking", "running"),
        ("thinking", "done"),
        ("model", "done"),
    ]
    assert "CANARY" not in str(frames)


async def test_thinking_that_was_opened_unseen_is_taken_back(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("A CANARY of a thought.\n</think>\n\nPlants eat light.")
    frames = await asked(ana, "How do plants eat?")
    after = frames[[frame["type"] for frame in frames].index("unsaid") :]
    assert text_of(after) == (await answer_of(frames)).content == "Plants eat light."
    assert "CANARY" not in str(after)


async def test_a_model_that_loads_is_waited_for_and_shown(ana: Account, model: ScriptedModel) -> None:
    model.loads()
    page = await Page(ana).open()
    await page.say("send", text="How do plants eat?")
    seen = await page.until("step")
    while (seen[-1].get("tool"), seen[-1].get("state")) != ("loading", "running"):
        seen += await page.until("step")
    model.loaded()
    frames = seen + await page.until("done")
    await page.close()
    assert ("loading", "done") in steps(frames)
    assert text_of(frames) == "OK."


async def test_what_is_forgotten_while_the_model_answers_is_stored_nowhere(
    filled: Account, model: ScriptedModel
) -> None:
    """The turn read the entry while it was there, and the model quotes it."""
    entry = await know(filled, PORT)
    model.will_answer(f"One moment. You told me that\n\n> {PORT}\n\n" + "and so on " * 20, every=0.05)
    page = await Page(filled).open()
    await page.say("send", text=QUESTION)
    frames = await page.until("delta")
    await asyncio.to_thread(forget, filled, [entry.pk], actor="person", cause="test")
    frames += await page.until("done")
    answer = await answer_of(frames)
    assert f"[forgotten #{entry.pk}]" in answer.content
    assert PORT not in answer.content
    step = await Step.objects.aget(tool="recall")
    assert PORT not in str(step.detail)
    await page.close()
