"""`/models` and `/health`: how the model servers are, asked in a bounded time."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client, override_settings

from chat.tests.conftest import answered_by
from forgesite import model_servers as servers
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from forgesite.testing_wire import Request, Wire, WireServer

pytestmark = pytest.mark.django_db(transaction=True)


class Silent(WireServer):
    async def answer(self, request: Request, wire: Wire) -> None:
        await wire.gone()


@pytest.fixture(autouse=True)
def _afresh() -> Iterator[None]:
    cache.clear()
    servers.forget()
    yield
    cache.clear()


def models(account: Account) -> dict[str, Any]:
    client = Client()
    client.force_login(account)
    answer = client.get("/models")
    assert answer.status_code == 200
    told: dict[str, Any] = answer.json()
    return told


def model_health() -> dict[str, Any]:
    told: dict[str, Any] = Client().get("/health").json()
    return told


def test_without_a_model_the_list_is_empty(ana: Account) -> None:
    assert models(ana) == {"default": None, "servers": []}


def test_a_server_is_listed_with_its_models(ana: Account) -> None:
    with ScriptedModel() as server, answered_by(server, LLM_PROVIDER="openai"):
        told = models(ana)
    assert told["default"] == {"server": "default", "model": "scripted-1"}
    assert told["servers"] == [
        {
            "name": "default",
            "provider": "openai",
            "url": server.url,
            "ready": True,
            "loading": False,
            "model": "scripted-1",
            "models": ["scripted-1"],
            "detail": "",
        }
    ]


def test_one_that_is_silent_and_one_that_is_gone_hold_up_none(ana: Account) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        gone = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with ScriptedModel() as server, Silent() as silent:
        further = f"silent=openai@{silent.url}, gone=llamacpp@{gone}"
        with answered_by(server, LLM_PROVIDER="openai", LLM_SERVERS=further):
            since = time.monotonic()
            told = models(ana)
    assert time.monotonic() - since < 5
    assert [(one["name"], one["ready"]) for one in told["servers"]] == [
        ("default", True),
        ("silent", False),
        ("gone", False),
    ]
    assert all(one["detail"] for one in told["servers"][1:])


def test_a_server_that_loads_says_so(ana: Account) -> None:
    with ScriptedModel() as server, answered_by(server):
        server.loads()
        [told] = models(ana)["servers"]
    assert (told["ready"], told["loading"]) == (False, True)


def test_nobody_sees_a_password_of_an_address(ana: Account) -> None:
    url = "http://user:secret@127.0.0.1:9"
    with override_settings(FORGE=settings.FORGE.model_copy(update={"LLM_PROVIDER": "openai", "LLM_URL": url})):
        assert "secret" not in str(models(ana))


def test_health_names_the_model_that_answers(ana: Account) -> None:
    with ScriptedModel() as server, answered_by(server, LLM_PROVIDER="openai"):
        assert model_health()["model"] == {"provider": "openai", "name": "scripted-1", "ready": True}
        model_health()
    assert len(server.sent_to("/v1/models")) == 1


def test_health_is_degraded_by_a_model_that_does_not_answer_and_does_not_wait_for_it(ana: Account) -> None:
    with Silent() as server:
        update = {"LLM_PROVIDER": "openai", "LLM_URL": server.url, "LLM_MODEL": "tiny"}
        with override_settings(FORGE=settings.FORGE.model_copy(update=update)):
            since = time.monotonic()
            told = model_health()
    assert time.monotonic() - since < 2
    assert (told["status"], told["model"]) == ("degraded", {"provider": "openai", "name": "tiny", "ready": False})


def test_without_a_model_the_built_in_responder_is_ready(ana: Account) -> None:
    assert model_health()["model"]["provider"] == "builtin"
    assert model_health()["model"]["ready"] is True
