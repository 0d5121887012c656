"""What the next prompt would take, foretold: by the API, with a model and without."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chat.models import Conversation
from chat.prompting.context import forecast
from chat.tests.sockets import asked
from chat.tests.talks import ask
from forgesite.errors import UnknownError
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from memory.remember import Draft, remember

pytestmark = pytest.mark.django_db(transaction=True)
PORT = "the test server runs on port 8080"
#: As contract.md has it.
SHAPE = {"prompt_tokens", "hot_block_tokens", "history_tokens", "history_messages", "context_limit", "estimated"}


def told(client: Any, **query: str) -> dict[str, Any]:
    answer = client.get("/context", query)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def client_of_ana(client: Any, filled: Account) -> Any:
    client.force_login(filled)
    return client


def test_without_a_model_there_is_no_limit_and_still_block_and_history(filled: Account, client_of_ana: Any) -> None:
    ask(filled, "Which port?", answer="It is 8080.", model="scripted-1")
    found = told(client_of_ana)
    assert set(found) == SHAPE
    assert (found["context_limit"], found["estimated"], found["history_messages"]) == (None, True, 1)
    assert found["hot_block_tokens"] > 100
    assert found["prompt_tokens"] > found["hot_block_tokens"] + found["history_tokens"] > 0


def test_the_conversation_is_the_latest_or_the_one_named(filled: Account, client_of_ana: Any) -> None:
    first = ask(filled, "Which port?" * 20)
    ask(filled, "And the disk?")
    assert (
        told(client_of_ana)["history_tokens"] < told(client_of_ana, conversation=first.conversation)["history_tokens"]
    )


def test_somebody_elses_conversation_is_unknown(filled: Account, ben: Account, client_of_ana: Any) -> None:
    theirs = ask(ben, "Which port?")
    assert client_of_ana.get("/context", {"conversation": theirs.conversation}).status_code == 404
    with pytest.raises(UnknownError):
        forecast(filled, theirs.conversation)


def test_an_account_without_any_conversation_is_told_of_a_new_one(ana: Account) -> None:
    found = forecast(ana)
    assert (found.hot_block_tokens, found.history_tokens, found.history_messages) == (0, 0, 0)
    assert found.prompt_tokens > 100


def test_it_writes_nothing(filled: Account) -> None:
    talk = Conversation.objects.create(owner=filled)
    forecast(filled, talk.pk)
    talk.refresh_from_db()
    assert talk.hot_upto is None


async def test_it_foretells_what_the_next_prompt_is(filled: Account, model: ScriptedModel) -> None:
    model.will_answer("It is the one that you wrote down in spring, before the printer moved to another room.")
    first = await asked(filled, "Which port?")
    talk = first[0]["conversation"]
    requests = len(model.sent_to("/tokenize"))
    foretold = await asyncio.to_thread(forecast, filled, talk)
    assert len(model.sent_to("/tokenize")) == requests
    [context] = [frame for frame in await asked(filled, "k", conversation=talk) if frame["type"] == "context"]
    assert foretold.context_limit == context["context_limit"] == 8192
    assert foretold.history_messages == context["history_messages"] == 2
    assert foretold.hot_block_tokens == context["hot_block_tokens"]
    assert abs(foretold.prompt_tokens - context["prompt_tokens"]) < context["prompt_tokens"] // 10


async def test_what_is_saved_later_joins_at_the_next_conversation(filled: Account, model: ScriptedModel) -> None:
    talk = (await asked(filled, "How do plants eat?"))[0]["conversation"]
    before = await asyncio.to_thread(forecast, filled, talk)
    await asyncio.to_thread(remember, filled, Draft(PORT), actor="person", cause="test")
    assert (await asyncio.to_thread(forecast, filled, talk)).hot_block_tokens == before.hot_block_tokens
    new = await asyncio.to_thread(Conversation.objects.create, owner=filled)
    assert (await asyncio.to_thread(forecast, filled, new.pk)).hot_block_tokens > before.hot_block_tokens
