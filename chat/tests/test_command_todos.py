"""!todo and !done: written down, due, closed, and taken back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from chat.tests.test_commands import PORT, know, say
from forgesite.models import Account
from memory.models import Entry

pytestmark = pytest.mark.django_db(transaction=True)
PARIS = ZoneInfo("Europe/Paris")


def lines(owner: Account) -> list[str]:
    return [line for line in say(owner, "!todo").output.splitlines() if line.startswith("- ")]


@pytest.mark.parametrize("words", ["pay the rent tomorrow", "payer le loyer demain"])
def test_a_todo_is_born_open_and_due_when_its_words_say(ana: Account, words: str) -> None:
    ana.time_zone = "Europe/Paris"
    ana.save()

    result = say(ana, f"!todo {words}")

    entry = Entry.objects.get()
    due = timezone.localtime(entry.event_at, PARIS)
    assert (entry.kind, entry.status, entry.text) == ("todo", "open", words)
    assert due.date() == timezone.localdate(timezone=PARIS) + timedelta(days=1)
    assert (due.hour, due.minute) == (0, 0)
    assert result.saved[0]["entry"]["id"] == entry.pk


def test_what_is_due_comes_first_then_what_will_be_then_the_rest(ana: Account) -> None:
    ana.time_zone = "Europe/Paris"
    ana.save()
    plain = know(ana, "clean the cellar", kind="todo")
    later = know(ana, "call the dentist", kind="todo", event_at=datetime(2200, 3, 12, 13, 30, tzinfo=UTC))
    reached = know(ana, "ask Marie for the key", kind="prospective", event_at=datetime(2020, 1, 1, 23, tzinfo=UTC))
    know(ana)

    output = say(ana, "!todo").output

    assert output.startswith("Open: 2 · due: 1")
    assert lines(ana) == [
        f"- **due** #{reached} [prospective] ask Marie for the key (2 January 2020)",
        f"- #{later} [todo] call the dentist (12 March 2200, 14:30)",
        f"- #{plain} [todo] clean the cellar",
    ]


def test_with_nothing_to_be_done_it_says_how_to_write_something_down(ana: Account) -> None:
    assert say(ana, "!todo").output.startswith("Nothing is to be done.")
    assert not Entry.objects.exists()


def test_done_says_what_it_closed_and_is_undone(ana: Account) -> None:
    number = know(ana, "clean the cellar", kind="todo")

    output = say(ana, f"!done #{number}").output

    assert output.startswith(f"Done: #{number} [todo] clean the cellar")
    assert lines(ana) == []
    say(ana, "!undo")
    assert lines(ana) == [f"- #{number} [todo] clean the cellar"]


@pytest.mark.parametrize("rest", ["", " x", " 12x"])
def test_done_without_a_number_says_what_it_takes(ana: Account, rest: str) -> None:
    assert say(ana, f"!done{rest}").output == "Usage: `!done <id>`"


def test_done_closes_nothing_that_is_no_todo_closed_or_not_ones_own(ana: Account, ben: Account) -> None:
    fact, todo = know(ana), know(ana, "clean the cellar", kind="todo")

    assert "only a todo can be done" in say(ana, f"!done {fact}").output
    assert "No entry" in say(ben, f"!done {todo}").output
    assert "No entry" in say(ana, f"!done {'9' * 30}").output
    say(ana, f"!done {todo}")
    assert "“closed” already" in say(ana, f"!done {todo}").output
    assert dict(Entry.objects.values_list("text", "status")) == {PORT: "active", "clean the cellar": "closed"}
