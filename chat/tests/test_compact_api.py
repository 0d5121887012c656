"""A conversation compacted through the API, and what came of it in its history."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from chat.leaving.compacting import lease
from chat.models import Conversation
from chat.tests.conftest import answered_by
from chat.tests.talks import talk_of
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from forgesite.tests.web import Web, by_token

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def web(ana: Account, settings: Settings) -> Web:
    settings.FORGE = settings.FORGE.model_copy(update={"COMPACTION_KEEP_RECENT": 4})
    return by_token(ana)


def test_it_says_what_moved_and_history_shows_it(ana: Account, web: Web) -> None:
    talk = talk_of(ana, 5)
    answer = web.ask("POST", "/compact", {"conversation": talk.pk})

    assert answer.status_code == 200
    assert answer.json() == {"removed": 6, "kept": 4, "units": 3, "stored": 3, "duplicates": 0, "dropped": 0}
    pointer, *rows = web.ask("GET", f"/history?conversation={talk.pk}").json()
    assert "6 messages compacted" in pointer["content"]
    assert [row["compacted"] for row in rows] == [True] * 6 + [False] * 4


def test_without_a_conversation_it_is_the_latest_or_none(ana: Account, web: Web) -> None:
    assert web.ask("POST", "/compact", {}).json()["removed"] == 0
    talk_of(ana, 5)
    assert web.ask("POST", "/compact", {}).json()["removed"] == 6


def test_it_is_busy_disabled_or_unknown(ana: Account, web: Web) -> None:
    talk = talk_of(ana, 5)
    with lease(talk):
        busy = web.ask("POST", "/compact", {"conversation": talk.pk})
    Conversation.objects.update(temporary=True)
    disabled = web.ask("POST", "/compact", {"conversation": talk.pk})
    unknown = web.ask("POST", "/compact", {"conversation": "nowhere"})

    said = [(answer.status_code, answer.json()["error"]["code"]) for answer in (busy, disabled, unknown)]
    assert said == [(409, "busy"), (409, "disabled"), (404, "unknown")]


def test_an_embedder_that_is_down_is_a_502_and_nothing_moves(ana: Account, web: Web, settings: Settings) -> None:
    gone = {"EMBEDDING_PROVIDER": "llamacpp", "EMBEDDING_URL": "http://127.0.0.1:9/embedding"}
    settings.FORGE = settings.FORGE.model_copy(update=gone)
    talk = talk_of(ana, 5)

    assert web.ask("POST", "/compact", {"conversation": talk.pk}).status_code == 502
    assert not any(row["compacted"] for row in web.ask("GET", f"/history?conversation={talk.pk}").json())


def test_a_model_is_asked_for_a_summary_within_the_request(ana: Account, web: Web) -> None:
    talk = talk_of(ana, 5)
    with ScriptedModel() as model, answered_by(model, COMPACTION_STRATEGY="llm_summary"):
        model.will_answer("The plants stand in their rooms, and each of them is green.")
        answer = web.ask("POST", "/compact", {"conversation": talk.pk})

    assert answer.json()["removed"] == 6
    summary = web.ask("GET", f"/history?conversation={talk.pk}").json()[0]
    assert summary["content"] == (
        "[summary of 6 earlier messages] The plants stand in their rooms, and each of them is green."
    )
