"""Tools on the wire: offered, called, answered, and refused."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest

from forgesite.lib.language_models import (
    Called,
    Ended,
    ModelFailedError,
    NoToolsError,
    Prompt,
    Said,
    Tool,
    ToolCall,
)
from forgesite.lib.learned import BELIEVED, learned
from forgesite.testing_models import MODEL, ScriptedModel, chunk
from forgesite.tests.asking import OWNS, QUESTION, answer, calls, opened, words

REMEMBER = Tool("remember", "Keep one statement.", {"type": "object", "properties": {"content": {"type": "string"}}})
ASKED = Prompt(QUESTION.messages, 64, tools=(REMEMBER,))


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


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


async def test_an_answer_in_one_piece_calls_too(model: ScriptedModel) -> None:
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "function": {"name": "remember", "arguments": json.loads(OWNS)}}],
    }
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
