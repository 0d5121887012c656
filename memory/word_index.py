"""The index of folded words as a whole: is it sound, and how it is merged and made anew. See word_channel.py."""

from __future__ import annotations

from typing import Any

from django.db import DatabaseError, connection

PROBE = "SELECT COUNT(*) FROM memory_fts WHERE memory_fts MATCH 'words : forge'"
CHECK = "INSERT INTO memory_fts(memory_fts, rank) VALUES ('integrity-check', 1)"
#: Every term, and how many rows hold it, by reading the index from one end to the other.
LIST_TERMS = "CREATE VIRTUAL TABLE temp.memory_terms USING fts5vocab(main, memory_fts, row)"
TERMS = "SELECT term, doc FROM temp.memory_terms"
UNLIST_TERMS = "DROP TABLE temp.memory_terms"
ROWS_WITH = "SELECT COUNT(*) FROM memory_fts WHERE memory_fts MATCH %s"
MERGE = "INSERT INTO memory_fts(memory_fts, rank) VALUES ('merge', %s)"
REBUILD = "INSERT INTO memory_fts(memory_fts) VALUES ('rebuild')"


def merge(pages: int) -> bool:
    """Merge segments of the index, as much as makes so many pages; below zero: begin with all of them.

    True when there was nothing to merge. Words of deleted rows are in the older segments until then. FTS5's option
    for that, `secure-delete`, is none for us: SQLite 3.40 cannot write to a table that had it once.
    """
    with connection.cursor() as cursor:
        before = connection.connection.total_changes
        cursor.execute(MERGE, [pages])
        return bool(connection.connection.total_changes - before < 2)  # FTS5's own sign for it


def rebuild() -> None:
    """Make the index anew from its rows."""
    with connection.cursor() as cursor:
        cursor.execute(REBUILD)


def probe() -> str:
    """Empty when the index can be asked, else what SQLite says. Cheap: health asks often."""
    return _complaint(PROBE)


def check() -> str:
    """Empty when the index agrees with its rows, else what SQLite says. It reads all of both, under the write lock.

    PRAGMA integrity_check does not see a difference.
    """
    return _complaint(CHECK)


def finds_all() -> bool:
    """Does a search find every term in all the rows that hold it? `check` reads the index as a whole, and does not see
    where a search is led astray on its way into it. 1.4 s of CPU for 100,000 terms."""
    try:
        with connection.cursor() as cursor, connection.cursor() as search:
            cursor.execute(LIST_TERMS)
            cursor.execute(TERMS)  # read through Django's cursor, whose errors are Django's
            return all(_found(search, term) == rows for term, rows in cursor)
    except DatabaseError:
        return False
    finally:
        _complaint(UNLIST_TERMS)


def _found(cursor: Any, term: str) -> int:
    """How many rows of all owners hold the term, by a search."""
    phrase = term.replace('"', '""')
    return int(cursor.execute(ROWS_WITH, [f'"{phrase}"']).fetchone()[0])


def _complaint(statement: str) -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute(statement)
    except DatabaseError as error:
        return str(error)
    return ""
