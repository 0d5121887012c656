"""Takes out of the database file what SQLite keeps of deleted rows: pages, the write-ahead log, segments of FTS5.

Deleted rows are overwritten in their pages (`secure_delete`, see settings), but the log holds older pages until it is
written back, and FTS5 holds the words of deleted rows in its older segments until those are merged.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DatabaseError, OperationalError, connection

from memory import word_index

#: Index pages of one merge, which holds the write lock for about ten milliseconds.
PAGES = 300
#: How long a person waits for it; the worker does the rest.
AT_ONCE = 0.3
#: How long a checkpoint waits for those who read.
PATIENCE_MS = 250

TRUNCATE = "PRAGMA wal_checkpoint(TRUNCATE)"


def scrub(seconds: float = AT_ONCE) -> bool:
    """True when nothing is left of what was deleted. False: others read or write, or the time is over. Never raises.

    Inside a transaction the log cannot be written back, and the answer is False.
    """
    try:
        whole = merged(seconds)
        return written_back() and whole
    except DatabaseError:
        return False


def merged(seconds: float) -> bool:
    """Merge the segments of the word index into one, in small steps. Is it one?"""
    end, pages = time.monotonic() + seconds, -PAGES
    while time.monotonic() < end:
        if word_index.merge(pages):
            return True
        pages = PAGES
    return False


def written_back() -> bool:
    """Write the log back into the file, and empty it. Not while somebody reads what is older."""
    if connection.in_atomic_block:
        return False
    with connection.cursor() as cursor, _impatient(cursor):
        cursor.execute(TRUNCATE)
        return int(cursor.fetchone()[0]) == 0


@contextmanager
def _impatient(cursor: Any) -> Iterator[None]:
    cursor.execute("PRAGMA busy_timeout")
    [usual] = cursor.fetchone()
    try:
        cursor.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
        yield
    finally:
        cursor.execute(f"PRAGMA busy_timeout = {int(usual)}").fetchall()


def compact() -> None:
    """Make the word index anew and the file as small as its rows. Raises OperationalError while others write.

    Each step is a transaction of its own, so that a kill between or within them leaves the database whole.
    """
    word_index.rebuild()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        # What ANALYZE sampled of the rows as they were; nobody's file has it unless they asked for it.
        cursor.execute("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1'")
        if cursor.fetchone():
            cursor.execute("ANALYZE")
    if not written_back():
        raise OperationalError("database is locked")
