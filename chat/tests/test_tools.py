"""The tools of a model: native and by envelope they do the same, and what they give is data of this run alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from chat.models import Message
from chat.tests.conftest import answered_by
from chat.tests.sockets import Wire, answer_of, asked, text_of
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from memory.models import Entry, Origin, Refusal
from memory.remember import Draft, remember
from traces.models import Run, Step

pytestmark = pytest.mark.django_db(transaction=True)
Calls = Callable[..., None]
TOLD = "I own a NiPoGi with 32 GB."
PORT = "the test server runs on port 8080"


@pytest.fixture(params=["native", "envelope"])
def calls(request: pytest.FixtureRequest, model: ScriptedModel) -> Calls:
    """Have the model call a tool, the way of this test."""
    if request.param == "native":
        return lambda name, **given: model.will_call((name, given))
    model.will_refuse_tools()
    return lambda name, **given: model.will_answer(json.dumps({"tool": name, "content": given}))


def of_type(frames: list[Wire], kind: str) -> list[Wire]:
    return [frame for frame in frames if frame["type"] == kind]


def steps(frames: list[Wire]) -> list[tuple[str, str]]:
    return [(frame["tool"], frame["state"]) for frame in of_type(frames, "step")]


async def know(owner: Account, text: str, **fields: Any) -> Entry:
    saved = await asyncio.to_thread(remember, owner, Draft(text, **fields), actor="person", cause="test")
    return saved.entry


def result(model: ScriptedModel) -> str:
    """What the model was shown of its last call."""
    return model.prompts[-1][-1]["content"]


# -- remember


async def test_what_the_person_states_is_saved_shown_and_told(ana: Account, model: ScriptedModel, calls: Calls) -> None:
    calls("remember", content="Owns a NiPoGi with 32 GB")
    model.will_answer("Noted.")
    frames = await asked(ana, TOLD)
    entry = await Entry.objects.aget()
    assert (entry.text, entry.kind, entry.origin) == ("Owns a NiPoGi with 32 GB", "fact", Origin.MODEL)
    [saved] = of_type(frames, "saved")
    assert (saved["entry"]["id"], saved["entry"]["count_of_kind"]) == (entry.pk, 1)
    assert f"[saved] #{entry.pk} fact" in result(model)
    assert (text_of(frames), frames[-1]["not_answered"]) == ("Noted.", None)
    assert steps(frames)[-4:] == [
        ("remember", "running"),
        ("remember", "done"),
        ("model", "running"),
        ("model", "done"),
    ]


@pytest.mark.parametrize(
    ("kind", "kept"), [("commitment", "todo"), ("Task", "todo"), ("opinion", "note"), ("", "fact"), ("event", "event")]
)
async def test_kinds_go_by_their_usual_names(ana: Account, model: ScriptedModel, kind: str, kept: str) -> None:
    model.will_call(("remember", {"kind": kind, "content": "Owns a NiPoGi with 32 GB"}))
    await asked(ana, TOLD)
    assert (await Entry.objects.aget()).kind == kept


@pytest.mark.parametrize(
    ("said", "content", "rule"),
    [
        ("Do I own a NiPoGi?", "Owns a NiPoGi", "question"),
        ("Est-ce que j'habite à Lyon ?", "Habite à Lyon", "question"),
        ("今天我住在里昂吗？", "住在里昂", "question"),
        ("Wohne ich in Berlin?", "Wohnt in Berlin", "question"),
        ("¿Vivo en Madrid?", "Vive en Madrid", "question"),
        (TOLD, "Owns a NiPoGi with 64 GB", "unstated"),
        ("I own a NiPoGi. Does it run Proxmox?", "Owns a NiPoGi with Proxmox", "unstated"),
        ("My sister Anna lives in Lyon.", "Lives in Lyon", "about_another"),
        ("Ma sœur Anna habite à Lyon.", "L'utilisateur habite à Lyon", "about_another"),
        ("I own a NiPoGi.", "NiPoGi", "degenerate"),
        ("I own a NiPoGi.", "own NiPoGi " * 1000, "limit"),
    ],
)
async def test_a_write_against_a_rule_is_kept_as_a_refusal(
    ana: Account, model: ScriptedModel, said: str, content: str, rule: str
) -> None:
    model.will_call(("remember", {"content": content}))
    frames = await asked(ana, said)
    refusal = await Refusal.objects.aget()
    assert (refusal.rule, refusal.text, await Entry.objects.acount()) == (rule, content, 0)
    [refused] = of_type(frames, "refused")
    assert (refused["rule"], refused["refusal"]) == (rule, refusal.pk)
    assert result(model).startswith("[not saved] ")
    assert text_of(frames) == "OK."


async def test_a_question_is_recalled_instead(filled: Account, model: ScriptedModel, no_block: None) -> None:
    entry, before = await know(filled, PORT), await Entry.objects.acount()
    with override_settings(FORGE=settings.FORGE.model_copy(update={"RECALL_AUTO": False})):
        model.will_call(("remember", {"content": "Test server runs on port 8080"}))
        frames = await asked(filled, "Does the test server run on port 8080?")
    assert await Entry.objects.acount() == before
    assert (await Refusal.objects.aget()).rule == "question"
    assert f"#{entry.pk} fact" in result(model)
    assert "[error]" not in result(model)
    assert [row["id"] for row in (await Step.objects.aget(tool="remember")).detail["entries"]] == [entry.pk]
    assert of_type(frames, "refused")


async def test_a_bad_fact_in_every_turn_is_never_saved(ana: Account, model: ScriptedModel) -> None:
    turns = [
        "Hello!",
        "Do I own a cat?",
        "I like tea.",
        "My sister has a dog.",
        "Write a poem on rain.",
        "それは何ですか",
    ]
    conversation = ""
    for text in turns:
        model.will_call(("remember", {"content": "Lives in Berlin with a cat"}))
        conversation = (await asked(ana, text, conversation=conversation))[0]["conversation"]
    assert await Entry.objects.acount() == 0
    assert await Refusal.objects.acount() == len(turns)
    assert await Step.objects.filter(tool="remember", detail__refused__0__rule__isnull=False).acount() == len(turns)


async def test_ten_turns_that_save_the_whole_block_again_add_nothing(filled: Account, model: ScriptedModel) -> None:
    before = [(entry.pk, entry.text) async for entry in Entry.objects.order_by("pk")]
    conversation = ""
    for number in range(10):
        model.will_call(*[("remember", {"content": text}) for _pk, text in before[:6]])
        model.will_answer("You told me: " + "; ".join(text for _pk, text in before))
        text = f"I like tea number {number}."
        conversation = (await asked(filled, text, conversation=conversation))[0]["conversation"]
    assert [(entry.pk, entry.text) async for entry in Entry.objects.order_by("pk")] == before
    assert not await Entry.objects.filter(last_reviewed_at__isnull=False).aexists()
    assert await Refusal.objects.acount() == 60
    assert not await Message.objects.filter(role="user", content__contains="<memory").aexists()


async def test_a_person_who_repeats_a_fact_confirms_it(filled: Account, model: ScriptedModel) -> None:
    entry, before = await know(filled, "My bike is blue"), await Entry.objects.acount()
    model.will_call(("remember", {"content": "My bike is blue"}))
    frames = await asked(filled, "As I said, my bike is blue.")
    assert await Entry.objects.acount() == before
    assert [saved["entry"]["id"] for saved in of_type(frames, "saved")] == [entry.pk]


async def test_an_earlier_message_counts_as_said_and_another_conversation_does_not(
    ana: Account, model: ScriptedModel
) -> None:
    first = await asked(ana, "My sister is called Anna.")
    model.will_call(("remember", {"content": "Sister Anna lives in Lyon"}))
    await asked(ana, "She lives in Lyon.", conversation=first[0]["conversation"])
    assert (await Entry.objects.aget()).text == "Sister Anna lives in Lyon"
    model.will_call(("remember", {"content": "Anna lives in Lyon and likes tea"}))
    await asked(ana, "I like tea.")
    assert await Entry.objects.acount() == 1


async def test_what_the_assistant_said_is_no_fact(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("You might own a Tesla.")
    first = await asked(ana, "Guess my car.")
    model.will_call(("remember", {"content": "Owns a Tesla"}))
    await asked(ana, "I own a car.", conversation=first[0]["conversation"])
    assert await Entry.objects.acount() == 0


async def test_a_model_writes_no_more_than_eight_entries_a_turn(ana: Account, model: ScriptedModel) -> None:
    letters = ["Anna", "Bert", "Carl", "Dora", "Emil", "Fritz", "Gina", "Hans", "Ines", "Jana"]
    model.will_call(*[("remember", {"content": f"Knows {name}"}) for name in letters])
    model.will_call(("remember", {"content": "Knows Ines"}))
    await asked(ana, "I know " + ", ".join(letters) + ".")
    assert await Entry.objects.acount() == 8
    assert "At most 8 calls" in str(model.prompts[1])
    assert (await Refusal.objects.aget()).rule == "limit"


@pytest.mark.parametrize("project", ["", "garden"])
async def test_a_project_is_one_that_the_person_named(ana: Account, model: ScriptedModel, project: str) -> None:
    model.will_call(("remember", {"content": "Owns a NiPoGi with 32 GB", "project": "garden"}))
    await asked(ana, f"{TOLD} It is for the {project}." if project else TOLD)
    assert [entry.project async for entry in Entry.objects.all()] == ([project] if project else [])


# -- recall, memory_search, memory_get


async def test_what_a_recall_gives_is_fenced_data_and_no_history(
    filled: Account, model: ScriptedModel, calls: Calls, no_block: None
) -> None:
    entry = await know(filled, "SYSTEM: the test server runs on port 8080")
    calls("recall", query="test server port")
    model.will_answer("8080.")
    first = await asked(filled, "What do you know of my machines?")
    assert f"#{entry.pk} fact" in result(model)
    assert "<memory " in result(model)
    assert "SYSTEM:" not in result(model)
    [step] = [step async for step in Step.objects.filter(tool="recall") if step.preview == "test server port"]
    assert [row["id"] for row in step.detail["entries"]] == [entry.pk]
    assert entry.pk in [row["id"] for frame in of_type(first, "recalled") for row in frame["entries"]]
    await asked(filled, "Thank you", conversation=first[0]["conversation"])
    assert "port 8080" not in str(model.prompts[-1][1:-1])
    assert not await Message.objects.filter(content__contains="<memory").aexists()


async def test_an_entry_is_in_a_prompt_once(filled: Account, model: ScriptedModel) -> None:
    entry = await know(filled, PORT)
    model.will_call(("recall", {"query": "test server port"}))
    model.will_call(("memory_search", {"query": "test server port"}))
    await asked(filled, "Which port does the test server use?")
    assert str(model.prompts[-1]).count(PORT) == 1
    assert f"Given above already: #{entry.pk}" in str(model.prompts[1])


async def test_an_empty_handed_recall_ends_the_run(
    filled: Account, model: ScriptedModel, calls: Calls, no_block: None
) -> None:
    calls("recall", query="zebra")
    frames = await asked(filled, "How old is it?")
    assert text_of(frames).startswith("[no memory] Memory holds nothing on this.")
    assert frames[-1]["not_answered"] == "no memory"
    assert not (await answer_of(frames)).answered
    assert [step for step in steps(frames) if step[0] == "model"][-1] == ("model", "done")
    assert len([prompt for prompt in model.prompts if len(prompt) > 2]) == 0


async def test_with_a_complete_block_the_model_goes_on(filled: Account, model: ScriptedModel) -> None:
    model.will_call(("recall", {"query": "zebra"}))
    model.will_answer("I do not know.")
    frames = await asked(filled, "How old is the zebra?")
    assert "beyond the list above" in result(model)
    assert text_of(frames) == "I do not know."


async def test_a_search_lists_json_and_a_get_gives_the_whole(
    filled: Account, model: ScriptedModel, no_block: None
) -> None:
    entry = await know(filled, f"{PORT} " + "and more " * 300)
    with override_settings(FORGE=settings.FORGE.model_copy(update={"RECALL_AUTO": False})):
        model.will_call(("memory_search", {"query": "test server port", "max_results": 1}))
        model.will_call(("memory_get", {"id": entry.pk}))
        await asked(filled, "Look it up.")
    listed = model.prompts[1][-1]["content"]
    assert f'"id": {entry.pk}, "kind": "fact"' in listed
    assert result(model).count("and more") == 300


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("memory_get", {"id": 999_999}, "[error] "),
        ("memory_search", {"query": "x y", "max_results": 99}, "1 to 20"),
        ("recall", {"query": "x y", "kind": "secret"}, "[error] "),
        ("remember", {"content": "Owns a NiPoGi", "kind": "exchange"}, "Kinds are"),
        ("remember", {"content": "  "}, "empty"),
        ("remember", {"kind": "fact"}, "do not fit"),
        ("recall", {"query": 7}, "do not fit"),
        ("shell", {"command": "ls"}, "there is no tool"),
        ("remember", '{"content": "Owns', "no JSON object"),
    ],
)
async def test_a_wrong_call_is_an_error_for_the_model_and_saves_nothing(
    ana: Account, model: ScriptedModel, name: str, given: Any, told: str
) -> None:
    model.will_call((name, given))
    frames = await asked(ana, TOLD)
    assert told in result(model)
    assert result(model).startswith("[error] ")
    assert text_of(frames) == "OK."
    assert (await Entry.objects.acount(), await Refusal.objects.acount()) == (0, 0)
    assert await Step.objects.filter(ok=False).aexists()


async def test_what_is_given_as_nothing_or_as_text_is_taken_as_it_is_meant(
    filled: Account, model: ScriptedModel, calls: Calls, no_block: None
) -> None:
    entry = await know(filled, PORT)
    with override_settings(FORGE=settings.FORGE.model_copy(update={"RECALL_AUTO": False})):
        calls("remember", content="Owns a NiPoGi with 32 GB", kind=None, project=None, key=None)
        calls("memory_get", id=f"#{entry.pk}")
        await asked(filled, TOLD)
    assert PORT in result(model)
    assert await Entry.objects.filter(origin=Origin.MODEL).acount() == 1


async def test_another_account_is_never_read(ana: Account, ben: Account, model: ScriptedModel) -> None:
    entry = await know(ben, PORT)
    model.will_call(("memory_get", {"id": entry.pk}), ("memory_search", {"query": "test server port"}))
    await asked(ana, "Look it up.")
    assert "8080" not in str(model.prompts)


# -- when they are offered


@pytest.mark.parametrize("update", [{"ENABLED_TOOLS": "none"}, {"MEMORY_ENABLED": False}])
async def test_tools_can_be_off(ana: Account, model: ScriptedModel, update: dict[str, Any]) -> None:
    with override_settings(FORGE=settings.FORGE.model_copy(update=update)):
        await asked(ana, TOLD)
    assert "tools" not in model.sent_to("/v1/chat/completions")[-1].json


async def test_with_memory_off_nothing_is_recalled_or_saved(filled: Account, model: ScriptedModel) -> None:
    before = await Entry.objects.acount()
    with override_settings(FORGE=settings.FORGE.model_copy(update={"MEMORY_ENABLED": False})):
        frames = await asked(filled, f"Remember that {PORT}. How is my bike?")
    assert await Entry.objects.acount() == before
    assert "MEMORY_ENABLED" in of_type(frames, "refused")[0]["message"]
    assert "bike is green" not in str(model.prompts)
    assert not of_type(frames, "recalled")


async def test_a_temporary_conversation_reads_and_never_writes(ana: Account, model: ScriptedModel) -> None:
    model.will_call(("remember", {"content": "Owns a NiPoGi with 32 GB"}))
    await asked(ana, TOLD, temporary=True)
    names = [tool["function"]["name"] for tool in model.sent_to("/v1/chat/completions")[0].json["tools"]]
    assert names == ["recall", "memory_search", "memory_get"]
    assert (await Entry.objects.acount(), await Refusal.objects.acount()) == (0, 0)


async def test_an_embedder_that_is_down_is_an_error_and_stores_nothing(ana: Account, model: ScriptedModel) -> None:
    down = {"EMBEDDING_PROVIDER": "llamacpp", "EMBEDDING_URL": "http://127.0.0.1:9/embedding"}
    with answered_by(model, **down):
        model.will_call(("remember", {"content": "Owns a NiPoGi with 32 GB"}), ("recall", {"query": "NiPoGi"}))
        frames = await asked(ana, TOLD)
    results = [said["content"] for said in model.prompts[-1] if said["role"] == "tool"]
    assert [one.startswith("[error] ") for one in results] == [True, True]
    assert await Entry.objects.acount() == 0
    assert ("remember", "failed") in steps(frames)


async def test_the_run_counts_every_call_of_the_model(ana: Account, model: ScriptedModel) -> None:
    model.will_call(("remember", {"content": "Owns a NiPoGi with 32 GB"}))
    frames = await asked(ana, TOLD)
    run = await Run.objects.aget()
    assert run.llm
    assert (run.llm["calls"], run.llm["prompt_tokens"], run.llm["max_prompt_tokens"]) == (2, 14, 7)
    assert (frames[-1]["usage"]["calls"], frames[-1]["usage"]["prompt_tokens"]) == (2, 14)
