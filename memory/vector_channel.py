"""Everything that touches `memory_vec`: the vec0 index over `memory_vector`, where the vectors are kept for good.

The index is made for one regime (see embedding.py) and thrown away when another is served. It follows a queue that
triggers fill, drained here before each search. float32 and exact: 7.4 ms of CPU at 10,000 rows of 512 numbers.
No partition key: vec0 keeps whole chunks of 1,024 vectors for each, 1.6 GB for 1,000 small stores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import BooleanField, QuerySet
from django.db.models.expressions import RawSQL

from forgesite.lib.vectors import Vector, packed
from memory.domain.scope import Scope

#: vec0 refuses more neighbours than this at once.
MOST_NEIGHBOURS = 4096
DRAINED_AT_ONCE = 1000
#: Lines of what moved that are kept. Who is farther behind reads all vectors anew.
MOVES_KEPT = 10_000

DROP = "DELETE FROM memory_vector WHERE entry_id = %s"
KEEP = "INSERT INTO memory_vector (entry_id, version, part, regime, dim, vector) VALUES (%s, %s, %s, %s, %s, %s)"
PARTS = """
SELECT regime, CAST(vector AS BLOB) FROM memory_vector WHERE entry_id = %s ORDER BY version, part, regime
"""
STATE = "SELECT regime, dim FROM memory_vec_state ORDER BY rowid LIMIT 1"
#: With whether anything is queued.
STANDS = "SELECT regime, dim, EXISTS (SELECT 1 FROM memory_vec_queue) FROM memory_vec_state ORDER BY rowid LIMIT 1"
DROP_INDEX = "DROP TABLE IF EXISTS memory_vec"
MAKE_INDEX = """
CREATE VIRTUAL TABLE memory_vec USING vec0(
    embedding float[{dim}], entry_id integer, owner_id integer, kind text, status text, project text
)
"""
FORGET_STATE = "DELETE FROM memory_vec_state"
KEEP_STATE = "INSERT INTO memory_vec_state (regime, dim) VALUES (%s, %s)"
QUEUE_ALL = """
INSERT INTO memory_vec_queue (vector_id)
SELECT id FROM memory_vector WHERE id NOT IN (SELECT vector_id FROM memory_vec_queue)
"""
NEXT_QUEUED = "SELECT vector_id FROM memory_vec_queue ORDER BY vector_id LIMIT %s"
UNINDEX = "DELETE FROM memory_vec WHERE rowid = %s"
#: What a search goes by (see domain/scope.py), in one word: the index has it in its column `status`.
SHOWN = "CASE WHEN e.superseded_how = 'replaced' THEN 'replaced' WHEN e.stale THEN 'stale' ELSE e.status END"
INDEX = f"""
INSERT INTO memory_vec (rowid, embedding, entry_id, owner_id, kind, status, project)
SELECT v.id, v.vector, e.id, e.owner_id, e.kind, {SHOWN}, e.project
FROM memory_vector v JOIN memory_entry e ON e.id = v.entry_id
WHERE v.id = %s AND v.regime = %s AND v.dim = %s
"""
UNQUEUE = "DELETE FROM memory_vec_queue WHERE vector_id = %s"
MOVED = "INSERT INTO memory_vec_moved (vector_id) VALUES (%s)"
DROP_MOVED = "DELETE FROM memory_vec_moved WHERE id <= (SELECT MAX(id) FROM memory_vec_moved) - %s"
NEAREST = """
SELECT entry_id, distance FROM memory_vec
WHERE embedding MATCH %s AND k = %s AND owner_id = %s AND status IN ({states}){kind}{project}
ORDER BY distance
"""
REFILL_PENDING = """
INSERT INTO memory_vec_pending (entry_id)
SELECT e.id FROM memory_entry e
WHERE NOT EXISTS (SELECT 1 FROM memory_vector v WHERE v.entry_id = e.id AND v.regime = %s AND v.dim = %s)
"""
EMPTY_PENDING = "DELETE FROM memory_vec_pending"
PENDING = """
SELECT e.id, e.version, e.text, p.tries FROM memory_vec_pending p JOIN memory_entry e ON e.id = p.entry_id
WHERE p.retry_at <= %s
ORDER BY p.tries, e.id DESC LIMIT %s
"""
COUNT_PENDING = "SELECT COUNT(*) FROM memory_vec_pending p JOIN memory_entry e ON e.id = p.entry_id"
IS_PENDING = "SELECT EXISTS (SELECT 1 FROM memory_vec_pending WHERE entry_id = %s)"
FAILED = "UPDATE memory_vec_pending SET why = %s, tries = tries + 1, retry_at = %s WHERE entry_id = %s"
WHY = "SELECT why FROM memory_vec_pending WHERE entry_id = %s"
WAITS = "EXISTS (SELECT 1 FROM memory_vec_pending p WHERE p.entry_id = memory_entry.id)"
DONE = "DELETE FROM memory_vec_pending WHERE entry_id = %s"


@dataclass(frozen=True)
class Near:
    """An entry and the distance of its closest part."""

    id: int
    distance: float


class Kept(NamedTuple):
    """One part of one version of an entry's text, in one regime."""

    entry: int
    version: int
    part: int
    regime: str
    vector: Vector


