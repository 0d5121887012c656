"""The command that compares the indexes with the entries: what it finds, and that it mends it."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from forgesite.models import Account
from memory import consistency, jobs, vector_channel
from memory.models import Vector
from memory.tests.entries import by_words, found, saved

#: What can go wrong behind Forge's back, the finding's code, and what it costs until it is repaired.
DAMAGE = {
    "a word row is gone": ("DELETE FROM memory_words WHERE entry_id = {id}", "words"),
    "a word row says something else": ("UPDATE memory_words SET words = 'nonsense' WHERE entry_id = {id}", "words"),
    "a word row of nothing": ("INSERT INTO memory_words (entry_id, words) VALUES (999, 'nobody')", "orphan"),
    "the full-text index lost a row": (
        "INSERT INTO memory_fts(memory_fts, rowid, words, neighbours) "
        "SELECT 'delete', entry_id, words, neighbours FROM memory_words WHERE entry_id = {id}",
        "fts",
    ),
    "an entry waits for nothing": (
        "DELETE FROM memory_vector WHERE entry_id = {id}; DELETE FROM memory_vec_pending",
        "vectors",
    ),
    "the index of vectors lost a row": (
        "DELETE FROM memory_vec WHERE rowid IN (SELECT id FROM memory_vector WHERE entry_id = {id})",
        "vector_index",
    ),
    "an index of the database is gone": ("DROP INDEX memory_entry_holds", "database_index"),
    "the index of vectors has another state": ("UPDATE memory_vec SET status = 'retracted'", "vector_index"),
}


def damage(sql: str) -> None:
    with connection.cursor() as cursor:
        for statement in sql.split("; "):
            cursor.execute(statement)


def command(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("consistency", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_what_is_in_step_is_counted_and_said_so(ana: Account, ben: Account) -> None:
    for owner in (ana, ben):
        saved(owner, "The test server runs on port 8080")
    counts = consistency.check().counts

    assert (counts.entries, counts.live, counts.words, counts.embedded, counts.pending) == (2, 2, 2, 2, 0)
    assert "Everything is in step." in command()[0]


@pytest.mark.parametrize("what", DAMAGE)
def test_what_is_out_of_step_is_found_and_mended(ana: Account, what: str) -> None:
    entry = saved(ana, "The test server runs on port 8080")
    saved(ana, "Le NiPoGi a 32 Go de RAM")
    assert found(ana, "Which port does the test server use?") == [entry.text]
    sql, code = DAMAGE[what]
    damage(sql.format(id=entry.pk))

    assert {step.code for step in consistency.check().out_of_step} == {code}
    with pytest.raises(CommandError):
        command()
    assert "Repaired" in command("--repair")[0]
    jobs.embed_pending()
    assert consistency.check().ok
    assert by_words(ana, "port 8080") == [entry.text]
    assert found(ana, "Which port does the test server use?", policy="vector", top_k=1) == [entry.text]


def test_an_edit_from_outside_is_followed_and_is_no_finding(ana: Account) -> None:
    entry = saved(ana, "The test server runs on port 8080")
    damage(f"UPDATE memory_entry SET text = 'The cat is called Mia' WHERE id = {entry.pk}")

    found_ = consistency.check()

    assert (found_.ok, found_.counts.pending) == (True, 1)
    assert by_words(ana, "Mia") == ["The cat is called Mia"]


def test_repair_leaves_what_is_in_step_and_the_ledger_alone(ana: Account) -> None:
    saved(ana, "The test server runs on port 8080")
    found(ana, "port")
    before = list(Vector.objects.values_list("id", "vector"))
    damage("INSERT INTO memory_words (entry_id, words) VALUES (999, 'nobody')")

    consistency.repair()

    assert list(Vector.objects.values_list("id", "vector")) == before
    assert vector_channel.count_pending() == 0
