"""What writes and reads `memory_words` and `memory_fts`, the index of folded words; word_index.py keeps it sound.

FTS5 finds the rows that hold a term; its own bm25 counts the rows of all owners, so rarity and order are made in
domain/ranking.py from the owner's rows alone.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from django.db import OperationalError, connection
from numpy.typing import NDArray

from memory import change_log
from memory.domain.scope import Scope
from memory.domain.words import Term, indexed
from memory.vector_channel import SHOWN

log = logging.getLogger(__name__)
FOLDED_AT_ONCE = 500

QUEUED = "SELECT EXISTS (SELECT 1 FROM memory_words_queue)"
NEXT_QUEUED = """
SELECT q.entry_id, e.text FROM memory_words_queue q LEFT JOIN memory_entry e ON e.id = q.entry_id
ORDER BY q.entry_id LIMIT %s
"""
NEXT_ID = "SELECT COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'memory_entry'), 0) + 1"
PREPARE = "INSERT INTO memory_words (entry_id, words) VALUES (%s, %s)"
READY = "INSERT INTO memory_words_ready (entry_id) VALUES (%s)"
WRITE = "UPDATE memory_words SET words = %s WHERE entry_id = %s"
DROP = "DELETE FROM memory_words WHERE entry_id = %s"
DROP_VECTORS = "DELETE FROM memory_vector WHERE entry_id = %s"
UNQUEUE = "DELETE FROM memory_words_queue WHERE entry_id = %s"
COUNT = "SELECT COUNT(*) FROM memory_entry WHERE owner_id = %s"
#: One number a row: four times its id, and 0 where it is not of the kind, project and states asked for, 1 where it is a
#: deliberate one, 2 for an exchange or a summary. One text of them all: a common word has thousands of rows, and with
#: each that is fetched by itself the interpreter is taken from the event loop and given back. By an index that has all
#: of it: of 16,000 rows 8 ms of CPU, where the rows with their texts take 24. SQLite would take those, by their ids.
OF_ROW = """group_concat(
    4 * e.id + CASE WHEN NOT ({shown}) THEN 0 WHEN e.kind IN ('exchange', 'summary') THEN 2 ELSE 1 END
)"""
INDEX = "memory_entry_holds"
BY_INDEX = f" INDEXED BY {INDEX}"
HOLDERS = f"""
SELECT {OF_ROW}
FROM memory_fts f CROSS JOIN memory_entry e{BY_INDEX} ON e.id = f.rowid
WHERE memory_fts MATCH %s AND e.owner_id = %s
"""
DATED = f"SELECT {OF_ROW} FROM memory_entry e WHERE ({{spans}}) AND e.owner_id = %s"
SPAN = "(e.said_at >= %s AND e.said_at < %s) OR (e.event_at >= %s AND e.event_at < %s)"
YEARS = """
SELECT CAST(substr(MIN(said_at), 1, 4) AS INTEGER), CAST(substr(MAX(said_at), 1, 4) AS INTEGER)
FROM memory_entry WHERE owner_id = %s
"""
#: In one text, as above: id, 1 for a deliberate one, and when it was said.
SAID = """
SELECT group_concat(e.id || ' ' || (e.kind NOT IN ('exchange', 'summary')) || ' ' || e.said_at, ',')
FROM memory_entry e WHERE e.owner_id = %s AND e.id IN ({ids})
"""
WORDS_OF = """
SELECT w.entry_id, w.words, {state} FROM memory_words w JOIN memory_entry e ON e.id = w.entry_id
WHERE w.entry_id IN ({ids}) ORDER BY w.entry_id
"""
#: Of each exchange, the ones before and after it: in its conversation, or in the order in which one writer sent them.
BESIDE = """
SELECT e.id, (
    SELECT o.id FROM memory_entry o WHERE o.owner_id = e.owner_id AND o.conversation = e.conversation
    AND (o.said_at, o.id) < (e.said_at, e.id) AND o.kind = e.kind AND o.project = e.project
    ORDER BY o.said_at DESC, o.id DESC LIMIT 1
), (
    SELECT o.id FROM memory_entry o WHERE o.owner_id = e.owner_id AND o.conversation = e.conversation
    AND (o.said_at, o.id) > (e.said_at, e.id) AND o.kind = e.kind AND o.project = e.project
    ORDER BY o.said_at, o.id LIMIT 1
) FROM memory_entry e WHERE e.kind = 'exchange' AND e.id IN ({ids})
"""
ROWS_OF = "SELECT COUNT(*) FROM memory_words WHERE entry_id IN (SELECT value FROM json_each(%s))"


HIDDEN, DELIBERATE, WRITTEN = 0, 1, 2
#: From when until before when; both aware.
Span = tuple[datetime, datetime]


@dataclass(frozen=True)
class Words:
    """The folded words of a row, and its state."""

    words: str
    state: str


def sync() -> None:
    """Fold the words of every entry that changed outside a verb. Cheap when none did."""
    with connection.cursor() as cursor:
        cursor.execute(QUEUED)
        if not cursor.fetchone()[0]:
            return
    with change_log.ours(), connection.cursor() as cursor:
        while _drain(cursor):
            pass


def _drain(cursor: Any) -> bool:
    cursor.execute(NEXT_QUEUED, [FOLDED_AT_ONCE])
    rows = cursor.fetchall()
    gone = [(entry,) for entry, text in rows if text is None]
    for statement in (DROP, DROP_VECTORS):
        cursor.executemany(statement, gone)
    cursor.executemany(WRITE, [(indexed(text), entry) for entry, text in rows if text is not None])
    cursor.executemany(UNQUEUE, [(entry,) for entry, _ in rows])
    return len(rows) == FOLDED_AT_ONCE


def prepare(texts: Sequence[str]) -> range:
    """Write the folded words of entries about to be inserted, and return the ids that those must have.

    Call it inside the immediate transaction that inserts them: ids are only free as long as nobody else writes.
    """
    rows = [indexed(text) for text in texts]
    with connection.cursor() as cursor:
        cursor.execute(NEXT_ID)
        first = int(cursor.fetchone()[0])
        ids = range(first, first + len(rows))
        cursor.executemany(PREPARE, list(zip(ids, rows, strict=True)))
        cursor.executemany(READY, [(entry,) for entry in ids])
    return ids


def refold(texts: Iterable[tuple[int, str]]) -> None:
    """Fold the words of those entries whose text just changed: the triggers queued them in this transaction."""
    with connection.cursor() as cursor:
        for entry, text in texts:
            cursor.execute(UNQUEUE, [entry])
            if cursor.rowcount:
                cursor.execute(WRITE, [indexed(text), entry])


def count(owner: int) -> int:
    """How many rows rarity is counted over."""
    with connection.cursor() as cursor:
        cursor.execute(COUNT, [owner])
        return int(cursor.fetchone()[0])


@dataclass(frozen=True)
class Holders:
    """The owner's rows that hold a term: their ids, in no order, and of each HIDDEN, DELIBERATE or WRITTEN."""

    ids: NDArray[np.int64]
    what: NDArray[np.int64]

    def __len__(self) -> int:
        """Rarity counts the hidden ones too."""
        return len(self.ids)


