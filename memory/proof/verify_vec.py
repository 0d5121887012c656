"""The index of vectors against the vectors and entries that it is of.

Its columns are read through vec0. The vectors in it are read from vec0's own tables, as a search reads them: through
its door one takes 57 µs of CPU, and 2 µs out of its chunk of 1,024 (measured; the version of sqlite-vec is pinned).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from memory.proof.reading import AT_ONCE, batched, in_turn, rows, rows_of
from memory.vector_channel import SHOWN

COLUMNS = ("entry_id", "owner_id", "kind", "status", "project")
ENTRIES = f"""
SELECT v.id, e.id, e.owner_id, e.kind, {SHOWN}, e.project
FROM memory_vector v JOIN memory_entry e ON e.id = v.entry_id
WHERE v.id IN ({{ids}}) AND v.regime = %s AND v.dim = %s
"""
#: vec0 gives the rows by id, and takes no condition on them without a search of its own for each.
INDEXED = f"SELECT rowid, {', '.join(COLUMNS)} FROM memory_vec"
QUEUED = "SELECT vector_id FROM memory_vec_queue WHERE vector_id IN ({ids})"
DUE = """
SELECT v.id, e.owner_id FROM memory_vector v JOIN memory_entry e ON e.id = v.entry_id
WHERE v.regime = %s AND v.dim = %s AND v.id > %s
AND NOT EXISTS (SELECT 1 FROM memory_vec_queue q WHERE q.vector_id = v.id) ORDER BY v.id LIMIT %s
"""
CHUNKS = """
SELECT chunk_id, size, validity, rowids FROM memory_vec_chunks WHERE chunk_id > %s ORDER BY chunk_id LIMIT %s
"""
#: `_rowid_`: its column `rowid` is another one, and vec0 reads blobs by the number of the row.
VECTORS_OF_CHUNK = "SELECT vectors FROM memory_vec_vector_chunks00 WHERE _rowid_ = %s"
PLACES = "SELECT rowid, chunk_id, chunk_offset FROM memory_vec_rowids WHERE rowid IN ({ids})"
VECTORS = """
SELECT v.id, v.vector, e.owner_id FROM memory_vector v JOIN memory_entry e ON e.id = v.entry_id
WHERE v.id IN ({ids})
"""
Ids = NDArray[np.int64]


@dataclass(frozen=True)
class Difference:
    """A row of the index that is not as its vector or entry is; `column` empty: it is gone, or one too many.

    `owner`: the entry's, None where there is none.
    """

    row: int
    owner: int | None
    column: str = ""
    extra: bool = False


def differences(regime: str, dim: int) -> Iterator[Difference]:
    """Between the index, made for this regime and dimension, and what it must hold. Queued rows are not judged."""
    seen: list[Ids] = []
    for some in _indexed():
        seen.append(np.array([row[0] for row in some], dtype=np.int64))
        yield from _columns(some, regime, dim)
    held = np.concatenate(seen) if seen else np.empty(0, dtype=np.int64)
    yield from _missing(held, regime, dim)
    there = [np.empty(0, dtype=np.int64)]
    for chunk, size, validity, rowids in in_turn(CHUNKS, 1):
        placed = _placed(validity, rowids) if size == len(validity) * 8 == len(rowids) // 8 else {}
        there.append(np.array([*placed], dtype=np.int64))
        yield from _vectors(chunk, placed, dim)
    yield from (Difference(int(row), None) for row in np.setdiff1d(held, np.concatenate(there)))


def _indexed() -> Iterator[list[tuple[Any, ...]]]:
    with connection.cursor() as cursor:
        cursor.execute(INDEXED)
        while some := cursor.fetchmany(AT_ONCE):
            yield some


def _columns(some: Sequence[tuple[Any, ...]], regime: str, dim: int) -> Iterator[Difference]:
    ids = [row[0] for row in some]
    must = {row[0]: row for row in rows_of(ENTRIES, ids, regime, dim)}
    if all(must.get(row[0]) == tuple(row) for row in some):
        return
    queued = {row[0] for row in rows_of(QUEUED, ids)}
    for row in some:
        if row[0] in queued:
            continue
        entry = must.get(row[0])
        if entry is None:
            yield Difference(row[0], None, extra=True)
            continue
        wrong = [name for name, one, other in zip(COLUMNS, entry[1:], row[1:], strict=True) if one != other]
        yield from (Difference(row[0], entry[2], name) for name in wrong)


def _missing(held: Ids, regime: str, dim: int) -> Iterator[Difference]:
    due = in_turn(DUE, AT_ONCE, regime, dim)
    while some := list(islice(due, AT_ONCE)):
        gone = np.isin([row[0] for row in some], held, invert=True)
        yield from (Difference(some[place][0], some[place][1]) for place in np.flatnonzero(gone))


def _placed(validity: bytes, rowids: bytes) -> dict[int, int]:
    """By the id of a row: where in its chunk it is."""
    valid = np.unpackbits(np.frombuffer(validity, dtype=np.uint8), bitorder="little")
    ids = np.frombuffer(rowids, dtype="<i8")
    return {int(ids[place]): int(place) for place in np.flatnonzero(valid[: len(ids)])}


def _vectors(chunk: int, placed: dict[int, int], dim: int) -> Iterator[Difference]:
    [(vectors,)] = rows(VECTORS_OF_CHUNK, chunk) or [(b"",)]
    for ids in batched(list(placed)):
        queued = {row[0] for row in rows_of(QUEUED, ids)}
        named = {row[0]: row[1:] for row in rows_of(PLACES, ids)}
        for pk, vector, owner in rows_of(VECTORS, ids):
            start = placed[pk] * dim * 4
            is_right = named.get(pk) == (chunk, placed[pk]) and vectors[start : start + dim * 4] == vector
            if not is_right and pk not in queued:
                yield Difference(pk, owner, "embedding")