def available() -> bool:
    """Has this connection the vector extension?"""
    connection.ensure_connection()
    return bool(getattr(connection, "vectors_loaded", False))


def keep(rows: Iterable[Kept]) -> None:
    """Store vectors for good; triggers queue them for the index. Plain SQL: an import brings thousands at once."""
    with connection.cursor() as cursor:
        cursor.executemany(
            KEEP, [(row.entry, row.version, row.part, row.regime, len(row.vector), packed(row.vector)) for row in rows]
        )


def drop(entries: Iterable[int]) -> None:
    """Take away every vector of these entries: they wait for others, where the entry itself stays."""
    with connection.cursor() as cursor:
        cursor.executemany(DROP, [(entry,) for entry in entries])


def parts_of(entries: Iterable[int]) -> dict[int, list[tuple[str, bytes]]]:
    """Of each of these entries the vectors that are there: regime and blob, in order."""
    with connection.cursor() as cursor:
        return {entry: cursor.execute(PARTS, [entry]).fetchall() for entry in entries}


def made_for() -> tuple[str, int] | None:
    """The regime and dimension of the index as it is; None before there is one."""
    with connection.cursor() as cursor:
        cursor.execute(STATE)
        found = cursor.fetchone()
    return None if found is None else (str(found[0]), int(found[1]))


def sync(regime: str, dim: int) -> None:
    """Bring the index up to date with the vectors of `regime`, some rows a transaction. Cheap when nothing changed."""
    with connection.cursor() as cursor:
        cursor.execute(STANDS)
        if cursor.fetchone() == (regime, dim, 0):
            return
    while not _synced(regime, dim):
        pass


def _synced(regime: str, dim: int) -> bool:
    with transaction.atomic(), connection.cursor() as cursor:
        _make(cursor, regime, dim)
        return not _drain(cursor, regime, dim)


def remake() -> None:
    """Throw the index away and make it anew from the vectors, for the regime that it was made for."""
    made = made_for() if available() else None
    if made is None:
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(FORGET_STATE)
        _make(cursor, *made)
        while _drain(cursor, *made):
            pass


def settle() -> None:
    """Let what was deleted leave the index at once, and not only at the next search. Call it where rows went."""
    if not available():
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(STATE)
        if made := cursor.fetchone():
            while _drain(cursor, *made):
                pass


