"""What a model server's failures are told for."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

from forgesite.lib.language_models import (
    Ended,
    ModelFailedError,
    Text,
)
from forgesite.lib.model_doors import door
from forgesite.testing_models import MODEL, ScriptedModel, chunk, stream
from forgesite.tests.asking import KEY, QUESTION, answer, failure, opened, words


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


@pytest.mark.parametrize(
    ("status", "body", "failed", "cause"),
    [
        (200, "<!DOCTYPE html><title>My router</title>", "not_a_model", "an HTML page: My router"),
        (200, {"error": {"message": "the slot crashed"}}, "server_error", "the slot crashed"),
        (200, {"hello": "world"}, "not_a_model", '{"hello": "world"}'),
        (200, [1], "not_a_model", "[1]"),
        (301, "<html>", "not_a_model", ""),
        (400, {"error": {"message": "API key not valid"}}, "denied", "API key not valid"),
        (400, {"error": "the request exceeds the available context size"}, "too_long", "context size"),
        (400, {"error": {"message": "bad roles"}}, "refused", "bad roles"),
        (401, {"error": {"message": "Incorrect API key"}}, "denied", "Incorrect API key"),
        (403, "<html><body>Forbidden</body></html>", "denied", "Forbidden"),
        (404, {"error": {"message": 'model "x" not found, try pulling it first'}}, "unknown_model", "pulling"),
        (404, "<html><title>404 Not Found</title>", "not_a_model", "404 Not Found"),
        (413, "<html><title>Too large</title>", "too_long", "Too large"),
        (429, [{"error": {"code": 429, "message": "slow down"}}], "rate_limited", "slow down"),
        (500, {"error": "prompt is longer than the context window"}, "too_long", "context window"),
        (500, "<html><title>Oops</title>", "server_error", "Oops"),
        (503, {"error": {"message": "overloaded"}}, "server_error", "overloaded"),
    ],
)
async def test_a_refusal_is_told_for_what_it_is(
    model: ScriptedModel, status: int, body: Any, failed: str, cause: str
) -> None:
    for _ in range(2):  # once more without `stream_options`
        model.will_fail(status, body)

    error = await failure(opened(model))

    assert (error.failure, error.url) == (failed, model.url)
    assert cause in error.cause


async def test_an_error_in_a_list_is_found(model: ScriptedModel) -> None:
    model.will_fail(429, [{"error": {"code": 429, "message": "slow down"}}])

    assert (await failure(opened(model))).cause == "slow down"


async def test_a_rate_limit_says_when_to_come_back(model: ScriptedModel) -> None:
    model.will_fail(429, {"error": "slow down"}, retry_after="17")
    assert (await failure(opened(model))).retry_after == 17.0

    model.will_fail(429, {"error": "slow down"}, retry_after="Wed, 21 Oct 2015 07:28:00 GMT")
    assert (await failure(opened(model))).retry_after == 0.0


async def test_a_field_that_is_refused_is_left_out_from_then_on(model: ScriptedModel) -> None:
    model.will_fail(400, {"error": {"message": "Extra inputs are not permitted"}})

    for _ in range(2):
        assert words(await answer(opened(model))) == "OK."

    asked = [request.json for request in model.sent_to("/v1/chat/completions")]
    assert ["stream_options" in body for body in asked] == [True, False, False]


async def test_a_refused_limit_gets_its_other_name(model: ScriptedModel) -> None:
    model.will_fail(
        400, {"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model."}}
    )

    await answer(opened(model))

    assert model.requests[-1].json["max_completion_tokens"] == 64
    assert "max_tokens" not in model.requests[-1].json


async def test_what_was_said_before_a_failure_stands(model: ScriptedModel) -> None:
    model.will_send([chunk({"content": "Le NiPoGi `"}), b'data: {"error": {"message": "out of memory"}}\n\n'])
    events = opened(model).stream(QUESTION)

    assert words([await anext(events), await anext(events)]) == "Le NiPoGi `"
    with pytest.raises(ModelFailedError, match="out of memory"):
        await anext(events)


async def test_a_connection_that_breaks_is_dropped(model: ScriptedModel) -> None:
    model.will_send([chunk({"content": "Le NiPoGi"})], end=False)

    assert (await failure(opened(model))).failure == "dropped"


async def test_one_that_breaks_behind_the_end_breaks_nothing(model: ScriptedModel) -> None:
    model.will_send([chunk({"content": "32 Go"}, finish="stop")], end=False)

    assert await answer(opened(model)) == [Text("32 Go"), Ended("stop", MODEL)]


async def test_a_server_that_never_closes_does_not_hold_the_answer(model: ScriptedModel) -> None:
    model.will_send(stream(["32 Go"]), hang=True)
    since = time.monotonic()

    assert (await answer(opened(model)))[-1] == Ended("stop", MODEL, 7, 1)
    assert time.monotonic() - since < 1


@pytest.mark.parametrize("before", [[], [chunk({"content": "Le"})]])
async def test_a_silent_server_ends_at_the_timeout(model: ScriptedModel, before: list[bytes]) -> None:
    model.will_send(before, hang=True)

    assert (await failure(opened(model, timeout=0.3))).failure == "timeout"


async def test_a_server_that_takes_the_question_and_is_silent_ends_at_the_timeout(model: ScriptedModel) -> None:
    model.will_hang()

    assert (await failure(opened(model, timeout=0.3))).failure == "timeout"


async def test_where_nobody_listens_is_known_at_once() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        since = time.monotonic()

        error = await failure(door("openai", f"http://127.0.0.1:{taken.getsockname()[1]}", model=MODEL))

    assert error.failure == "unreachable"
    assert time.monotonic() - since < 1


async def test_where_nobody_answers_is_known_in_three_seconds() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:  # nobody accepts them: the next one is not even refused
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        since = time.monotonic()
        error = await failure(door("openai", f"http://127.0.0.1:{full.getsockname()[1]}", model=MODEL, timeout=30))
        for one in waiting:
            one.close()

    assert error.failure == "unreachable"
    assert time.monotonic() - since < 4


async def test_a_host_without_a_name_is_unreachable() -> None:
    assert (await failure(door("openai", "http://nobody.invalid", model=MODEL))).failure == "unreachable"


async def test_what_speaks_no_http_is_no_model() -> None:
    async def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example.org ESMTP\r\n")
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        assert (await failure(door("openai", f"http://127.0.0.1:{port}", model=MODEL))).failure in (
            "not_a_model",
            "dropped",
        )


async def test_the_key_is_in_no_error_no_repr_and_no_log(model: ScriptedModel, caplog: Any) -> None:
    caplog.set_level(logging.DEBUG)
    model.will_fail(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}})
    there = opened(model, key=f"{KEY}\n")

    error = await failure(there)

    assert model.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(there) + repr(error) + error.cause + caplog.text


async def test_a_password_in_the_address_is_used_and_not_shown(model: ScriptedModel) -> None:
    there = door("openai", model.url.replace("http://", "http://ana:secret@"), model=MODEL)
    model.will_fail(500, {"error": "no"})

    error = await failure(there)

    assert model.requests[0].headers["authorization"].startswith("Basic ")
    assert "secret" not in there.url + repr(there) + repr(error)
