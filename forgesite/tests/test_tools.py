"""Tools on the wire: offered, called in every way that servers have, answered, and refused."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from forgesite.lib.language_models import (
    Called,
    Ended,
    Event,
    ModelFailedError,
    NoToolsError,
    Prompt,
    Said,
    Text,
    Tool,
    ToolCall,
)
from forgesite.lib.learned import BELIEVED, learned
from forgesite.testing_models import MODEL, ScriptedModel, chunk
from forgesite.tests.asking import QUESTION, answer, opened, words
from forgesite.tests.test_model_stream import read

REMEMBER = Tool("remember", "Keep one statement.", {"type": "object", "properties": {"content": {"type": "string"}}})
ASKED = Prompt(QUESTION.messages, 64, tools=(REMEMBER,))
OWNS = '{"content": "Possède un serveur à 東京"}'
DONE = b"data: [DONE]\n\n"


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


def piece(name: str | None = None, arguments: Any = None, **more: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {**more, "function": {key: value for key, value in function.items() if value is not None}}


def streamed(*deltas: Sequence[dict[str, Any]], finish: str = "tool_calls") -> list[Event]:
    """The events of an answer whose chunks have these `tool_calls`."""
    return read(*(chunk({"tool_calls": list(delta)}) for delta in deltas), chunk({}, finish=finish), DONE)


def calls(events: Sequence[Event]) -> list[ToolCall]:
    return [event.call for event in events if isinstance(event, Called)]


async def test_tools_are_offered_in_openai_s_form(model: ScriptedModel) -> None:
    await answer(opened(model), ASKED)

    function = {"name": "remember", "description": REMEMBER.description, "parameters": dict(REMEMBER.parameters)}
    assert model.requests[-1].json["tools"] == [{"type": "function", "function": function}]


async def test_a_field_is_offered_with_one_type(model: ScriptedModel) -> None:
    fields = {"id": {"type": ["null", "integer", "string"]}, "way": {"const": "up"}, "type": {"type": "string"}}
    get = Tool("memory_get", "One entry.", {"type": "object", "properties": fields})

    await answer(opened(model, "gemini"), Prompt(QUESTION.messages, 64, tools=(get,)))

    offered = model.requests[-1].json["tools"][0]["function"]["parameters"]["properties"]
    assert offered == {"id": {"type": "integer"}, "way": {"enum": ["up"]}, "type": {"type": "string"}}


async def test_no_tools_is_no_field(model: ScriptedModel) -> None:
    await answer(opened(model))

    assert "tools" not in model.requests[-1].json


async def test_what_was_called_and_what_came_of_it_go_into_the_next_prompt(model: ScriptedModel) -> None:
    call = ToolCall("c1", "remember", OWNS, '{"google": {"thought_signature": "s"}}')
    broken = ToolCall("c2", "remember", '{"content": "Poss')
    told = (*QUESTION.messages, Said("assistant", "", (call, broken)), Said("tool", "Saved as #1.", call_id="c1"))

    await answer(opened(model), Prompt(told, 64, tools=(REMEMBER,)))

    asked, result = model.prompts[-1][-2:]
    assert result == {"role": "tool", "tool_call_id": "c1", "content": "Saved as #1."}
    assert asked == {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "remember", "arguments": OWNS},
                "extra_content": {"google": {"thought_signature": "s"}},
            },
            {"id": "c2", "type": "function", "function": {"name": "remember", "arguments": "{}"}},
        ],
    }


@pytest.mark.parametrize(("provider", "name"), [("openai", {}), ("gemini", {"name": "recall"})])
async def test_gemini_is_told_whose_result_it_is_and_strict_servers_are_not(
    model: ScriptedModel, provider: str, name: dict[str, str]
) -> None:
    told = (
        Said("user", "RAM?"),
        Said("assistant", "", (ToolCall("c1", "recall", "{}"),)),
        Said("tool", "32", call_id="c1"),
    )

    await answer(opened(model, provider), Prompt(told, 64))

    assert model.prompts[-1][-1] == {"role": "tool", "tool_call_id": "c1", "content": "32"} | name


@pytest.mark.parametrize("provider", ["openai", "llamacpp", "ollama", "gemini"])
async def test_every_provider_s_model_calls(model: ScriptedModel, provider: str) -> None:
    model.will_call(("remember", json.loads(OWNS)), ("recall", '{"query": "RAM'), text="Un instant.")

    events = await answer(opened(model, provider), ASKED)

    assert words(events) == "Un instant."
    assert calls(events) == [ToolCall("call_0", "remember", OWNS), ToolCall("call_1", "recall", '{"query": "RAM')]
    assert isinstance(events[-1], Ended)
    assert events[-1].finish == "stop"


SPLIT = [OWNS[:9], OWNS[9:20], OWNS[20:]]
ONE = {
    "in pieces": [[piece("remember", "", index=0, id="c1")], *([piece(None, part, index=0)] for part in SPLIT)],
    "in one chunk": [[piece("remember", OWNS, index=0, id="c1", type="function")]],
    "without an index": [[piece("remember", "", id="c1")], *([piece(None, part)] for part in SPLIT)],
    "the id in every piece": [
        [piece("remember", "", index=0, id="c1")],
        *([piece(None, part, index=0, id="c1")] for part in SPLIT),
    ],
    "the name in every piece": [[piece("remember", part, index=0, id="c1")] for part in SPLIT],
    "id and name apart": [[{"index": 0, "id": "c1"}], [piece("remember", index=0)], [piece(None, OWNS, index=0)]],
    "the name in pieces": [[piece("reme", index=0, id="c1")], [piece("mber", index=0)], [piece(None, OWNS, index=0)]],
    "an object for a text": [[piece("remember", json.loads(OWNS), id="c1", index=0)]],
    "the index inside": [[{"id": "c1", "function": {"index": 0, "name": "remember", "arguments": OWNS}}]],
    "no function around": [[{"index": 0, "id": "c1", "name": "remember", "arguments": OWNS}]],
    "null beside it": [[piece("remember", "", index=0, id="c1")], [], [piece(None, OWNS, index=0, id=None)]],
}


@pytest.mark.parametrize("deltas", ONE.values(), ids=ONE)
@pytest.mark.parametrize("finish", ["tool_calls", "function_call", "stop"])
def test_a_call_is_read_however_it_comes(deltas: list[list[dict[str, Any]]], finish: str) -> None:
    events = streamed(*deltas, finish=finish)

    assert events == [Called(ToolCall("c1", "remember", OWNS)), Ended("stop", MODEL)]


@pytest.mark.parametrize(
    "deltas",
    [
        [[piece("remember", OWNS, index=0, id="c1"), piece("recall", "{}", index=1, id="c2")]],
        [[piece("remember", OWNS, index=0, id="c1")], [piece("recall", "{}", index=0, id="c2")]],
        [[piece("remember", OWNS, id="c1")], [piece("recall", "", id="c2")], [piece(None, "{}", id="c2")]],
        [
            [piece("remember", "", index=0, id="c1"), piece("recall", "", index=1, id="c2")],
            [piece(None, "{", index=1), piece(None, OWNS, index=0)],
            [piece(None, "}", index=1)],
        ],
    ],
    ids=["in one chunk", "all numbered 0", "without an index", "interleaved"],
)
def test_several_calls_are_kept_apart(deltas: list[list[dict[str, Any]]]) -> None:
    assert calls(streamed(*deltas)) == [ToolCall("c1", "remember", OWNS), ToolCall("c2", "recall", "{}")]


@pytest.mark.parametrize(
    "deltas",
    [
        [[piece("remember", json.loads(OWNS))], [piece("remember", {"content": "Aime le thé"})]],
        [[piece("remember", OWNS), piece("remember", '{"content": "Aime le thé"}')]],
        [[piece("remember", OWNS, index=0, id="same"), piece("remember", '{"content": "Aime le thé"}', id="same2")]],
    ],
    ids=["objects", "texts", "an id each"],
)
def test_two_calls_of_one_tool_are_two(deltas: list[list[dict[str, Any]]]) -> None:
    found = calls(streamed(*deltas))

    assert [call.arguments for call in found] == [OWNS, '{"content": "Aime le thé"}']
    assert len({call.id for call in found}) == 2


def test_an_id_that_is_missing_is_made_and_stays_the_same() -> None:
    first, second = (calls(streamed([piece("recall", "{}"), piece("remember", OWNS)])) for _ in range(2))

    assert first == second
    assert all(call.id.isalnum() and len(call.id) == 9 for call in first)


def test_the_old_form_of_one_function_is_a_call() -> None:
    events = read(
        chunk({"function_call": {"name": "remember", "arguments": ""}}),
        *(chunk({"function_call": {"arguments": part}}) for part in SPLIT),
        chunk({}, finish="function_call"),
    )

    assert [(call.name, call.arguments) for call in calls(events)] == [("remember", OWNS)]


def test_what_the_server_wants_back_is_kept() -> None:
    signed = {"extra_content": {"google": {"thought_signature": "s"}}}

    [call] = calls(streamed([piece("recall", "{}", id="c1")], [signed]))

    assert call == ToolCall("c1", "recall", "{}", json.dumps(signed["extra_content"]))


@pytest.mark.parametrize("ending", [[chunk({}, finish="length"), DONE], []], ids=["length", "lost"])
def test_a_call_that_was_cut_is_none(ending: list[bytes]) -> None:
    pieces = [piece("recall", "{}", index=0, id="c1"), piece("remember", OWNS[:20], index=1, id="c2")]

    events = read(chunk({"tool_calls": pieces}), *ending)

    assert [call.name for call in calls(events)] == ["recall"]


def test_a_call_after_thinking_closes_the_thought() -> None:
    events = read(
        chunk({"reasoning_content": "I should save it."}),
        chunk({"tool_calls": [piece("remember", OWNS, index=0, id="c1")]}),
        chunk({}, finish="tool_calls"),
    )

    assert calls(events)
    assert events[-1] == Ended("stop", MODEL)


@pytest.mark.parametrize("garbage", [7, "no", [7], {"function": 7}, [{"function": {"arguments": "{}"}}]])
def test_a_call_without_a_name_is_none(garbage: Any) -> None:
    events = read(chunk({"tool_calls": garbage}), chunk({"content": "32 Go"}), chunk({}, finish="stop"))

    assert events == [Text("32 Go"), Ended("stop", MODEL)]


async def test_an_answer_in_one_piece_calls_too(model: ScriptedModel) -> None:
    message = {"role": "assistant", "content": None, "tool_calls": [piece("remember", json.loads(OWNS), id="c1")]}
    model.will_fail(200, {"model": MODEL, "choices": [{"message": message, "finish_reason": "tool_calls"}]})

    assert await answer(opened(model), ASKED) == [Called(ToolCall("c1", "remember", OWNS)), Ended("stop", MODEL)]


REFUSALS = [
    (400, "registry.ollama.ai/library/gemma3:4b does not support tools"),
    (500, "tools param requires --jinja flag"),
    (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    (404, "No endpoints found that support tool use."),
    (422, '[{"type": "extra_forbidden", "loc": ["body", "tools"], "msg": "Extra inputs are not permitted"}]'),
    (400, "Unrecognized request argument supplied: tools"),
    (400, "Function calling is not enabled for this model"),
    (200, f"{MODEL} does not support tools"),
]


@pytest.mark.parametrize(("status", "message"), REFUSALS)
async def test_a_server_without_tools_is_known_from_then_on(model: ScriptedModel, status: int, message: str) -> None:
    model.will_refuse_tools(status, message)
    assert opened(model).takes_tools()

    with pytest.raises(NoToolsError) as raised:
        await answer(opened(model), ASKED)

    assert raised.value.cause.startswith(message[:40])
    assert not opened(model).takes_tools()
    assert opened(model, model="another").takes_tools()
    assert words(await answer(opened(model))) == "OK."


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "This model's maximum context length is 4097 tokens; you asked 4500 (4000 messages, 500 in the tools)."),
        (500, "Failed to parse tool call arguments as JSON"),
        (401, "This key may not use tools."),
        (500, "out of memory"),
        (404, "The model `toolbox` was not found"),
    ],
)
async def test_another_failure_says_nothing_of_tools(model: ScriptedModel, status: int, message: str) -> None:
    model.will_refuse_tools(status, message)

    with pytest.raises(ModelFailedError) as raised:
        await answer(opened(model), ASKED)

    assert not isinstance(raised.value, NoToolsError)
    assert opened(model).takes_tools()


async def test_a_refusal_after_the_first_word_is_a_failure(model: ScriptedModel) -> None:
    model.will_send([chunk({"content": "Un"}), b'data: {"error": {"message": "tools broke"}}\n\n'])

    with pytest.raises(ModelFailedError) as raised:
        await answer(opened(model), ASKED)

    assert not isinstance(raised.value, NoToolsError)


async def test_a_field_that_is_refused_is_left_out_before_the_tools_are(model: ScriptedModel) -> None:
    model.will_refuse_tools(400, "Unsupported: stream_options, tools")
    model.will_refuse_tools(400, "Unsupported: tools")

    with pytest.raises(NoToolsError):
        await answer(opened(model), ASKED)

    assert "stream_options" not in model.requests[-1].json


async def test_a_refusal_is_believed_for_an_hour(model: ScriptedModel) -> None:
    model.will_refuse_tools()
    with pytest.raises(NoToolsError):
        await answer(opened(model), ASKED)

    held = learned().tools
    held |= {known: (takes, since - BELIEVED) for known, (takes, since) in held.items()}

    assert opened(model).takes_tools()


def test_outside_a_loop_nothing_is_known(model: ScriptedModel) -> None:
    model.will_refuse_tools()
    with pytest.raises(NoToolsError):
        asyncio.run(answer(opened(model), ASKED))

    assert opened(model).takes_tools()


async def test_a_server_that_loads_is_looked_at_once_it_has_loaded(model: ScriptedModel) -> None:
    model.capabilities = {"supports_tools": False}
    model.loads()
    asking = asyncio.create_task(answer(opened(model, "llamacpp"), ASKED))
    await asyncio.sleep(0.2)
    model.loaded()

    with pytest.raises(NoToolsError):
        await asking


@pytest.mark.parametrize("provider", ["openai", "llamacpp"])
async def test_llama_cpp_leaves_tools_out_in_silence_and_is_not_asked_with_them(
    model: ScriptedModel, provider: str
) -> None:
    model.capabilities = {"supports_tools": False, "supports_tool_calls": False}

    for _ in range(2):
        with pytest.raises(NoToolsError, match="template"):
            await answer(opened(model, provider), ASKED)

    assert not opened(model, provider).takes_tools()
    assert model.sent_to("/v1/chat/completions") == []
    assert len(model.sent_to("/props")) == 1
