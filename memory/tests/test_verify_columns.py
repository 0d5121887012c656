"""Any column of any table of memory that was changed with SQL is found, and its table and row are named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction

from forgesite.models import Account
from memory import vector_channel, word_index
from memory.forget import forget
from memory.given.gathered import Found, Gathered
from memory.proof.findings import Finding
from memory.recall import Query, recall
from memory.receipts import seal
from memory.refuse import refuse
from memory.relate import relate
from memory.tests.entries import by_sql, count_of, saved
from memory.tests.entries import found as texts
from memory.verify import verify

#: What nothing tells, and why that is right.
UNTOLD = {
    ("memory_vec_pending", "why"): "what the desk shows of a try that failed",
    ("memory_vec_pending", "tries"): "how soon it is tried again",
    ("memory_vec_pending", "retry_at"): "when it is tried again",
    ("memory_vec_moved", "id"): "only which part of it a running process has read",
    ("memory_vec_moved", "vector_id"): "a row that a running process has not read yet",
    ("memory_vec_moved", "mark"): "where it is another, all vectors are read anew",
    ("memory_change_log", "id"): "only the order of its lines",
    ("memory_change_log", "did"): "what is told is what is there, and not what was done",
    ("memory_change_log", "at"): "only said to the person",
    ("memory_change_log", "owner_id"): "only in whose proof it is told",
    ("memory_change_log", "entry_id"): "only helps to name what a line is of",
    ("memory_fts_idx", "segid"): "of a segment's first page: a search begins there without it",
    ("memory_fts_idx", "term"): "of a segment's first page: a search begins there without it",
    ("memory_fts_config", "v"): "one format more is known; any other is refused by SQLite as it opens the table",
    ("memory_vec_info", "key"): "vec0 writes it once, and reads it nowhere",
    ("memory_vec_info", "value"): "vec0 writes it once, and reads it nowhere",
    ("memory_vec_rowids", "id"): "only for tables with text as their key",
    ("memory_receiptentry", "id"): "only the number of a line in an index",
}
UNTOLD |= {
    (f"memory_vec_{name}", "rowid"): "vec0 reads its blobs by the number of the row, which is another column"
    for name in ("vector_chunks00", *(f"metadatachunks0{number}" for number in range(5)))
}
#: Told where the number that the row gets instead is of no new vector, which is as chance has it.
BY_CHANCE = {("memory_vec_queue", "vector_id")}
#: vec0 keeps texts of more than 12 bytes there, and no kind or status is that long.
EMPTY = ("memory_vec_metadatatext02", "memory_vec_metadatatext03")
#: What a person set or asked to be measured: no part of memory, and no ledger speaks of it.
NO_MEMORY = ("memory_alias", "memory_calibration", "memory_goldenquestion", "memory_goldenentry")
#: Where something else shows it: a vector that is queued no more, a word index as a whole.
SHOWN_BY = {"memory_words_queue": ("memory_words",), "memory_change_log": ("memory_refusal", "memory_refusalx")}
TABLES = """
SELECT name FROM sqlite_master
WHERE type = 'table' AND name LIKE 'memory!_%' ESCAPE '!' AND sql NOT LIKE 'CREATE VIRTUAL%'
"""

#: A table's key, and what its rows are numbered by.
KEY = """
SELECT i.name, CASE WHEN l.wr THEN i.name ELSE 'rowid' END
FROM pragma_table_list l, pragma_table_info(l.name) i WHERE l.name = %s AND i.pk = 1
"""


@pytest.fixture
def store(ana: Account) -> Account:
    """A row in every table, and nobody has looked for anything since. The indexes hold nothing of another test."""
    word_index.rebuild()
    vector_channel.unmake()
    gone, old, new = (
        saved(ana, f"The test server number {n} runs on port 8080", project="The test servers in Lyon")
        for n in (1, 2, 3)
    )
    relate(ana, new.pk, "supersedes", old.pk, actor="person", cause="test")
    found = Found("recall", recall(ana, Query("Which port?")))
    seal(ana, Gathered([found], read={new.pk: new.text}), run_id="run")
    forget(ana, [gone.pk], actor="person", cause="test")
    for question in ("Is it on port 8080?", "Where is the dog?"):
        refuse(ana, "question", question)
    texts(ana, "port")
    by_sql("INSERT INTO memory_words_ready (entry_id) VALUES (%s)", new.pk)
    by_sql("UPDATE memory_entry SET text = 'An edit with several words' WHERE id = %s", old.pk)
    by_sql("INSERT INTO memory_vec_queue (vector_id) VALUES (999)")
    by_sql("UPDATE memory_refusal SET text = 'Is it?' WHERE id = (SELECT MIN(id) FROM memory_refusal)")
    Account.objects.create_user("somebody else")
    return ana


def columns() -> Iterator[tuple[str, str]]:
    with connection.cursor() as cursor:
        tables = [table for (table,) in cursor.execute(TABLES).fetchall() if table not in NO_MEMORY]
        assert [table for table in tables if not count_of(table)] == [*EMPTY]
        for table in (table for table in tables if table not in EMPTY):
            for column in cursor.execute(f"SELECT name FROM pragma_table_info('{table}')").fetchall():
                yield table, column[0]


def changed(table: str, column: str) -> list[int]:
    """Give one row another value in this column. Returns the row's number before and after."""
    with connection.cursor() as cursor:
        key, number = cursor.execute(KEY, [table]).fetchone() or ("rowid", "rowid")
        row, value, kind = cursor.execute(
            f'SELECT {number}, "{column}", typeof("{column}") FROM {table} ORDER BY {number} DESC LIMIT 1'
        ).fetchone()
        cursor.execute(f'UPDATE {table} SET "{column}" = %s WHERE {number} = %s', [another(value, kind), row])
    return [row, another(value, kind)] if key == column else [row]


def another(value: Any, kind: str) -> Any:
    if kind == "blob":
        return bytes(len(value))
    return f"{value}x" if kind == "text" else (value or 0) + 1


def tells(finding: Finding, table: str, rows: list[int], before: set[Finding]) -> bool:
    if finding in before:
        return False
    if table.startswith("memory_fts_"):
        return finding.table == "memory_fts"
    if table.startswith("memory_vec_") and table not in ("memory_vec_state", "memory_vec_pending"):
        return finding.table == "memory_vec"
    if table in SHOWN_BY:
        return finding.table in SHOWN_BY[table]
    return finding.table == table and finding.row in rows


def test_any_column_that_is_changed_is_found_and_named(store: Account) -> None:
    by_sql("PRAGMA ignore_check_constraints = ON")
    before, silent = set(verify().findings), []
    for table, column in columns():
        try:
            with transaction.atomic():
                rows = changed(table, column)
                if not any(tells(finding, table, rows, before) for finding in verify().findings):
                    silent.append((table, column))
                raise Taken
        except Taken:
            pass
    assert " ".join(map(str, sorted((set(silent) ^ set(UNTOLD)) - BY_CHANCE))) == ""


def test_a_word_that_a_search_is_led_past_is_found(ana: Account) -> None:
    """The index as a whole still agrees with its rows."""
    saved(ana, " ".join(f"word{number}" for number in range(3000)))
    by_sql("DELETE FROM memory_fts_idx WHERE term > (SELECT MIN(term) FROM memory_fts_idx)")
    assert word_index.check() == ""
    assert [(each.code, each.table, each.column) for each in verify().findings] == [("index", "memory_fts", "terms")]


class Taken(Exception):
    """Back to how it was."""
