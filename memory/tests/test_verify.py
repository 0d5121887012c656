"""A proof: it is clean after any verb, and names what was changed by anybody else, and who saw it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from forgesite.models import Account
from memory import change_log, ledger, move, vector_channel
from memory.forget import forget
from memory.models import Commit, Entry, Tombstone, Vector
from memory.refuse import refuse
from memory.relate import relate
from memory.revise import Changes, revise
from memory.tests.entries import by_sql, found, saved
from memory.verify import verify

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
PORT, OTHER = "The test server runs on port 8080", "The test server runs on port 9090"


@pytest.fixture
def store(ana: Account) -> Account:
    """Something in every table of memory."""
    old, new, gone = saved(ana, PORT), saved(ana, OTHER, key="port"), saved(ana, "The dog is called Rex")
    revise(ana, new.pk, Changes(text=f"{OTHER} now"), version=None, **WHO)
    relate(ana, new.pk, "supersedes", old.pk, **WHO)
    forget(ana, [gone.pk], **WHO)
    refuse(ana, "question", "Is it on port 8080?")
    found(ana, "port")
    return ana


def named(owner: Account | None = None) -> list[tuple[str, str, str, bool]]:
    return [(each.code, each.table, each.column, each.outside) for each in verify(owner).findings]


@contextmanager
def unseen(table: str) -> Iterator[None]:
    """As damage comes: no trigger sees it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table])
        triggers = cursor.fetchall()
        for name, _sql in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        yield
        for _name, sql in triggers:
            cursor.execute(sql)


def test_a_store_that_only_verbs_wrote_to_is_proved(store: Account) -> None:
    report = verify(store)
    assert (report.ok, report.findings) == (True, ())
    assert (report.commits, report.entries) == (Commit.objects.count(), 2)
    assert report.head == Commit.objects.latest("tick").address
    assert verify().ok