def holders(term: Term, scope: Scope) -> Holders:
    return _holders(HOLDERS, scope, [quoted(term)])


def dated(spans: Sequence[Span], scope: Scope) -> Holders:
    """The owner's rows that were said in one of these spans, or tell of what is in one."""
    bounds = [f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S}" for span in spans for moment in (*span, *span)]
    return _holders(DATED.replace("{spans}", " OR ".join([SPAN] * len(spans)) or "FALSE"), scope, bounds)


def years(owner: int) -> range:
    """Those in which something was said; of a store without a row, none."""
    with connection.cursor() as cursor:
        first, last = cursor.execute(YEARS, [owner]).fetchone()
    return range(first, last + 1) if first else range(0)


def _holders(statement: str, scope: Scope, values: Sequence[str]) -> Holders:
    shown = [f"{SHOWN} IN ({', '.join(['%s'] * len(scope.states))})"]
    of_scope: list[Any] = [*scope.states]
    if scope.kind:
        shown, of_scope = [*shown, "e.kind = %s"], [*of_scope, scope.kind]
    if scope.project is not None:
        shown, of_scope = [*shown, "e.project = %s"], [*of_scope, scope.project]
    found = _asked(statement.format(shown=" AND ".join(shown)), [*of_scope, *values, scope.owner])
    rows = np.fromstring(found, dtype=np.int64, sep=",")
    return Holders(rows >> 2, rows & 3)


def _asked(statement: str, values: Sequence[Any]) -> str:
    """By its index; where somebody dropped that, three times as slowly without it, and `consistency` makes it anew."""
    with connection.cursor() as cursor:
        try:
            cursor.execute(statement, values)
        except OperationalError as error:
            if f"no such index: {INDEX}" not in str(error):
                raise
            log.warning("searched by words without the index %s: manage.py consistency --repair makes it", INDEX)
            cursor.execute(statement.replace(BY_INDEX, ""), values)
        return cursor.fetchone()[0] or ""


def quoted(term: Term) -> str:
    """The term as one phrase of FTS5, in the column of the row's own words: nothing in it is query syntax."""
    phrase = " ".join(term.tokens).replace('"', '""')
    return f'words : "{phrase}"'


@dataclass(frozen=True)
class Said:
    """When an entry was said, and whether somebody chose to write it down."""

    at: datetime
    deliberate: bool


def said(owner: int, ids: Collection[int]) -> dict[int, Said]:
    with connection.cursor() as cursor:
        cursor.execute(SAID.format(ids=", ".join(["%s"] * len(ids))), [owner, *sorted(ids)])
        told = [each.split(" ", 2) for each in (cursor.fetchone()[0] or "").split(",") if each]
    moments = {pk: datetime.fromisoformat(at).replace(tzinfo=UTC) for pk, _deliberate, at in told}
    return {int(pk): Said(moments[pk], deliberate == "1") for pk, deliberate, _at in told}


def words_of(ids: Sequence[int]) -> dict[int, Words]:
    if not ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(WORDS_OF.format(state=SHOWN, ids=", ".join(["%s"] * len(ids))), list(ids))
        return {row[0]: Words(row[1], row[2]) for row in cursor.fetchall()}


def beside(ids: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """The exchanges next to each of these that is one, of the same project."""
    if not ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(BESIDE.format(ids=", ".join(["%s"] * len(ids))), list(ids))
        return {row[0]: tuple(pk for pk in row[1:] if pk is not None) for row in cursor.fetchall()}


def rows_of(ids: Iterable[int]) -> int:
    """How many of these entries have words in the index."""
    with connection.cursor() as cursor:
        return int(cursor.execute(ROWS_OF, [json.dumps(list(ids))]).fetchone()[0])
