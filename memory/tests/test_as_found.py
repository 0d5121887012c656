"""No verb takes in what was changed outside Forge: its commit first states the row as it was found."""

from __future__ import annotations

from typing import Any

import pytest

from forgesite.models import Account
from memory import change_log, move, undo
from memory.forget import forget
from memory.models import Commit, Entry, TextVersion
from memory.relate import relate, unrelate
from memory.revise import Changes, revise
from memory.tests.entries import by_sql, saved

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
PORT, OTHER = "The test server runs on port 8080", "The test server runs on port 9090"

pytestmark = pytest.mark.usefixtures("words_only")


def last(owner: Account) -> list[tuple[str, int]]:
    return [(change["do"], change["id"]) for change in Commit.objects.of(owner).latest("tick").changes]


def test_a_row_edited_outside_is_stated_before_the_verb_moves_it_and_its_line_stays(ana: Account) -> None:
    entry = saved(ana, PORT)
    by_sql("UPDATE memory_entry SET text = %s, address = 'mine' WHERE id = %s", OTHER, entry.pk)
    move.archive(ana, entry.pk, **WHO)
    found, archived = Commit.objects.of(ana).latest("tick").changes
    assert (found["do"], archived["do"]) == ("adopt", "archive")
    assert (found["status"], archived["status"]) == ("active", "archived")
    assert found["words"] == archived["words"] == Entry.objects.get().digest
    assert found["entry"] == archived["entry"] == entry.address
    assert TextVersion.objects.get(digest=found["words"]).text == OTHER
    assert [line.row for line in change_log.lines()] == [entry.pk]
    move.restore(ana, entry.pk, **WHO)
    assert last(ana) == [("restore", entry.pk)]


def test_so_is_a_row_that_only_follows_from_a_link(ana: Account) -> None:
    old, new = saved(ana, PORT), saved(ana, OTHER)
    by_sql("UPDATE memory_entry SET text = 'Somebody else''s words' WHERE id = %s", old.pk)
    link = relate(ana, new.pk, "supersedes", old.pk, **WHO)
    assert last(ana) == [("adopt", old.pk), ("follow", old.pk), ("relate", new.pk)]
    unrelate(ana, link.pk, **WHO)
    assert last(ana) == [("follow", old.pk), ("unrelate", new.pk)]


def test_so_is_a_row_put_in_from_outside(ana: Account) -> None:
    saved(ana, PORT)
    Entry.objects.create(owner=ana, address="mine", text=OTHER)
    revise(ana, Entry.objects.get(address="mine").pk, Changes(pinned=True), version=None, **WHO)
    assert [do for do, _entry in last(ana)] == ["adopt", "revise"]


def test_what_was_changed_and_changed_back_is_no_adoption(ana: Account) -> None:
    entry = saved(ana, PORT)
    for status in ("archived", "active"):
        by_sql("UPDATE memory_entry SET status = %s", status)
    move.archive(ana, entry.pk, **WHO)
    assert last(ana) == [("archive", entry.pk)]


def test_so_is_a_row_before_it_is_forgotten(ana: Account) -> None:
    entry = saved(ana, PORT)
    by_sql("UPDATE memory_entry SET status = 'archived'")
    forget(ana, [entry.pk], **WHO)
    assert last(ana) == [("adopt", entry.pk), ("forget", entry.pk)]


def test_what_two_people_did_at_once_is_each_his_own(ana: Account, ben: Account) -> None:
    mine, his = saved(ana, PORT), saved(ben, PORT)
    by_sql("UPDATE memory_entry SET pinned = 1 WHERE id = %s", his.pk)
    move.archive(ana, mine.pk, **WHO)
    assert last(ana) == [("archive", mine.pk)]
    assert undo.undo(ana, Commit.objects.of(ana).latest("tick").address, **WHO)
    assert [line.owner for line in change_log.lines()] == [ben.pk]
