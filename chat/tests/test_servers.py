"""Who answers: by the settings, or as found on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from chat.prompting import window
from chat.prompting.window import GUESS, Window, window_of
from chat.start_line import looking, start_line
from forgesite import model_servers as servers
from forgesite.errors import InvalidError
from forgesite.lib.language_models import ModelDoor
from forgesite.model_servers import DEFAULT, check_choice, door_of
from forgesite.testing_models import ScriptedModel
from forgesite.testing_wire import Request, Wire, WireServer


@pytest.fixture(autouse=True)
def _afresh() -> Iterator[None]:
    servers.forget()
    window.forget()
    yield
    servers.forget()


def configured(**update: Any) -> override_settings:
    return override_settings(FORGE=settings.FORGE.model_copy(update=update))


async def there(server: str = "", model: str = "") -> ModelDoor:
    door = await door_of(server, model)
    assert door is not None
    return door


async def test_the_built_in_responder_is_no_door() -> None:
    assert await door_of() is None
    assert servers.servers() == ()


async def test_the_settings_name_the_door() -> None:
    with configured(LLM_PROVIDER="openai", LLM_URL="http://box:1234", LLM_MODEL="tiny"):
        door = await there()
    assert (door.provider, door.url, door.model) == ("openai", "http://box:1234", "tiny")


async def test_a_conversations_choice_goes_before_what_is_set() -> None:
    with configured(LLM_PROVIDER="openai", LLM_URL="http://box:1234", LLM_SERVERS="gpu=llamacpp@http://gpu:8080"):
        door = await there("gpu", "large")
        assert [server.name for server in servers.servers()] == [DEFAULT, "gpu"]
    assert (door.provider, door.url, door.model) == ("llamacpp", "http://gpu:8080", "large")


async def test_a_key_goes_to_no_other_server() -> None:
    with ScriptedModel() as own, ScriptedModel() as other:
        further = f"other=openai@{other.url}"
        with configured(LLM_PROVIDER="openai", LLM_URL=own.url, LLM_API_KEY="s3cret", LLM_SERVERS=further):
            await (await there()).models()
            await (await there("other")).models()
    assert own.requests[0].headers["authorization"] == "Bearer s3cret"
    assert "authorization" not in other.requests[0].headers


@pytest.mark.parametrize("server", ["nosuch", "Default"])
async def test_a_server_that_is_not_configured_is_named_with_those_that_are(server: str) -> None:
    with configured(LLM_SERVERS="gpu=llamacpp@http://gpu:8080"), pytest.raises(InvalidError, match="default, gpu"):
        check_choice(server, "")


async def test_a_models_name_has_a_limit() -> None:
    with pytest.raises(InvalidError):
        check_choice("", "x" * 201)


async def test_auto_finds_what_speaks_at_the_address_and_remembers_it() -> None:
    with ScriptedModel() as server, configured(LLM_PROVIDER="auto", LLM_URL=server.url):
        first = await there()
        asked = len(server.requests)
        assert (first.provider, first.url) == ("llamacpp", server.url)
        await there()
        assert len(server.requests) == asked


async def test_auto_looks_again_only_after_a_while() -> None:
    with WireServer404() as server, configured(LLM_PROVIDER="auto", LLM_URL=server.url):
        await door_of()
        asked = len(server.requests)
        await door_of()
        assert len(server.requests) == asked > 0


async def test_an_address_where_nothing_is_found_is_still_the_one_to_ask() -> None:
    with WireServer404() as server, configured(LLM_PROVIDER="auto", LLM_URL=server.url):
        assert (await there()).url == server.url


async def test_what_auto_found_and_lost_is_looked_for_again() -> None:
    with ScriptedModel() as server, configured(LLM_PROVIDER="auto", LLM_URL=server.url):
        await there()
        servers.lost(server.url)
        assert servers.found() is None
        assert (await there()).provider == "llamacpp"


# -- the window


async def test_the_window_that_is_set_goes_first() -> None:
    with (
        ScriptedModel(window=8192) as server,
        configured(LLM_PROVIDER="llamacpp", LLM_URL=server.url, LLM_CONTEXT=4096),
    ):
        assert await window_of(await there()) == Window(4096, estimated=False)


async def test_the_server_says_its_window_once() -> None:
    with ScriptedModel(window=16_384) as server, configured(LLM_PROVIDER="llamacpp", LLM_URL=server.url):
        assert [await window_of(await there()) for _number in range(3)] == [Window(16_384, estimated=False)] * 3
        assert len(server.sent_to("/props")) == 1


async def test_a_name_that_is_known_says_a_window_that_may_be_wrong() -> None:
    with configured(LLM_PROVIDER="openai", LLM_URL="http://127.0.0.1:9", LLM_MODEL="gpt-5"):
        assert await window_of(await there()) == Window(128_000, estimated=True)
    with configured(LLM_PROVIDER="openai", LLM_URL="http://127.0.0.1:9", LLM_MODEL="nobody-knows"):
        assert await window_of(await there()) == Window(GUESS, estimated=True)


# -- the line of a start


def test_the_start_says_what_auto_found() -> None:
    with ScriptedModel() as server, configured(LLM_PROVIDER="auto", LLM_URL=server.url):
        looking()()
        assert f"found llamacpp at {server.url}" in start_line()
        assert "LLM_PROVIDER and LLM_URL" in start_line()


def test_the_start_says_who_answers_where_nothing_is_found() -> None:
    with configured(LLM_PROVIDER="auto"):
        assert "the built-in responder answers" in start_line()
        assert "set LLM_PROVIDER and LLM_URL" in start_line()


def test_the_start_names_what_is_set() -> None:
    with configured(LLM_PROVIDER="openai", LLM_URL="http://user:secret@box:1234"):
        assert "openai at http://box:1234 answers" in start_line()


@pytest.mark.parametrize(("update", "told"), [({}, True), ({"MAX_STEPS": 2}, False)])
def test_the_start_says_what_one_step_comes_to(update: dict[str, Any], told: bool) -> None:
    with configured(**{"LLM_PROVIDER": "openai", "LLM_URL": "http://box:1234", "MAX_STEPS": 1} | update):
        assert ("MAX_STEPS is 1" in start_line()) is told


class WireServer404(WireServer):
    """A web server, and none of a model."""

    async def answer(self, request: Request, wire: Wire) -> None:
        await wire.json({"error": "not found"}, 404)