def test_a_clock_that_goes_back_breaks_no_chain(store: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Commit.objects.latest("tick")
    monkeypatch.setattr(timezone, "now", lambda: before.at - timedelta(days=1))
    move.archive(store, Entry.objects.get(key="port").pk, **WHO)
    assert Commit.objects.latest("tick").at == before.at
    assert verify().ok


def test_more_findings_than_anybody_reads_are_counted(store: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.verify.MOST", 1)
    by_sql("UPDATE memory_entry SET pinned = 1 - pinned, project = 'elsewhere'")
    report = verify()
    assert (len(report.findings), report.more > 0, report.ok) == (1, True, False)


def test_an_empty_memory_is_proved_too(ana: Account) -> None:
    assert verify(ana) == verify(ana).__class__(True, 0, 0, "", ())


def test_an_edit_from_a_shell_is_told_from_damage(store: Account) -> None:
    entry = Entry.objects.get(key="port")
    by_sql("UPDATE memory_entry SET text = 'Other words' WHERE id = %s", entry.pk)
    with unseen("memory_link"):
        by_sql("UPDATE memory_link SET type = 'conflicts'")
    assert ("differs", "memory_entry", "text", True) in named()
    assert ("differs", "memory_link", "type", False) in named()
    assert all("Other words" not in finding.message for finding in verify().findings)


def test_a_broken_chain_is_one_finding_and_nothing_is_judged_by_it(store: Account) -> None:
    with unseen("memory_commit"):
        by_sql("UPDATE memory_commit SET cause = 'another' WHERE tick = 2")
    by_sql("UPDATE memory_entry SET pinned = 1")
    report = verify(store)
    assert [(each.code, each.column) for each in report.findings] == [("broken_chain", "address")]
    assert report.commits == 1
    assert "commit 2" in report.findings[0].message


@pytest.mark.parametrize("with_index", [False, True])
def test_a_chain_that_was_cut_off_at_its_end_is_broken(store: Account, with_index: bool) -> None:
    head = Commit.objects.latest("tick")
    by_sql("PRAGMA defer_foreign_keys = ON")
    if with_index:
        by_sql("DELETE FROM memory_commitentry WHERE commit_id = %s", head.pk)
    by_sql("DELETE FROM memory_commit WHERE id = %s", head.pk)
    assert named(store) == [("broken_chain", "memory_commit", "tick", True)]
    by_sql("DELETE FROM memory_commitentry")


def test_a_row_that_came_back_after_it_was_forgotten_is_named(store: Account) -> None:
    gone = Tombstone.objects.get().entry
    Entry.objects.create(pk=gone, owner=store, address="back", text="The dog is called Rex")
    assert ("forgotten", "memory_entry", "", True) in named()


def test_a_row_that_another_took_the_place_of_is_an_edit_from_outside(store: Account) -> None:
    """OR REPLACE fires no trigger for the row that it takes away."""
    entry = Entry.objects.get(key="port")
    columns = ", ".join(field.column for field in Entry._meta.concrete_fields if field.column != "id")
    by_sql(f"INSERT OR REPLACE INTO memory_entry ({columns}) SELECT {columns} FROM memory_entry WHERE key = 'port'")
    assert ("missing", "memory_entry", "", True) in named()
    assert ("extra", "memory_entry", "", True) in named()
    assert not Entry.objects.filter(pk=entry.pk).exists()
    found(store, "port")  # a search takes away what the row left in the indexes, and that is Forge's own doing
    assert {line.table for line in change_log.lines()} == {"memory_entry"}


def test_what_was_changed_and_changed_back_is_named_until_somebody_says_so(store: Account) -> None:
    for value in (1, 0):
        by_sql("UPDATE memory_entry SET pinned = %s WHERE key = 'port'", value)
    assert named() == [("touched", "memory_entry", "", True)]


def test_an_edit_that_a_verb_stated_since_names_its_commit(store: Account) -> None:
    by_sql("UPDATE memory_entry SET text = 'Other words' WHERE key = 'port'")
    archived = move.archive(store, Entry.objects.get(key="port").pk, **WHO)
    [finding] = verify(store).findings
    assert (finding.code, finding.row) == ("recorded", archived.pk)
    assert f"commit {Commit.objects.latest('tick').tick} " in finding.message


def test_everybody_is_shown_their_own_alone(store: Account, ben: Account) -> None:
    his = saved(ben, "The boat is called Aurora")
    by_sql("UPDATE memory_entry SET pinned = 1 WHERE id = %s", his.pk)
    assert verify(store).ok
    assert [finding.row for finding in verify(ben).findings] == [his.pk]
    by_sql("UPDATE memory_entry SET owner_id = %s, pinned = 0 WHERE id = %s", store.pk, his.pk)
    assert named(ben) == [("differs", "memory_entry", "owner_id", True)]
    assert named(store) == [("extra", "memory_entry", "", True)]


def test_an_entry_that_waits_for_its_vectors_is_no_finding(ana: Account, words_only: None) -> None:
    saved(ana, PORT)
    assert vector_channel.count_pending() == 1
    assert verify().ok


def test_vectors_that_are_gone_and_waited_for_by_nobody_are_named(store: Account) -> None:
    with unseen("memory_vector"):
        by_sql("DELETE FROM memory_vector WHERE entry_id = %s", Entry.objects.get(key="port").pk)
    codes = {finding[:2] for finding in named()}
    assert codes == {("missing", "memory_vector"), ("extra", "memory_vec")}


def test_a_vector_that_the_index_does_not_have_is_named_to_its_owner(store: Account, ben: Account) -> None:
    missing = Vector.objects.get(entry=Entry.objects.get(key="port"))
    by_sql("DELETE FROM memory_vec WHERE rowid = %s", missing.pk)
    assert [(each.table, each.row, each.code) for each in verify(store).findings] == [
        ("memory_vec", missing.pk, "index")
    ]
    assert verify(ben).ok


@pytest.mark.parametrize(
    ("table", "column", "code"),
    [
        ("memory_entry", "text", "differs"),
        ("memory_vector", "vector", "differs"),
        ("memory_commit", "cause", "broken_chain"),
    ],
)
def test_what_is_no_text_any_more_is_named_and_stops_nothing(
    store: Account, table: str, column: str, code: str
) -> None:
    by_sql(f"UPDATE {table} SET {column} = CAST(x'41ff' AS TEXT) WHERE id = (SELECT MAX(id) FROM {table})")
    assert (code, table) in {finding[:2] for finding in named(store)}


def test_commits_of_the_first_form_are_held_to_their_hashes(store: Account) -> None:
    """They say no whole entries, and were not stored as canonical JSON."""
    made = Commit.objects.get(tick=1)
    made.form, made.changes = 1, [{"do": "create", "kind": "fact", "text": "a digest"}]
    Commit.objects.exclude(pk=made.pk).delete()
    by_sql(
        "UPDATE memory_commit SET form = 1, changes = %s, address = %s",
        json.dumps(made.changes, indent=1),
        ledger.address_of(made),
    )
    assert verify(store).commits == 1
    by_sql("UPDATE memory_commit SET changes = '[]'")
    assert verify(store).commits == 0
