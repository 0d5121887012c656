"""The lines that triggers write about every change of memory's tables, whoever makes it.

Forge's own writes take their lines away in their own transaction, so that what stands here was done from outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection, transaction

LAST = "SELECT COALESCE(MAX(id), 0) FROM memory_change_log"
CLEAR = "DELETE FROM memory_change_log WHERE id > %s"
DONE = "DELETE FROM memory_change_log WHERE id = %s"
OF_ROWS = "SELECT DISTINCT row_id FROM memory_change_log WHERE tbl = %s"
LINES = "SELECT id, tbl, row_id, did, at, owner_id, entry_id FROM memory_change_log ORDER BY id"


@dataclass(frozen=True)
class Line:
    """`did`: insert, update or delete. `at`: UTC, as SQLite writes it. `owner`, `entry`: None where nothing tells."""

    id: int
    table: str
    row: int
    did: str
    at: str
    owner: int | None
    entry: int | None


@contextmanager
def ours(*, savepoint: bool = True) -> Iterator[bool]:
    """A transaction whose changes are Forge's own: they leave no line. Nothing of an earlier one is cleared.

    Gives whether there is one: whether anything was changed from outside, that is, and not adopted or undone since.
    `savepoint` False: an error ends the transaction around it too. With one, SQLite takes longer for each further row.
    """
    with transaction.atomic(savepoint=savepoint), connection.cursor() as cursor:
        before = last()
        yield before > 0
        cursor.execute(CLEAR, [before])


def last() -> int:
    """The id of the last line; 0 where there is none."""
    with connection.cursor() as cursor:
        return int(cursor.execute(LAST).fetchone()[0])


def changed_outside(table: str) -> frozenset[int]:
    """The ids of the table's rows that were changed from outside. Next to always empty, and then it costs nothing."""
    with connection.cursor() as cursor:
        cursor.execute(OF_ROWS, [table])
        return frozenset(row[0] for row in cursor.fetchall())


def lines() -> Iterator[Line]:
    """What was changed from outside and neither adopted nor undone since, oldest first."""
    with connection.cursor() as cursor:
        cursor.execute(LINES)
        yield from (Line(*row) for row in cursor)


def clear(lines: Iterable[Line]) -> None:
    """Those alone. Only what adopts or undoes a change from outside takes its line away."""
    with connection.cursor() as cursor:
        cursor.executemany(DONE, [(line.id,) for line in lines])
