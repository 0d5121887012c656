"""A model server of this machine is found; nothing else is taken for one."""

from __future__ import annotations

import socket
import time
from typing import Any

import pytest

from forgesite.lib.discovery import USUAL, Candidate, Found, find
from forgesite.testing_models import MODEL, ScriptedModel
from forgesite.testing_wire import Request, Wire


def at(url: str, provider: str = "llamacpp") -> Candidate:
    return Candidate(provider, url, "mine")


@pytest.mark.parametrize("provider", ["llamacpp", "ollama", "openai"])
async def test_a_model_server_is_found_with_its_model(provider: str) -> None:
    with ScriptedModel() as model:
        assert await find([at(model.url, provider)]) == Found(provider, model.url, "mine", MODEL)
        assert not model.prompts


async def test_the_first_of_several_is_taken() -> None:
    with ScriptedModel() as one, ScriptedModel() as other:
        found = await find([at("http://127.0.0.1:9"), at(other.url), at(one.url)])

    assert found is not None
    assert found.url == other.url


async def test_one_that_is_loading_counts() -> None:
    with ScriptedModel() as model:
        model.loads()
        assert await find([at(model.url)]) == Found("llamacpp", model.url, "mine")


async def test_one_without_a_model_to_chat_with_does_not() -> None:
    with ScriptedModel(models=["nomic-embed-text"]) as model:
        assert await find([at(model.url, "openai"), at(model.url, "ollama")]) is None


class Other(ScriptedModel):
    """A web page, or an application with routes of its own, such as Forge."""

    body: Any = None
    silent = 0.0

    async def answer(self, request: Request, wire: Wire) -> None:
        if self.silent and await wire.within(self.silent):
            return None
        if isinstance(self.body, str):
            await wire.head(content_type="text/html")
            await wire.write(self.body.encode())
            return await wire.end()
        return await wire.json(self.body)


@pytest.mark.parametrize(
    "body", ["<title>My page</title>", {"status": "ok", "version": "0.1.0"}, {"default": None, "servers": []}, []]
)
async def test_nothing_else_is_taken_for_one(body: Any) -> None:
    with Other() as page:
        page.body = body
        assert await find([at(page.url, provider) for provider in ("llamacpp", "ollama", "openai")]) is None


@pytest.mark.parametrize("silent", [0.8, 60])
async def test_a_slow_port_costs_less_than_a_second(silent: float) -> None:
    """Also one that answers each of two questions just in time."""
    with Other() as page:
        page.silent, page.body = silent, {"status": "ok", "version": "1"}
        since = time.monotonic()
        assert await find([at(page.url, provider) for provider in ("llamacpp", "ollama", "openai")]) is None

    assert time.monotonic() - since < 1.4  # 0.9, and what a busy machine adds


async def test_where_nothing_listens_that_is_known_at_once() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        since = time.monotonic()
        assert await find([at(f"http://127.0.0.1:{taken.getsockname()[1]}")] * 8) is None

    assert time.monotonic() - since < 0.9


async def test_no_candidates_find_nothing() -> None:
    assert await find([]) is None


def test_forge_s_own_port_is_not_asked() -> None:
    assert not any(candidate.url.endswith(":8000") for candidate in USUAL)
