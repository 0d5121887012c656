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


@pytest.fixture
def desk(settings: Settings) -> None:
    """A second model server, which nothing here asks."""
    settings.FORGE = settings.FORGE.model_copy(update={"LLM_SERVERS": "desk=llamacpp@http://127.0.0.1:9"})


@pytest.mark.usefixtures("desk")
def test_who_answers_is_chosen_by_conversation(web: Web) -> None:
    made = web.ask("POST", "/conversations", {"title": "Holidays", "server": "desk", "model": "tiny"}).json()
    path = f"/conversations/{made['id']}"

    assert (made["server"], made["model"]) == ("desk", "tiny")
    assert web.ask("PATCH", path, {"model": "large"}).json()["server"] == "desk"
    changed = web.ask("PATCH", path, {"server": ""}).json()
    assert (changed["server"], changed["model"], changed["title"]) == ("", "", "Holidays")


@pytest.mark.usefixtures("desk")
def test_a_server_that_is_not_configured_is_refused_and_changes_nothing(web: Web) -> None:
    made = web.ask("POST", "/conversations", {"title": "Holidays"}).json()
    path = f"/conversations/{made['id']}"

    refused = web.ask("PATCH", path, {"title": "Brest", "server": "attic"})

    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "invalid")
    assert "desk" in refused.json()["error"]["message"]
    assert web.ask("GET", path).json() == made
    assert web.ask("POST", "/conversations", {"server": "attic"}).status_code == 422
    assert web.ask("PATCH", path, {"server": "x" * 65}).status_code == 422
    assert len(web.ask("GET", "/conversations").json()) == 1


def test_a_search_names_the_message_that_holds_it(ana: Account, web: Web) -> None:
    talk = create_conversation(ana, title="Numbers")
    said = Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content="The heron is grey")

    assert [one["hit"] for one in web.ask("GET", "/conversations?q=HERON").json()] == [said.pk]
    assert [one["hit"] for one in web.ask("GET", "/conversations?q=numbers").json()] == [None]
    assert [one["hit"] for one in web.ask("GET", "/conversations").json()] == [None]


def test_archived_conversations_are_listed_on_their_own(web: Web) -> None:
    made = web.ask("POST", "/conversations", {"title": "Holidays"}).json()
    web.ask("PATCH", f"/conversations/{made['id']}", {"archived": True})

    assert web.ask("GET", "/conversations").json() == []
    assert [one["id"] for one in web.ask("GET", "/conversations?archived=true").json()] == [made["id"]]
    assert web.ask("GET", "/history").json() == []


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


def test_a_page_of_a_branch_says_whom_its_first_message_follows(ana: Account, web: Web) -> None:
    talk = create_conversation(ana)
    rows = [Message(owner=ana, conversation=talk, role=Role.USER, content=str(number)) for number in range(5)]
    ids = [row.pk for row in Message.objects.bulk_create(rows)]

    assert [row["parent"] for row in web.ask("GET", "/history?limit=2").json()] == ids[2:4]
    Message.objects.filter(pk=ids[3]).update(parent=ids[1])
    assert [row["parent"] for row in web.ask("GET", "/history?limit=2").json()] == [ids[1], ids[3]]
    assert [row["id"] for row in web.ask("GET", f"/history?before={ids[3]}").json()] == ids[:2]
    assert [row["siblings"] for row in web.ask("GET", "/history?branch=all").json()][2:4] == [ids[2:4]] * 2


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
        assert len(gone["left"]) == (1 if asked else 2)
    assert web.ask("DELETE", "/memory/1?mine=true").status_code == 422
