"""A rebuild gives back what the ledger names, to the byte, and says what nothing can give back."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from forgesite.models import Account
from memory import change_log, embedding, vector_channel, word_index
from memory.domain.chain import text_digest
from memory.errors import BrokenChainError
from memory.forget import forget
from memory.models import Commit, Entry, Erasure, TextVersion, Tombstone, Vector
from memory.rebuild import plan, rebuild
from memory.refuse import refuse
from memory.regime.pending import embed_some
from memory.relate import relate
from memory.revise import Changes, revise
from memory.tests.entries import by_sql, found, saved
from memory.verify import verify

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
PORT, OTHER, DOG = "The test server runs on port 8080", "The test server runs on port 9090", "The dog is called Rex"
#: What the chain gives back. Ids of rows that nothing names by id may be others.
PICTURE = {
    "memory_entry": "*",
    "memory_link": "*",
    "memory_words": "*",
    "memory_commitentry": "commit_id, position, entry, states",
    "memory_textversion": 'owner_id, digest, salt, text, project, "key", event_words, entry, form',
    "memory_tombstone": 'owner_id, entry, address, message, source, "commit", at',
}


def picture() -> dict[str, list[tuple[Any, ...]]]:
    with connection.cursor() as cursor:
        return {
            table: sorted(cursor.execute(f"SELECT {columns} FROM {table}").fetchall(), key=repr)
            for table, columns in PICTURE.items()
        }


@pytest.fixture
def store(ana: Account) -> Account:
    old, new, gone = saved(ana, PORT), saved(ana, OTHER, key="port"), saved(ana, DOG, message=7)
    revise(ana, new.pk, Changes(text=f"{OTHER} now", pinned=True), version=None, **WHO)
    relate(ana, new.pk, "supersedes", old.pk, **WHO)
    forget(ana, [gone.pk], **WHO)
    found(ana, "port")
    return ana


def rebuilt(owner: Account) -> Any:
    done = rebuild(owner)
    assert {each.table for each in verify(owner).findings} == {each.table for each in done.left}
    return done


def test_edited_rows_are_as_they_were(store: Account) -> None:
    before, head = picture(), Commit.objects.latest("tick")
    by_sql(
        "UPDATE memory_entry SET text = 'Words', project = 'p', address = address || 'x', said_at = 'soon', key = ''"
    )
    by_sql("UPDATE memory_link SET type = 'conflicts', until = 99")
    by_sql("UPDATE memory_tombstone SET message = 8, at = 'then'")
    by_sql("UPDATE memory_commitentry SET position = position + 50, states = 0")
    planned = plan(store)
    assert picture() != before
    done = rebuilt(store)
    assert (done.left, [each.row for each in done.restored]) == ((), [each.row for each in planned.restored])
    assert (picture(), Commit.objects.latest("tick")) == (before, head)
    assert list(change_log.lines()) == []


def test_deleted_rows_come_back_out_of_the_texts_that_are_kept(store: Account) -> None:
    before = picture()
    for table in ("memory_entry", "memory_link", "memory_words", "memory_commitentry", "memory_tombstone"):
        by_sql(f"DELETE FROM {table}")
    assert rebuilt(store).left == ()
    assert picture() == before


def test_rows_that_swapped_what_only_one_may_have_are_untangled(store: Account) -> None:
    before = picture()
    one, two = Entry.objects.order_by("id")
    by_sql("UPDATE memory_entry SET address = 'x' WHERE id = %s", one.pk)
    by_sql("UPDATE memory_entry SET address = %s WHERE id = %s", one.address, two.pk)
    by_sql("UPDATE memory_entry SET address = %s WHERE id = %s", two.address, one.pk)
    rebuilt(store)
    assert picture() == before


def test_what_was_put_in_is_taken_out(store: Account) -> None:
    before = picture()
    Entry.objects.create(owner=store, address="mine", text=DOG)
    Entry.objects.create(pk=Tombstone.objects.get().entry, owner=store, address="back", text=DOG)
    for table, columns in (("memory_words_ready", "entry_id"), ("memory_vec_pending", "entry_id")):
        by_sql(f"INSERT INTO {table} ({columns}) VALUES (77)")
    rebuilt(store)
    assert picture() == before


def test_a_text_is_taken_from_the_row_that_still_has_it(store: Account) -> None:
    before = picture()
    by_sql("DELETE FROM memory_textversion WHERE text = %s", PORT)
    by_sql("UPDATE memory_textversion SET entry = 99, owner_id = owner_id, form = 1 WHERE text LIKE '%% now'")
    assert rebuilt(store).left == ()
    assert picture() == before


def test_words_that_are_kept_nowhere_are_named_and_left(store: Account) -> None:
    by_sql("DELETE FROM memory_textversion")
    by_sql("UPDATE memory_entry SET text = 'Words' WHERE text = %s", PORT)
    done = rebuilt(store)
    assert {each.table for each in done.left} == {"memory_entry", "memory_textversion"}
    assert Entry.objects.filter(text="Words").exists()
    assert {line.table for line in change_log.lines()} == {"memory_entry", "memory_textversion"}


def test_a_text_of_the_first_form_is_left_as_it_is_also_where_it_is_wrong(store: Account) -> None:
    entry = Entry.objects.get(text=PORT)
    for digest in (text_digest("salt", "An old text"), "wrong"):
        TextVersion.objects.create(owner=store, entry=entry.pk, salt="salt", text="An old text", digest=digest, form=1)
    assert [each.table for each in rebuilt(store).left] == ["memory_textversion"]
    assert TextVersion.objects.filter(form=1).count() == 2


def test_what_the_chain_does_not_say_is_named_and_left(store: Account) -> None:
    refuse(store, "question", "Is it on port 8080?")
    by_sql("UPDATE memory_refusal SET text = 'Is it?'")
    by_sql("UPDATE memory_erasure SET report = '{}'")
    done = rebuilt(store)
    assert {each.table for each in done.left} == {"memory_refusal", "memory_erasure"}
    assert Erasure.objects.get().report == {}


def test_vectors_that_are_the_ones_stay_and_others_are_made_anew_without_a_commit(store: Account) -> None:
    head, names = Commit.objects.latest("tick"), dict(Entry.objects.values_list("pk", "embedded"))
    one, two = Entry.objects.order_by("id")
    kept = Vector.objects.get(entry=two)
    by_sql("UPDATE memory_vector SET vector = zeroblob(2048) WHERE entry_id = %s", one.pk)
    by_sql("UPDATE memory_entry SET pinned = 0")
    by_sql("UPDATE memory_vector SET version = 9, dim = 3 WHERE entry_id = %s", two.pk)
    rebuilt(store)
    assert (Vector.objects.get().pk, vector_channel.count_pending()) == (kept.pk, 1)
    door = embedding.served()
    assert door is not None
    embed_some(door, 5)
    assert (Commit.objects.latest("tick"), dict(Entry.objects.values_list("pk", "embedded"))) == (head, names)
    assert verify(store).ok
    assert found(store, "Which port?", policy="vector") != []


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM memory_vec",
        "UPDATE memory_vec SET project = 'elsewhere'",
        "UPDATE memory_vec_chunks SET validity = zeroblob(128)",
        "UPDATE memory_vec_rowids SET chunk_offset = chunk_offset + 5",
        "UPDATE memory_vec_state SET regime = 'x'",
        "INSERT INTO memory_fts(memory_fts) VALUES ('delete-all')",
        "UPDATE memory_words SET words = 'other words', neighbours = 'too'",
    ],
)
def test_an_index_is_made_as_its_rows_are(store: Account, damage: str) -> None:
    before = picture()
    by_sql(damage)
    assert not verify(store).ok
    assert rebuilt(store).left == ()
    assert (picture(), word_index.check()) == (before, "")
    assert found(store, "Which port?", policy="vector", everything=True) != []
    assert verify(store).ok


def test_a_broken_chain_is_left_alone(store: Account) -> None:
    by_sql("UPDATE memory_entry SET pinned = 0")
    by_sql("UPDATE memory_commit SET cause = 'x' WHERE tick = 3")
    before = picture()
    for verb in (plan, rebuild):
        with pytest.raises(BrokenChainError):
            verb(store)
    assert picture() == before


def test_nothing_of_anybody_else_moves(store: Account, ben: Account) -> None:
    saved(ben, DOG)
    by_sql("UPDATE memory_entry SET pinned = 1 - pinned")
    his = Entry.objects.get(owner=ben)
    rebuilt(store)
    assert Entry.objects.get(owner=ben).pinned == his.pinned
    assert [each.row for each in verify(ben).findings] == [his.pk]
