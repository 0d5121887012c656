"""What was changed with SQL becomes what the ledger says, where it can be; nothing else is taken in."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from forgesite.models import Account
from memory import change_log, embedding, move, undo, vector_channel
from memory.adopt import adopt
from memory.domain.chain import words_digest
from memory.errors import BrokenChainError
from memory.forget import forget
from memory.models import Commit, Entry, Erasure, Link, TextVersion, Tombstone, Vector
from memory.people_first import is_persons
from memory.regime.pending import embed_some
from memory.relate import relate
from memory.tests.entries import by_sql, by_words, found, saved
from memory.verify import verify

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
PORT, OTHER, DOG = "The test server runs on port 8080", "The test server runs on port 9090", "The dog is called Rex"


@pytest.fixture
def entry(ana: Account) -> Entry:
    return saved(ana, PORT)


def adopted(owner: Account) -> Any:
    """Afterwards nothing differs but what was left."""
    done = adopt(owner, cause="verify --adopt")
    assert {(each.table, each.row) for each in verify(owner).findings} == {(e.table, e.row) for e in done.left}
    return done


def last(owner: Account) -> Commit:
    return Commit.objects.of(owner).latest("tick")


def test_an_edited_row_is_stated_and_counts_as_an_edit(ana: Account, entry: Entry) -> None:
    by_sql("UPDATE memory_entry SET text = %s, project = 'servers', pinned = 1", OTHER)
    done = adopted(ana)
    commit, [change], row = last(ana), last(ana).changes, Entry.objects.get()
    assert (done.commit, done.entries, done.forgotten, done.left) == (commit, (entry.pk,), (), ())
    assert (commit.actor, commit.cause, change["do"]) == ("outside", "verify --adopt", "adopt")
    assert (row.text, row.version, row.address) == (OTHER, 2, entry.address)
    assert row.updated_at > entry.updated_at
    assert TextVersion.objects.get(digest=row.digest).project == "servers"
    assert by_words(ana, "9090") == [OTHER]
    assert list(change_log.lines()) == []


def test_an_edited_text_waits_for_its_vectors_and_gets_them(ana: Account, entry: Entry) -> None:
    by_sql("UPDATE memory_entry SET text = %s", OTHER)
    adopted(ana)
    assert (Entry.objects.get().embedded, vector_channel.count_pending()) == ("", 1)
    door = embedding.served()
    assert door is not None
    embed_some(door, 10)
    assert last(ana).changes[0]["do"] == "embed"
    assert verify().ok


def test_vectors_that_were_made_meanwhile_are_kept(ana: Account, entry: Entry) -> None:
    by_sql("UPDATE memory_entry SET text = %s", OTHER)
    assert found(ana, "9090", policy="vector") == [OTHER]
    adopted(ana)
    assert (Vector.objects.count(), Entry.objects.get().embedded == "") == (1, False)


def test_a_vector_from_outside_is_none(ana: Account, entry: Entry) -> None:
    by_sql("UPDATE memory_vector SET vector = zeroblob(2048)")
    adopted(ana)
    assert (Vector.objects.count(), vector_channel.count_pending()) == (0, 1)


def test_a_row_that_was_put_in_gets_an_address_and_is_remembered(ana: Account, entry: Entry) -> None:
    columns = "owner_id, project, kind, status, origin, text, conversation, source, said_at, recorded_at, updated_at"
    more = "key, event_words, pinned, version, superseded_how, stale, digest, salt, embedded, sameness"
    by_sql(f"INSERT INTO memory_entry (address, {columns}, {more}) SELECT 'mine', {columns}, {more} FROM memory_entry")
    done = adopted(ana)
    row = Entry.objects.get(pk=done.entries[0])
    assert (last(ana).changes[0]["do"], last(ana).changes[0]["id"], len(row.address)) == ("create", row.pk, 64)
    assert row.salt != entry.salt
    assert row.digest == words_digest(row.salt, PORT, "", "", "")
    assert undo.undo(ana, last(ana).address, **WHO)


def test_a_deleted_row_is_forgotten_for_good(ana: Account, entry: Entry) -> None:
    other = saved(ana, DOG)
    by_sql("DELETE FROM memory_entry WHERE id = %s", entry.pk)
    done = adopted(ana)
    assert (done.commit, done.entries, done.forgotten) == (None, (), (entry.pk,))
    assert (Tombstone.objects.get().entry, Erasure.objects.count()) == (entry.pk, 1)
    assert not TextVersion.objects.filter(entry=entry.pk).exists()
    assert [row.pk for row in Entry.objects.all()] == [other.pk]


def test_a_row_that_another_took_the_place_of_is_forgotten_and_the_other_one_kept(ana: Account, entry: Entry) -> None:
    columns = ", ".join(field.column for field in Entry._meta.concrete_fields if field.column != "id")
    by_sql(f"INSERT OR REPLACE INTO memory_entry ({columns}) SELECT {columns} FROM memory_entry")
    done = adopted(ana)
    assert (done.forgotten, len(done.entries)) == ((entry.pk,), 1)


def test_links_that_were_made_changed_and_deleted_are_related_and_not(ana: Account, entry: Entry) -> None:
    other, dog = saved(ana, OTHER), saved(ana, DOG)
    made, ended, changed = (
        relate(ana, one.pk, kind, two.pk, **WHO)
        for one, kind, two in ((dog, "conflicts", entry), (dog, "source", other), (other, "supersedes", entry))
    )
    by_sql("UPDATE memory_link SET until = 9 WHERE id = %s", made.pk)
    by_sql("DELETE FROM memory_link WHERE id = %s", ended.pk)
    by_sql("UPDATE memory_link SET entry_id = %s WHERE id = %s", dog.pk, changed.pk)
    by_sql(
        "INSERT INTO memory_link (owner_id, type, entry_id, other_id, digest, since) "
        "VALUES (%s, 'source', %s, %s, '', 1)",
        ana.pk,
        entry.pk,
        other.pk,
    )
    adopted(ana)
    standing = set(Link.objects.standing().values_list("type", "entry", "other"))
    assert standing == {("supersedes", dog.pk, entry.pk), ("source", entry.pk, other.pk)}
    assert Link.objects.get(pk=ended.pk).until == last(ana).tick
    assert Entry.objects.get(pk=entry.pk).superseded_by_id == dog.pk


def test_what_follows_from_links_and_commits_is_put_back(ana: Account, entry: Entry) -> None:
    other = saved(ana, OTHER)
    by_sql(
        "UPDATE memory_entry SET superseded_by_id = %s, superseded_how = 'replaced', address = 'x', sameness = 'y', "
        "salt = 'z', digest = '', embedded = '' WHERE id = %s",
        other.pk,
        entry.pk,
    )
    before = last(ana)
    assert adopted(ana).commit is None
    assert last(ana) == before
    row = Entry.objects.get(pk=entry.pk)
    assert (row.address, row.salt, row.digest, row.superseded_how) == (entry.address, entry.salt, entry.digest, "")


def test_what_cannot_be_is_named_and_left(ana: Account, ben: Account, entry: Entry) -> None:
    gone, given, broken = (saved(ana, f"Note number {number} is here") for number in (1, 2, 3))
    forget(ana, [gone.pk], **WHO)
    Entry.objects.create(pk=gone.pk, owner=ana, address="back", text=DOG)
    by_sql("UPDATE memory_entry SET owner_id = %s WHERE id = %s", ben.pk, given.pk)
    by_sql("UPDATE memory_entry SET said_at = 'soon' WHERE id = %s", broken.pk)
    by_sql("UPDATE memory_entry SET pinned = 1 WHERE id = %s", entry.pk)
    done = adopt(ana, cause="test")
    assert done.entries == (entry.pk,)
    assert {each.row for each in done.left} == {gone.pk, given.pk, broken.pk}
    assert {line.row for line in change_log.lines()} == {gone.pk, given.pk, broken.pk}


def test_an_edit_of_the_ledger_is_never_adopted(ana: Account, entry: Entry) -> None:
    by_sql("UPDATE memory_textversion SET text = 'Other words'")
    by_sql("UPDATE memory_commitentry SET states = 0")
    done = adopted(ana)
    assert (done.commit, {each.table for each in done.left}) == (None, {"memory_textversion", "memory_commitentry"})
    by_sql("UPDATE memory_commit SET actor = 'nobody'")
    with pytest.raises(BrokenChainError):
        adopt(ana, cause="test")


def test_damage_is_not_adopted(ana: Account, entry: Entry) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER memory_entry_log_update")
    by_sql("UPDATE memory_entry SET pinned = 1")
    assert adopt(ana, cause="test").entries == ()
    assert [each.column for each in verify().findings] == ["pinned"]


def test_lines_of_rows_that_are_as_they_were_are_taken_down(ana: Account, entry: Entry) -> None:
    for pinned in (1, 0):
        by_sql("UPDATE memory_entry SET pinned = %s", pinned)
    move.archive(ana, entry.pk, **WHO)
    assert adopted(ana).commit is None
    assert list(change_log.lines()) == []


def test_others_edits_are_left_to_them(ana: Account, ben: Account, entry: Entry) -> None:
    saved(ben, DOG)
    by_sql("UPDATE memory_entry SET pinned = 1")
    assert adopted(ana).entries == (entry.pk,)
    assert not verify(ben).ok
    assert is_persons(Entry.objects.get(pk=entry.pk))
