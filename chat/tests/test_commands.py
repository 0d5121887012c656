"""The ! commands: answered here, the same at every door."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from chat.models import Message, Role
from chat.outcome import TurnResult, complete
from chat.turn_request import TurnRequest
from forgesite.models import Account
from memory.models import Entry, Erasure
from memory.remember import Draft, remember
from traces.records import newest

pytestmark = pytest.mark.django_db(transaction=True)
PORT = "the test server runs on port 8080"


def say(owner: Account, text: str, **fields: Any) -> TurnResult:
    return asyncio.run(complete(TurnRequest(owner, text, **fields)))


def know(owner: Account, text: str = PORT, **fields: Any) -> int:
    return int(remember(owner, Draft(text, **fields), actor="person", cause="test").entry.pk)


def test_help_lists_every_command(ana: Account) -> None:
    output = say(ana, "!help").output
    for name in ("help", "remember", "recall", "search", "memory", "forget", "trace", "clear"):
        assert f"`!{name}" in output


@pytest.mark.parametrize("text", ["!nosuch thing", "!", "!!!", "!`x`"])
def test_an_unknown_command_lists_what_exists_and_says_nothing_was_sent(ana: Account, text: str) -> None:
    output = say(ana, text).output
    assert "nothing was sent" in output
    assert "`!help`" in output


def test_remember_saves_kind_project_and_words(ana: Account) -> None:
    result = say(ana, "!remember decision atlas we deploy on Fridays")
    entry = Entry.objects.get()
    assert (entry.kind, entry.project, entry.text) == ("decision", "atlas", "we deploy on Fridays")
    assert result.saved[0]["entry"]["id"] == entry.pk


def test_a_first_word_that_becomes_a_new_project_is_pointed_out(ana: Account) -> None:
    first = say(ana, "!remember fact The gateway is 10.8.0.1").saved[0]["notes"]
    assert first[0].startswith("“The” is a new project")
    again = say(ana, "!remember fact The printer is upstairs").saved[0]["notes"]
    assert not any("new project" in note for note in again)


def test_a_task_is_a_todo_and_is_born_open(ana: Account) -> None:
    say(ana, "!remember task - water the plants")
    assert (Entry.objects.get().kind, Entry.objects.get().status) == ("todo", "open")


@pytest.mark.parametrize(
    "text", ["!remember", "!remember fact", "!remember fact -", "!remember exchange - a b", "!forget x"]
)
def test_a_command_without_its_parts_says_what_it_takes(ana: Account, text: str) -> None:
    assert re.search("Usage: `!|Kinds: ", say(ana, text).output)
    assert not Entry.objects.exists()


@pytest.mark.parametrize("command", ["!recall", "!search"])
def test_recall_prints_id_kind_project_text_and_how_it_was_found(filled: Account, command: str) -> None:
    number = know(filled, project="atlas")
    assert f"#{number} [fact/atlas] {PORT} (lexical)" in say(filled, f"{command} which port").output.splitlines()


def test_memory_counts_by_kind_and_lists_the_newest_first(ana: Account) -> None:
    first, second = know(ana), know(ana, "water the plants", kind="todo")
    lines = say(ana, "!memory").output.splitlines()
    assert lines[0] == "Entries: 2 (fact 1, todo 1)"
    assert lines[2:] == [f"#{second} [todo] water the plants", f"#{first} [fact] {PORT}"]


def test_memory_says_what_speaks_for_an_entry_and_which_summary_is_stale(ana: Account) -> None:
    old = know(ana, key="port")
    summary = know(ana, "ports of servers", kind="summary", sources=(old,))
    new = know(ana, f"{PORT} no more", key="port")
    lines = say(ana, "!memory").output.splitlines()
    assert f"#{old} [fact] -> #{new} {PORT}" in lines
    assert f"#{summary} [summary] (stale) ports of servers" in lines


def test_memory_of_one_kind_lists_only_it(ana: Account) -> None:
    know(ana)
    know(ana, "water the plants", kind="todo")
    assert "fact" not in say(ana, "!memory todo").output


def test_forget_deletes_and_says_what_is_left(filled: Account) -> None:
    number = know(filled)
    result = say(filled, f"!forget {number}")
    assert result.output.startswith(f"Forgotten: #{number}.\n\nLeft:\n\n- ")
    assert result.output.endswith(f"Certificate: `{Erasure.objects.get().address[:12]}`")
    assert not Entry.objects.filter(pk=number).exists()
    assert say(filled, "Which port does the test server use?").not_answered == "no memory"


def test_forgetting_takes_the_quotations_of_earlier_answers_with_it(filled: Account) -> None:
    number = know(filled)
    asked = say(filled, "Which port does the test server use?")
    assert PORT in asked.output
    say(filled, f"!forget #{number}")
    assert f"> [forgotten #{number}] — #{number} fact" in Message.objects.get(pk=asked.message_id).content
    assert PORT not in str([list(run.steps.values_list("detail", flat=True)) for run in newest(filled, 10)])


@pytest.mark.parametrize("number", ["99999", "9" * 30])
def test_forgetting_what_is_not_there_says_so(ana: Account, number: str) -> None:
    result = say(ana, f"!forget {number}")
    assert result.ok
    assert "No entry" in result.output


def test_somebody_elses_entry_is_not_there(ana: Account, ben: Account) -> None:
    number = know(ana)
    assert "No entry" in say(ben, f"!forget {number}").output
    assert Entry.objects.filter(pk=number).exists()


def test_trace_shows_the_last_runs_with_their_mark(filled: Account) -> None:
    say(filled, "Who painted the ceiling?")
    assert re.search(r"^∅ \S+ \S+ [0-9a-f]{12} \d+ ms \[recall\] Who painted", say(filled, "!trace 1").output)


def test_clear_empties_the_conversation_but_for_pins(ana: Account) -> None:
    talk = say(ana, "hello there").conversation
    Message.objects.filter(role=Role.USER).update(pinned=True)
    assert "removed: 1" in say(ana, "!clear", conversation=talk).output
    kept = [message.content for message in Message.objects.order_by("id")]
    assert kept[:2] == ["hello there", "!clear"]
