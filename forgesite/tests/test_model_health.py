"""What a model server must prove, and what it says of its models."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from forgesite.lib.model_doors import door
from forgesite.testing_models import MODEL, ScriptedModel
from forgesite.testing_wire import Request, Wire
from forgesite.tests.asking import opened


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


@pytest.fixture
def strange() -> Iterator[ScriptedModel]:
    """A server that is not llama.cpp."""
    with ScriptedModel(owner="acme") as running:
        yield running


@pytest.mark.parametrize("provider", ["openai", "llamacpp", "ollama"])
async def test_a_server_with_its_model_is_ready(model: ScriptedModel, provider: str) -> None:
    health = await opened(model, provider).health()

    assert (health.ready, health.model) == (True, MODEL)
    assert not model.prompts


async def test_a_list_of_models_alone_is_not_believed(strange: ScriptedModel) -> None:
    strange.will_fail(500, {"error": "CUDA error"})

    health = await opened(strange).health()

    assert not health.ready
    assert "CUDA error" in health.detail


async def test_one_token_proves_a_model_for_a_while(strange: ScriptedModel) -> None:
    assert (await opened(strange).health()).ready
    assert (await opened(strange).health()).ready

    assert [request.json["max_tokens"] for request in strange.sent_to("/v1/chat/completions")] == [1]


@pytest.mark.parametrize("listing", [False, True])
async def test_a_model_that_is_loading_is_not_ready(model: ScriptedModel, listing: bool) -> None:
    model.loads(listing=listing)

    for provider in ("openai", "llamacpp"):
        health = await opened(model, provider).health()
        assert (health.ready, health.loading) == (False, True)


class Elsewhere(ScriptedModel):
    """Some other server: it answers everything, with one thing."""

    body: Any = None

    async def answer(self, request: Request, wire: Wire) -> None:
        page = isinstance(self.body, str)
        await wire.head(content_type="text/html" if page else "application/json")
        await wire.write(self.body.encode() if page else json.dumps(self.body).encode())
        await wire.end()


@pytest.mark.parametrize("body", ["<html><title>Router</title>", {}, [], {"status": "ok"}, {"data": [{"x": 1}]}, "ok"])
@pytest.mark.parametrize("provider", ["openai", "llamacpp", "ollama", "gemini"])
async def test_a_success_of_something_else_is_no_health(provider: str, body: Any) -> None:
    with Elsewhere() as model:
        model.body = body
        health = await opened(model, provider).health()

    assert (health.ready, health.loading) == (False, False)
    assert health.detail.startswith(("not_a_model", "unknown_model"))


async def test_ollama_without_the_model_is_not_ready(model: ScriptedModel) -> None:
    health = await opened(model, "ollama", model="llama3").health()

    assert not health.ready
    assert "ollama pull llama3" in health.detail


async def test_windows_are_what_the_server_says() -> None:
    with ScriptedModel(window=2048) as model:
        for provider in ("openai", "llamacpp", "ollama"):
            assert await opened(model, provider).window() == 2048
        assert await door("llamacpp", "http://127.0.0.1:9").window() is None


async def test_a_window_in_the_list_of_models_is_taken() -> None:
    with Elsewhere() as model:
        model.body = {"data": [{"id": "other"}, {"id": MODEL, "max_model_len": 16384}]}
        assert await opened(model).window() == 16384
        model.body = {"data": []}
        assert await opened(model, model="").window() is None


@pytest.mark.parametrize(
    ("shown", "window"),
    [
        ({"parameters": "stop x\nnum_ctx   16384"}, 16384),
        ({"model_info": {"qwen3.context_length": 40960}}, 4096),
        ({"model_info": {"tiny.context_length": 2048}}, 2048),
    ],
)
async def test_ollama_gives_less_than_a_model_could_read(shown: dict[str, Any], window: int) -> None:
    with Elsewhere() as model:
        model.body = shown
        assert await opened(model, "ollama").window() == window


async def test_what_ollama_has_loaded_goes_first() -> None:
    with Elsewhere() as model:
        model.body = {"models": [{"name": f"{MODEL}:latest", "context_length": 32768}]}
        assert await opened(model, "ollama").window() == 32768


async def test_llama_cpp_counts_tokens(model: ScriptedModel) -> None:
    assert await opened(model, "llamacpp").count("Le NiPoGi") == 3
    assert await opened(model).count("Le NiPoGi") is None