def unmake() -> None:
    """Throw the index away: the next search makes it anew from the vectors."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(DROP_INDEX)
        cursor.execute(FORGET_STATE)


def _make(cursor: Any, regime: str, dim: int) -> None:
    cursor.execute(STATE)
    if cursor.fetchone() == (regime, dim):
        return
    cursor.execute(DROP_INDEX)
    cursor.execute(MAKE_INDEX.format(dim=int(dim)))
    cursor.execute(FORGET_STATE)
    cursor.execute(KEEP_STATE, [regime, dim])
    cursor.execute(QUEUE_ALL)
    cursor.execute(EMPTY_PENDING)
    cursor.execute(REFILL_PENDING, [regime, dim])


def _drain(cursor: Any, regime: str, dim: int) -> bool:
    cursor.execute(NEXT_QUEUED, [DRAINED_AT_ONCE])
    ids = [row[0] for row in cursor.fetchall()]
    for statement, tail in ((UNINDEX, ()), (INDEX, (regime, dim)), (UNQUEUE, ()), (MOVED, ())):
        cursor.executemany(statement, [(each, *tail) for each in ids])
    cursor.execute(DROP_MOVED, [MOVES_KEPT])
    return len(ids) == DRAINED_AT_ONCE


#: An entry, and the distance of one of its parts.
Part = tuple[int, float]


def nearest(vector: Vector, scope: Scope, states: Sequence[str], budget: int) -> list[Near]:
    """The closest entries in these states, nearest first, each by its closest part."""
    return closest(partial(_parts, packed(vector), scope, states), budget)


def closest(parts: Callable[[int], list[Part]], budget: int) -> list[Near]:
    """The entries of the nearest parts: so many parts are asked for that they are of enough entries, if there are."""
    asked = max(1, min(budget + 16, MOST_NEIGHBOURS))  # a few long texts have several parts
    while True:
        found = parts(asked)
        nearest: dict[int, float] = {}
        for entry, distance in found:
            nearest.setdefault(entry, distance)
        if len(nearest) >= budget or len(found) < asked or asked == MOST_NEIGHBOURS:
            return [Near(entry, distance) for entry, distance in nearest.items()][:budget]
        asked = min(asked * 4, MOST_NEIGHBOURS)


def _parts(blob: bytes, scope: Scope, states: Sequence[str], k: int) -> list[Part]:
    values: list[Any] = [blob, k, scope.owner, *states]
    kind = project = ""
    if scope.kind:
        kind, values = " AND kind = %s", [*values, scope.kind]
    if scope.project is not None:
        project, values = " AND project = %s", [*values, scope.project]
    statement = NEAREST.format(states=", ".join(["%s"] * len(states)), kind=kind, project=project)
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found = [(row[0], float(row[1])) for row in cursor.fetchall() if row[1] is not None]
    return sorted(found, key=lambda part: (part[1], part[0]))  # vec0 takes one ORDER BY term, and not this one


@dataclass(frozen=True)
class Pending:
    """An entry whose text has no vector of the regime served. `tries`: how often that failed."""

    id: int
    version: int
    text: str
    tries: int


def pending(limit: int, now: float) -> list[Pending]:
    """Those whose time has come, least tried first, then newest. `now` and `retry_at`: seconds since 1970."""
    with connection.cursor() as cursor:
        cursor.execute(PENDING, [now, limit])
        return [Pending(*row) for row in cursor.fetchall()]


def count_pending() -> int:
    with connection.cursor() as cursor:
        cursor.execute(COUNT_PENDING)
        return int(cursor.fetchone()[0])


def with_waits(entries: QuerySet[Any]) -> QuerySet[Any]:
    """The entries, each with `waits`: it has no vectors yet."""
    found: QuerySet[Any] = entries.annotate(waits=RawSQL(WAITS, [], BooleanField()))
    return found


def waiting(entries: QuerySet[Any]) -> QuerySet[Any]:
    """Those of them that have no vectors yet."""
    return entries.filter(RawSQL(WAITS, [], BooleanField()))


def is_pending(entry_id: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(IS_PENDING, [entry_id])
        return bool(cursor.fetchone()[0])


def why_pending(entry_id: int) -> str | None:
    """Why its vectors failed, empty where they were not tried for yet. None: it waits for none."""
    with connection.cursor() as cursor:
        cursor.execute(WHY, [entry_id])
        found = cursor.fetchone()
    return None if found is None else str(found[0])


def failed(entry_id: int, why: str, retry_at: float) -> None:
    """It goes on waiting, with the reason, and is not tried before that time."""
    with connection.cursor() as cursor:
        cursor.execute(FAILED, [why, retry_at, entry_id])


def done(entry_id: int) -> None:
    """There is nothing in this entry to embed."""
    with connection.cursor() as cursor:
        cursor.execute(DONE, [entry_id])
