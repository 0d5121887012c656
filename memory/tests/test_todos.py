"""Todos: what is open, what is due, and what a person closes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from forgesite.errors import InvalidError, UnknownError
from forgesite.models import Account
from memory.errors import NotLiveError
from memory.models import Commit, Entry
from memory.remember import Draft, remember
from memory.todos import done, due, todos, waiting, when
from memory.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only")]
BY: dict[str, Any] = {"actor": "person", "cause": "test"}
NOW = timezone.now()
HOUR = timedelta(hours=1)


def saved(owner: Account, text: str, **fields: Any) -> Entry:
    return remember(owner, Draft(text, **{"kind": "todo", **fields}), **BY).entry


def test_those_with_a_time_come_first_and_the_earliest_first(ana: Account) -> None:
    plain = saved(ana, "Clean the cellar")
    later = saved(ana, "Call the dentist", event_at=NOW + 2 * HOUR)
    sooner = saved(ana, "Pay the rent", event_at=NOW + HOUR)
    saved(ana, "The rent is 900 euros", kind="fact")

    assert todos(ana) == [sooner, later, plain]


def test_due_are_todos_and_prospective_entries_whose_time_has_come(ana: Account, ben: Account) -> None:
    reached = saved(ana, "When Marie calls, ask for the key", kind="prospective", event_at=NOW)
    late = saved(ana, "Pay the rent", event_at=NOW - HOUR)
    saved(ana, "The rent was paid", kind="event", event_at=NOW - HOUR)
    saved(ana, "Call the dentist", event_at=NOW + HOUR)
    saved(ben, "Water the plants", event_at=NOW - HOUR)

    assert due(ana, NOW) == [late, reached]
    assert (waiting(ana).open, waiting(ana).due) == (2, 2)


def test_a_todo_is_closed_and_can_be_opened_again(ana: Account) -> None:
    todo = saved(ana, "Pay the rent", event_at=NOW - HOUR)

    assert done(ana, todo.pk, **BY).status == "closed"
    assert (todos(ana), due(ana, NOW)) == ([], [])

    undo(ana, Commit.objects.latest("tick").address, **BY)
    assert todos(ana) == [todo]


def test_a_prospective_entry_that_is_done_is_put_away(ana: Account) -> None:
    reached = saved(ana, "When Marie calls, ask for the key", kind="prospective", event_at=NOW)

    assert done(ana, reached.pk, **BY).status == "archived"
    assert waiting(ana).due == 0


def test_what_is_done_is_not_done_again(ana: Account) -> None:
    todo = saved(ana, "Pay the rent")
    done(ana, todo.pk, **BY)

    with pytest.raises(NotLiveError, match="closed"):
        done(ana, todo.pk, **BY)
    assert Commit.objects.count() == 2


def test_what_was_replaced_names_what_took_its_place(ana: Account) -> None:
    old = saved(ana, "Pay the rent", key="rent")
    new = saved(ana, "Pay the rent and the power", key="rent")

    with pytest.raises(NotLiveError, match=f"#{new.pk} has taken its place"):
        done(ana, old.pk, **BY)


def test_only_ones_own_todo_can_be_done(ana: Account, ben: Account) -> None:
    fact = saved(ana, "The rent is 900 euros", kind="fact")

    with pytest.raises(InvalidError, match="only a todo"):
        done(ana, fact.pk, **BY)
    with pytest.raises(UnknownError):
        done(ben, saved(ana, "Pay the rent").pk, **BY)


def test_a_time_is_told_in_the_owners_zone_and_a_day_without_its_hour(ana: Account) -> None:
    ana.time_zone = "Europe/Paris"
    day = saved(ana, "Pay the rent", event_at=datetime(2027, 3, 11, 23, tzinfo=UTC))
    minute = saved(ana, "Call the dentist", event_at=datetime(2027, 3, 12, 13, 30, tzinfo=UTC))

    assert when(ana, day) == "12 March 2027"
    assert when(ana, minute) == "12 March 2027, 14:30"
    assert when(ana, saved(ana, "Clean the cellar")) == ""
