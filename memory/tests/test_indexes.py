"""The two indexes follow the rows, whoever writes: a verb, the ORM in bulk, or a plain SQLite shell."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.test import override_settings
from django_q.models import OrmQ
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from pytest_django import DjangoAssertNumQueries

from forgesite.models import Account
from forgesite.testing import EXAMPLES
from memory import jobs, vector_channel, word_channel, word_index
from memory.forget import forget
from memory.health import embedding_health, store_health
from memory.models import Entry, Vector
from memory.revise import Changes, revise
from memory.tests.entries import by_words, count_of, found, index_is_whole, run_in_a_shell, saved

shell = pytest.mark.django_db(transaction=True)


@shell
def test_a_delete_from_a_shell_is_honoured(ana: Account, tmp_path: Path) -> None:
    entry = saved(ana, "The test server runs on port 8080")
    saved(ana, "The dog is called Rex")
    assert found(ana, "Which port does the test server use?") == [entry.text]
    run_in_a_shell(tmp_path, f"DELETE FROM memory_entry WHERE id = {entry.pk};")
    assert (count_of("memory_words"), count_of("memory_vector")) == (1, 1)
    assert found(ana, "Which port does the test server use?") == []
    assert (count_of("memory_vec"), index_is_whole()) == (1, True)


@shell
def test_an_edit_from_a_shell_is_found_by_its_new_words_and_meaning(ana: Account, tmp_path: Path) -> None:
    entry = saved(ana, "The test server runs on port 8080")
    found(ana, "port")
    run_in_a_shell(tmp_path, f"UPDATE memory_entry SET text = 'Les chevaux sont à l''écurie' WHERE id = {entry.pk};")
    assert count_of("memory_vector") == 0
    assert by_words(ana, "8080") == []
    assert by_words(ana, "CHEVAL ecurie") == ["Les chevaux sont à l'écurie"]
    assert found(ana, "Where are the horses?", policy="vector") == ["Les chevaux sont à l'écurie"]
    assert index_is_whole()


@shell
def test_a_state_changed_from_a_shell_is_honoured_in_both_channels(ana: Account, tmp_path: Path) -> None:
    entry = saved(ana, "The test server runs on port 8080")
    found(ana, "port")
    run_in_a_shell(tmp_path, f"UPDATE memory_entry SET status = 'retracted' WHERE id = {entry.pk};")
    for policy in ("vector", "lexical"):
        assert found(ana, "Which port does the test server use?", policy=policy) == []


@shell
def test_or_replace_and_or_ignore_from_a_shell_leave_the_indexes_right(ana: Account, tmp_path: Path) -> None:
    one, two = saved(ana, "The test server runs on port 8080"), saved(ana, "The dog is called Rex")
    found(ana, "port")
    columns = ", ".join(field.column for field in Entry._meta.concrete_fields)
    other = columns.replace("text", "'The cat is called Mia'").replace("address", "'new'", 1)
    same_address = columns.replace("id,", "NULL,", 1).replace("text", "'The boat is called Aurora'")
    run_in_a_shell(
        tmp_path,
        f"INSERT OR IGNORE INTO memory_entry ({columns}) SELECT {columns} FROM memory_entry;"
        f"INSERT OR REPLACE INTO memory_entry ({columns}) SELECT {other} FROM memory_entry WHERE id = {one.pk};"
        f"INSERT OR REPLACE INTO memory_entry ({columns}) SELECT {same_address} FROM memory_entry WHERE id = {two.pk};",
    )
    assert sorted(by_words(ana, "server dog cat boat")) == ["The boat is called Aurora", "The cat is called Mia"]
    assert found(ana, "What is the boat called?", policy="vector", top_k=1) == ["The boat is called Aurora"]
    assert (count_of("memory_words"), count_of("memory_vector"), index_is_whole()) == (2, 2, True)


@shell
def test_everything_wiped_from_a_shell_heals_at_the_next_search(ana: Account, tmp_path: Path) -> None:
    saved(ana, "The test server runs on port 8080")
    found(ana, "port")
    run_in_a_shell(tmp_path, "DELETE FROM memory_entry; VACUUM;")
    assert found(ana, "port") == []
    assert [count_of(table) for table in ("memory_words", "memory_vector", "memory_vec", "memory_vec_queue")] == [0] * 4


def test_bulk_writes_of_the_orm_are_followed(ana: Account) -> None:
    saved(ana, "The test server runs on port 8080")
    Entry.objects.update(text="The gardener waters the tomatoes")
    assert found(ana, "tomatoes") == ["The gardener waters the tomatoes"]
    rows = [Entry(owner=ana, address=str(number), text=f"A plain row number {number}") for number in range(3)]
    Entry.objects.bulk_create(rows)
    assert len(by_words(ana, "plain")) == 0  # in more rows than a word may be to admit a fact
    assert by_words(ana, "plain 2")[0] == "A plain row number 2"
    Entry.objects.filter(address="2").update(owner=Account.objects.create_user("eve"))
    assert by_words(ana, "2") == []
    assert index_is_whole()


def test_what_was_saved_without_an_embedder_gets_its_vector_later(ana: Account, words_only: None) -> None:
    saved(ana, "A day in Rome")
    assert (Vector.objects.count(), vector_channel.count_pending(), jobs.embed_pending()) == (0, 1, 0)
    with override_settings(FORGE=django_settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "bundled"})):
        assert found(ana, "Italy trip", policy="vector") == ["A day in Rome"]


def test_pending_entries_get_their_vectors(
    ana: Account, django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[list[object]]]
) -> None:
    Entry.objects.bulk_create(Entry(owner=ana, address=str(n), text=f"Day {n} in Rome") for n in range(40))
    assert store_health().pending == 40
    with django_capture_on_commit_callbacks(execute=True):
        found(ana, "Rome")
    assert (store_health().pending, OrmQ.objects.count()) == (8, 1)
    assert jobs.embed_pending() == 8
    assert (store_health().pending, Vector.objects.count(), jobs.embed_pending()) == (0, 40, 0)


def test_another_model_makes_another_index_and_keeps_the_old_vectors(ana: Account) -> None:
    entry = saved(ana, "The test server runs on port 8080")
    assert found(ana, "Which port does the test server use?", policy="vector") == [entry.text]
    vector_channel.sync("e3b0c4.other", 8)
    assert (count_of("memory_vec"), Vector.objects.count(), vector_channel.count_pending()) == (0, 1, 1)
    assert found(ana, "Which port does the test server use?", policy="vector") == [entry.text]
    assert vector_channel.count_pending() == 0


def test_a_broken_word_index_is_seen(ana: Account) -> None:
    saved(ana, "The test server runs on port 8080")
    assert word_index.check() == ""
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO memory_fts(memory_fts, rowid, words, neighbours) VALUES ('delete', 1, 'port', '')")
    assert word_index.check() != ""


def test_words_are_searched_without_their_index_too(ana: Account, caplog: pytest.LogCaptureFixture) -> None:
    entry = saved(ana, "The test server runs on port 8080")
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX memory_entry_holds")
    assert by_words(ana, "port 8080") == [entry.text]
    assert "consistency --repair" in caplog.text


def test_of_so_many_entries_the_words_are_counted_at_once(
    ana: Account, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ids = [saved(ana, text).pk for text in ("The test server runs on port 8080", "Le NiPoGi a 32 Go de RAM")]
    with django_assert_num_queries(1):
        assert word_channel.rows_of([*ids, *range(10**6, 10**6 + 3000)]) == 2


def test_health_says_when_words_cannot_be_searched(ana: Account) -> None:
    assert store_health().words is True
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE memory_fts RENAME TO elsewhere")
    assert "memory_fts" in str(store_health().words)


def test_health_names_the_regime_and_the_cutoff(db: None) -> None:
    health = embedding_health()
    assert (health.provider, health.dim, health.ready) == ("bundled", 512, True)
    assert health.regime.startswith("e3b0c4.")
    assert health.cutoff is not None
    assert health.cutoff.endswith(health.regime)


WORDS = st.sampled_from(["port server", "dog Rex", "東京 に行く", "C++ parser", "l'école de Zoé", "node.js proxy"])


PICK = st.integers(0, 100)


class Writing(RuleBasedStateMachine):
    """Any sequence of writes leaves index and rows in step."""

    def __init__(self) -> None:
        super().__init__()
        self.owner = Account.objects.create_user(f"owner{Account.objects.count()}")
        self.made = 0

    def one(self, pick: int) -> Entry | None:
        rows = list(Entry.objects.of(self.owner).order_by("id"))
        return rows[pick % len(rows)] if rows else None

    @rule(words=WORDS)
    def create(self, words: str) -> None:
        self.made += 1
        saved(self.owner, f"{words} {self.made}")

    @rule(words=WORDS)
    def create_in_bulk(self, words: str) -> None:
        self.made += 3
        rows = [Entry(owner=self.owner, address=f"{self.owner.pk}-{self.made}-{n}", text=words) for n in range(3)]
        Entry.objects.bulk_create(rows)

    @rule(words=WORDS, pick=PICK)
    def edit(self, words: str, pick: int) -> None:
        if entry := self.one(pick):
            revise(self.owner, entry.pk, Changes(text=words), version=None, actor="person", cause="test")

    @rule(words=WORDS)
    def edit_by_the_orm(self, words: str) -> None:
        Entry.objects.of(self.owner).update(text=words)

    @rule(words=WORDS)
    def edit_by_sql(self, words: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE OR REPLACE memory_entry SET text = text || %s WHERE id %% 2 = 0", [words])

    @rule(status=st.sampled_from(["archived", "active", "retracted"]), pick=PICK)
    def move(self, status: str, pick: int) -> None:
        if entry := self.one(pick):
            revise(self.owner, entry.pk, Changes(status=status), version=None, actor="person", cause="test")

    @rule(pick=PICK)
    def forget(self, pick: int) -> None:
        if entry := self.one(pick):
            forget(self.owner, [entry.pk], actor="person", cause="test")

    @rule()
    def delete_by_the_orm(self) -> None:
        Entry.objects.of(self.owner).filter(pk__gte=self.made).delete()

    @rule(words=WORDS)
    def search(self, words: str) -> None:
        found(self.owner, words, top_k=50, everything=True)
        ids = set(Entry.objects.values_list("pk", flat=True))
        with connection.cursor() as cursor:
            cursor.execute("SELECT entry_id FROM memory_vec")
            assert {row[0] for row in cursor.fetchall()} <= ids
            assert count_of("memory_words_queue") == count_of("memory_vec_queue") == 0

    @invariant()
    def in_step(self) -> None:
        assert index_is_whole()
        assert count_of("memory_words") == Entry.objects.count()
        assert not Vector.objects.exclude(entry__in=Entry.objects.all()).exists()
        assert count_of("memory_words_ready") == 0


class AnySequence(TestCase):
    def test_any_sequence_of_writes_leaves_the_indexes_in_step(self) -> None:
        run_state_machine_as_test(
            Writing, settings=settings(max_examples=max(5, EXAMPLES // 20), stateful_step_count=20, deadline=None)
        )
