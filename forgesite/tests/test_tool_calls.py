"""Tool calls in a stream, in every way that servers write them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from forgesite.lib.language_models import Called, Ended, Event, Text, ToolCall
from forgesite.testing_models import MODEL, chunk
from forgesite.tests.asking import OWNS, calls
from forgesite.tests.test_model_stream import read

DONE = b"data: [DONE]\n\n"


def piece(name: str | None = None, arguments: Any = None, **more: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {**more, "function": {key: value for key, value in function.items() if value is not None}}


def streamed(*deltas: Sequence[dict[str, Any]], finish: str = "tool_calls") -> list[Event]:
    """The events of an answer whose chunks have these `tool_calls`."""
    return read(*(chunk({"tool_calls": list(delta)}) for delta in deltas), chunk({}, finish=finish), DONE)


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
