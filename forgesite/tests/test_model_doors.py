"""The doors to model servers, over a wire that answers as real servers do."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator
from contextlib import suppress

import pytest

from forgesite.lib.language_models import (
    Ended,
    ModelFailedError,
    Prompt,
    Text,
    Thinking,
    Unsaid,
)
from forgesite.lib.model_doors import PROVIDERS, close, door
from forgesite.testing_models import MODEL, ScriptedModel, stream
from forgesite.tests.asking import KEY, QUESTION, answer, failure, opened, words


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


@pytest.mark.parametrize("provider", ["openai", "llamacpp", "ollama", "gemini"])
async def test_every_provider_streams_an_answer(model: ScriptedModel, provider: str) -> None:
    model.will_answer("Le NiPoGi a 32 Go 🎉", thinking=["Hmm."])

    events = await answer(opened(model, provider))

    assert events[0] == Thinking("Hmm.")
    assert words(events) == "Le NiPoGi a 32 Go 🎉"
    assert events[-1] == Ended("stop", MODEL, 7, 5)


async def test_a_request_has_a_limit_and_asks_for_the_counts(model: ScriptedModel) -> None:
    await answer(opened(model, key=KEY))

    sent = model.requests[-1]
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert sent.json == {
        "model": MODEL,
        "messages": [{"role": said.role, "content": said.content} for said in QUESTION.messages],
        "max_tokens": 64,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


async def test_a_schema_and_a_temperature_go_with_it(model: ScriptedModel) -> None:
    schema = {"type": "object"}

    await answer(opened(model), Prompt(QUESTION.messages, 64, schema, 0.0))

    assert model.requests[-1].json["temperature"] == 0.0
    assert model.requests[-1].json["response_format"]["json_schema"]["schema"] == schema


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("", "/v1/chat/completions"),
        ("/", "/v1/chat/completions"),
        ("/v1", "/v1/chat/completions"),
        ("/v1/", "/v1/chat/completions"),
        ("/v1/chat/completions", "/v1/chat/completions"),
        ("/v1/models", "/v1/chat/completions"),
        ("/completion", "/v1/chat/completions"),
        ("/api", "/api/v1/chat/completions"),
        ("/api/v3", "/api/v3/chat/completions"),
        ("/v1beta/openai/", "/v1beta/openai/chat/completions"),
        ("/llama/?a=b", "/llama/v1/chat/completions"),
    ],
)
async def test_an_address_may_be_given_in_many_ways(model: ScriptedModel, given: str, asked: str) -> None:
    with suppress(ModelFailedError):
        await answer(door("openai", model.url.removeprefix("http://") + given, model=MODEL))

    assert model.requests[-1].path == asked


async def test_ollama_s_own_address_will_do(model: ScriptedModel) -> None:
    await answer(door("ollama", f"{model.url}/api/chat", model=MODEL))

    assert model.requests[-1].path == "/v1/chat/completions"


async def test_a_compressed_stream_is_read(model: ScriptedModel) -> None:
    model.will_send([gzip.compress(b"".join(stream(["32 Go é"])))], content_encoding="gzip")

    assert words(await answer(opened(model))) == "32 Go é"


@pytest.mark.parametrize("kind", ["text/plain", "application/octet-stream", "text/event-stream; charset=latin-1"])
async def test_a_stream_by_another_name_is_one(model: ScriptedModel, kind: str) -> None:
    model.will_send(stream(["32 Go é"]), content_type=kind)

    assert words(await answer(opened(model))) == "32 Go é"


async def test_a_server_that_streams_nothing_answers_all_the_same(model: ScriptedModel) -> None:
    message = {"role": "assistant", "content": "32 Go"}
    model.will_fail(200, {"model": MODEL, "choices": [{"message": message, "finish_reason": "length"}]})

    assert await answer(opened(model)) == [Text("32 Go"), Ended("length", MODEL)]


async def test_a_model_known_to_open_its_thinking_unseen_is_not_shown_thinking(model: ScriptedModel) -> None:
    for _ in range(2):
        model.will_answer("Hmm, so.\n</think>\n\n32 Go")

    first, second = [await answer(opened(model)) for _ in range(2)]

    assert Unsaid() in first
    assert words(second) == "32 Go"


async def test_a_door_without_a_model_takes_the_first_to_chat_with() -> None:
    with ScriptedModel(models=["nomic-embed-text", "qwen3", "llama3"]) as model:
        for provider in ("openai", "ollama"):
            await answer(door(provider, model.url))
            assert model.requests[-1].json["model"] == "qwen3"


async def test_llama_cpp_needs_no_name_for_its_model(model: ScriptedModel) -> None:
    await answer(door("llamacpp", model.url))

    [asked] = model.sent_to("/v1/chat/completions")
    assert "model" not in asked.json


async def test_a_server_without_models_is_told() -> None:
    with ScriptedModel(models=[]) as model:
        assert (await failure(door("openai", model.url))).failure == "unknown_model"


async def test_an_unknown_provider_and_no_address_are_refused() -> None:
    with pytest.raises(ValueError, match="no provider 'llama'"):
        door("llama", "")
    with pytest.raises(ValueError, match="no address"):
        door("openai", "http://[::1")
    assert {"openai", "llamacpp", "ollama", "gemini", "local"} == set(PROVIDERS)


async def test_gemini_and_openai_have_a_usual_place() -> None:
    assert door("gemini", "").url == "https://generativelanguage.googleapis.com/v1beta/openai"
    assert door("openai", "").url == "https://api.openai.com/v1"


async def test_connections_are_shared_and_closed(model: ScriptedModel) -> None:
    await asyncio.gather(*(answer(opened(model)) for _ in range(20)))
    await close()

    assert words(await answer(opened(model))) == "OK."
