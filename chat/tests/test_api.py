"""Conversations through the API."""

from __future__ import annotations

import json

import pytest
from pytest_django import Settings

from chat.history import create_conversation
from chat.models import Message, Role
from forgesite.models import Account
from forgesite.tests.web import Web, by_token
from memory.models import Entry

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def web(ana: Account) -> Web:
    return by_token(ana)


def test_a_turn_saves_and_the_next_one_answers_from_it(web: Web, settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "bundled"})
    told = web.ask("POST", "/chat", {"message": "Remember that the test server runs on port 8080"}).json()
    assert told["ok"], told
    assert told["saved"][0]["entry"]["content"] == "the test server runs on port 8080"

    asked = {"message": "Which port does the test server use?", "conversation": told["conversation"]}
    answer = web.ask("POST", "/chat", asked).json()

    assert "8080" in answer["output"]
    assert (answer["ok"], answer["not_answered"], answer["error"]) == (True, None, None)
    assert web.ask("GET", f"/traces/{answer['run_id']}").json()["ok"]
    history = web.ask("GET", "/history").json()
    assert [message["role"] for message in history] == ["user", "assistant"] * 2
    assert history[-1]["id"] == answer["message_id"]


def test_the_same_client_id_twice_is_one_message_and_one_run(ana: Account, web: Web) -> None:
    sent = {"message": "Remember that the cellar key hangs behind the door", "client_id": "c-1"}

    first, again = (web.ask("POST", "/chat", sent).json() for _ in range(2))

    assert first["run_id"] == again["run_id"]
    assert Message.objects.of(ana).count() == 2
    assert Entry.objects.of(ana).count() == 1


def test_a_blank_message_is_refused_and_leaves_nothing(ana: Account, web: Web) -> None:
    answer = web.ask("POST", "/chat", {"message": " \n"})

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "empty")
    assert not Message.objects.of(ana).exists()


def test_a_conversation_is_made_renamed_found_and_deleted(web: Web) -> None:
    made = web.ask("POST", "/conversations", {"title": "Holidays in Brittany"}).json()
    path = f"/conversations/{made['id']}"

    changed = web.ask("PATCH", path, {"title": "Brest in June", "pinned": True}).json()

    assert (changed["title"], changed["pinned"], changed["archived"]) == ("Brest in June", True, False)
    found = web.ask("GET", "/conversations?q=brest").json()
    assert [one["id"] for one in found] == [made["id"]]
    assert web.ask("DELETE", path).json() == {"ok": True, "id": made["id"]}
    assert web.ask("GET", path).status_code == 404


def test_clearing_keeps_what_is_pinned_unless_told(ana: Account, web: Web) -> None:
    talk = create_conversation(ana)
    for number in range(3):
        Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content=str(number), pinned=number == 1)

    assert web.ask("POST", "/history/clear", {}).json() == {"removed": 2}
    assert [message["content"] for message in web.ask("GET", "/history").json()] == ["1"]
    assert web.ask("POST", "/history/clear", {"conversation": talk.id, "pinned": True}).json() == {"removed": 1}


def test_a_long_thread_is_read_in_pages(ana: Account, web: Web) -> None:
    talk = create_conversation(ana)
    rows = [Message(owner=ana, conversation=talk, role=Role.USER, content=str(number)) for number in range(7)]
    Message.objects.bulk_create(rows)

    last = web.ask("GET", "/history?limit=3").json()
    before = web.ask("GET", f"/history?limit=3&before={last[0]['id']}").json()

    assert [message["content"] for message in before + last] == ["1", "2", "3", "4", "5", "6"]


def test_the_export_holds_every_row_once(ana: Account, web: Web) -> None:
    talk = create_conversation(ana, title="Numbers")
    Message.objects.bulk_create(
        Message(owner=ana, conversation=talk, role=Role.USER, content=f"é {number}") for number in range(1201)
    )

    lines = [json.loads(line) for line in web.ask("GET", "/export").text.splitlines()]

    assert [line["type"] for line in lines] == ["conversation"] + ["message"] * 1201
    assert [line["content"] for line in lines[1:]] == [f"é {number}" for number in range(1201)]
    assert {line["conversation"] for line in lines[1:]} == {talk.id}


def test_forgetting_takes_ones_own_message_only_where_asked(ana: Account, web: Web) -> None:
    for number, asked in enumerate(["", "?my_message=true"]):
        told = web.ask("POST", "/chat", {"message": f"Remember that the cat sleeps in box {number}"}).json()
        gone = web.ask("DELETE", f"/memory/{told['saved'][0]['entry']['id']}{asked}").json()
        typed = [row["content"] for row in web.ask("GET", f"/history?conversation={told['conversation']}").json()]
        assert any("the cat sleeps" in content for content in typed) is not bool(asked)
        assert len(gone["left"]) == 2
    assert web.ask("DELETE", "/memory/1?mine=true").status_code == 422
