"""A model server's errors are never an answer: what is told, what is kept, and how soon."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client, override_settings

from chat.models import Conversation, Message, Role, State
from chat.tests.conftest import answered_by
from chat.tests.sockets import asked, text_of
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel, chunk, stream
from memory.models import Entry, Refusal
from traces.models import Run

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "How do plants eat?"
FAILURE = {"error": {"code": 500, "message": "CUDA out of memory", "type": "server_error"}}
PAGE = "<!doctype html><html><head><title>Router login</title></head><body>Sign in</body></html>"


def in_stream(model: ScriptedModel) -> None:
    model.will_send([chunk({"content": "Plants "}), f"data: {json.dumps(FAILURE)}\n\n".encode()])


def dropped(model: ScriptedModel) -> None:
    async def script(_request: Any, wire: Any) -> None:
        await wire.head(content_type="text/event-stream")
        await wire.write(chunk({"content": "Plants "}))
        wire._writer.transport.abort()

    model._script.append(script)


FAILURES: dict[str, tuple[Callable[[ScriptedModel], None], str, str, str]] = {
    "an error inside a stream": (in_stream, "model_server_error", "CUDA out of memory", "Plants "),
    "an error inside a 200": (lambda model: model.will_fail(200, FAILURE), "model_server_error", "CUDA", ""),
    "a page": (lambda model: model.will_fail(200, PAGE), "model_not_a_model", "no model server", ""),
    "a 500 of words": (lambda model: model.will_fail(500, "Internal Server Error"), "model_server_error", "log", ""),
    "a refused key": (lambda model: model.will_fail(401, {"error": "no"}), "model_denied", "LLM_API_KEY", ""),
    "too many": (
        lambda model: model.will_fail(429, {"error": {"message": "slow down"}}, retry_after="17"),
        "model_rate_limited",
        "in 17 s",
        "",
    ),
    "too long": (
        lambda model: model.will_fail(400, {"error": {"message": "the request exceeds the available context size"}}),
        "model_too_long",
        "LLM_CONTEXT",
        "",
    ),
    "another model": (
        lambda model: model.will_fail(404, {"error": {"message": "model 'x' not found"}}),
        "model_unknown_model",
        "LLM_MODEL",
        "",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
async def test_a_failure_is_told_in_plain_words_and_is_no_answer(ana: Account, model: ScriptedModel, name: str) -> None:
    fails, code, words, partial = FAILURES[name]
    fails(model)
    frames = await asked(ana, QUESTION)
    failed = frames[-1]
    assert (failed["type"], failed["code"], failed["partial"]) == ("failed", code, partial)
    assert words in failed["message"]
    answer = await Message.objects.aget(role=Role.ASSISTANT)
    assert (answer.state, answer.answered, answer.content) == (State.FAILED, False, partial)
    run = await Run.objects.aget()
    assert (run.ok, run.error and run.error["code"]) == (False, code)


async def test_a_failure_names_no_conversation_and_enters_nothing(ana: Account, model: ScriptedModel) -> None:
    model.will_fail(500, FAILURE)
    await asked(ana, "I keep bees in the garden.")
    assert (await Conversation.objects.aget()).title == "I keep bees in the garden."
    assert (await Entry.objects.acount(), await Refusal.objects.acount()) == (0, 0)
    assert not await Message.objects.filter(indexable=True).aexists()


async def test_what_failed_is_not_shown_to_the_model_again(ana: Account, model: ScriptedModel) -> None:
    in_stream(model)
    first = await asked(ana, QUESTION)
    await asked(ana, "And fungi?", conversation=first[0]["conversation"])
    assert "CUDA" not in str(model.prompts[-1])
    assert [said["role"] for said in model.prompts[-1]] == ["system", "user"]


async def test_a_connection_that_breaks_keeps_what_came(ana: Account, model: ScriptedModel) -> None:
    dropped(model)
    frames = await asked(ana, QUESTION)
    assert (frames[-1]["code"], frames[-1]["partial"]) == ("model_dropped", "Plants ")


async def test_a_stream_that_ends_unsaid_is_marked_broken_off(ana: Account, model: ScriptedModel) -> None:
    model.will_send([chunk({"content": "Plants "})])
    frames = await asked(ana, QUESTION)
    answer = await Message.objects.aget(role=Role.ASSISTANT)
    assert (frames[-1]["type"], frames[-1]["not_answered"]) == ("done", "broken off")
    assert (answer.state, answer.answered, answer.content) == (State.CUT, False, "Plants ")


@pytest.mark.parametrize(
    ("pieces", "why"),
    [
        (stream([]), "empty"),
        (stream(["[error] no tool"]), "non-answer"),
        (stream([], thinking=["CANARY"]), "only thought"),
        (stream(["<thi", "nk>CANARY and no end"]), "only thought"),
    ],
)
async def test_what_says_nothing_is_no_answer(
    ana: Account, model: ScriptedModel, pieces: list[bytes], why: str
) -> None:
    model.will_send(pieces)
    frames = await asked(ana, QUESTION)
    assert (frames[-1]["type"], frames[-1]["not_answered"]) == ("done", why)
    assert not (await Message.objects.aget(role=Role.ASSISTANT)).answered


async def test_nobody_there_is_told_within_three_seconds(ana: Account) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with override_settings(FORGE=settings.FORGE.model_copy(update={"LLM_PROVIDER": "openai", "LLM_URL": url})):
        since = time.monotonic()
        frames = await asked(ana, QUESTION)
    assert time.monotonic() - since < 3
    assert (frames[-1]["code"], url in frames[-1]["message"]) == ("model_unreachable", True)


async def test_a_silent_server_ends_at_the_time_that_is_set(ana: Account) -> None:
    with ScriptedModel() as model, answered_by(model, LLM_TIMEOUT=0.5):
        model.will_hang()
        since = time.monotonic()
        frames = await asked(ana, QUESTION)
    assert frames[-1]["code"] == "model_timeout"
    assert 0.5 <= time.monotonic() - since < 3
    assert "0.5 seconds" in frames[-1]["message"]


async def test_a_failure_is_told_in_the_persons_language(ana: Account, model: ScriptedModel) -> None:
    model.will_fail(401, {"error": "no"})
    frames = await asked(ana, "Comment mangent les plantes ?")
    assert "n’a pas accepté la clé" in frames[-1]["message"]


async def test_the_next_message_after_a_failure_is_answered(ana: Account, model: ScriptedModel) -> None:
    model.will_fail(500, FAILURE)
    first = await asked(ana, QUESTION)
    assert text_of(await asked(ana, QUESTION, conversation=first[0]["conversation"])) == "OK."


@pytest.mark.parametrize(
    "pieces",
    [
        stream(["Plants ", "eat light."], thinking=["CANARY", " of a thought"]),
        stream(["<THI", "NK>CANARY of a thought</thi", "nk>Plants eat light."]),
        stream(["<think>CANARY of a thought"]),
    ],
)
async def test_a_thought_is_in_no_column_and_no_later_prompt(
    ana: Account, model: ScriptedModel, pieces: list[bytes]
) -> None:
    from asgiref.sync import sync_to_async

    model.will_send(pieces)
    first = await asked(ana, QUESTION)
    await asked(ana, "And fungi?", conversation=first[0]["conversation"])
    assert "CANARY" not in str(first)
    assert "CANARY" not in str(model.prompts)
    assert await sync_to_async(columns_with)("CANARY") == []


def columns_with(text: str) -> list[str]:
    """Every column of every table, its trace lines too, that holds the text."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
        for (table,) in cursor.fetchall():
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                found += [f"{table}.{name}" for name, value in zip(names, row, strict=True) if text in str(value)]
    return found


def test_rest_says_a_failure_with_the_text_so_far(ana: Account, model: ScriptedModel) -> None:
    in_stream(model)
    client = Client()
    client.force_login(ana)
    answer = client.post("/chat", {"message": QUESTION}, content_type="application/json")
    told = answer.json()
    assert (answer.status_code, told["ok"], told["error"]["code"]) == (200, False, "model_server_error")
    assert (told["output"], told["message_id"] > 0) == ("Plants ", True)
