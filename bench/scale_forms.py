"""Other ways to scan the vectors of one owner: what a question costs, and how many of the true nearest are found.

exact: every vector, by numpy, from a matrix in memory. bits: the sign of each number alone, the rows that differ least
then measured exactly. bytes: numbers of eight bits, and all that can be among the nearest then measured exactly, as a
search does it (memory/finding/vector_cache.py). vec0: what the index does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.domain.quantised import bounds, quantised

Floats = NDArray[np.float32]
Found = NDArray[np.int64]
NEAREST = 64
KEPT = (200, 400, 1000)
READ = (
    "SELECT entry_id, vector FROM memory_vector v WHERE entry_id IN (SELECT id FROM memory_entry WHERE owner_id = %s)"
)


@dataclass(frozen=True)
class Form:
    """`found`: of the 64 nearest, the mean share. `mb`: what it keeps in memory, beside the vectors in the file."""

    name: str
    ms: float
    found: float
    mb: float

    def __str__(self) -> str:
        found = f"finds {self.found:.4f} of the {NEAREST} nearest"
        return f"  {self.name:22} {self.ms:7.2f} ms of CPU  {found}  {self.mb:6.1f} MB"


def forms(owner: int, questions: Sequence[str]) -> Iterator[Form]:
    from django.db import connection
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    from memory import embedding, vector_channel
    from memory.domain.scope import scope

    with connection.cursor() as cursor:
        cursor.execute(READ, [owner])
        rows = cursor.fetchall()
    ids = np.array([row[0] for row in rows], dtype=np.int64)
    matrix = np.frombuffer(b"".join(bytes(row[1]) for row in rows), dtype=np.float32).reshape(len(ids), -1)
    door = embedding.served()
    assert door is not None
    asked = [np.asarray(embedding.embedded_query(door, text).vector, dtype=np.float32) for text in questions]
    where = scope(owner, "", None, everything=False)

    def indexed(vector: Floats) -> Found:
        near = vector_channel.nearest(vector, where, where.tiers[0], NEAREST)
        return np.array([row.id for row in near], dtype=np.int64)

    with threadpool_limits(1):
        true = [ids[_best(matrix @ vector, NEAREST)] for vector in asked]
        yield _timed("vec0", asked, true, indexed, 0.0)
        yield _timed("exact", asked, true, lambda vector: ids[_best(matrix @ vector, NEAREST)], matrix.nbytes / 2**20)
        for kept in KEPT:
            yield _timed(f"bits, {kept} measured", asked, true, *_bits(ids, matrix, kept))
        yield _timed("bytes, as searched", asked, true, *_copied(ids, matrix))


def _bits(ids: Found, matrix: Floats, kept: int) -> tuple[Callable[[Floats], Found], float]:
    signs = np.packbits(matrix > 0, axis=1).view(np.uint64)

    def search(vector: Floats) -> Found:
        own = np.packbits(vector > 0).view(np.uint64)
        unlike = np.bitwise_count(signs ^ own).sum(axis=1, dtype=np.int32)
        return _measured(ids, matrix, vector, _best(-unlike, kept))

    return search, signs.nbytes / 2**20


def _copied(ids: Found, matrix: Floats) -> tuple[Callable[[Floats], Found], float]:
    copy, places = quantised(matrix), np.arange(len(matrix))

    def search(vector: Floats) -> Found:
        return _measured(ids, matrix, vector, bounds(copy, places, vector).among(NEAREST))

    return search, copy.nbytes / 2**20


def _measured(ids: Found, matrix: Floats, vector: Floats, rows: Found) -> Found:
    return ids[rows[_best(matrix[rows] @ vector, NEAREST)]]


def _best(scores: NDArray[Any], count: int) -> Found:
    """The places of the highest, the highest first."""
    below: NDArray[Any] = np.negative(scores)
    count = min(count, len(below))
    part = np.argpartition(below, count - 1)[:count]
    return part[np.argsort(below[part], kind="stable")]


def _timed(
    name: str, asked: Sequence[Floats], true: Sequence[Found], search: Callable[[Floats], Found], mb: float
) -> Form:
    ms, found = [], []
    for vector, right in zip(asked, true, strict=True):
        began = time.process_time()
        got = search(vector)
        ms.append((time.process_time() - began) * 1000)
        found.append(len(np.intersect1d(got, right)) / max(1, len(right)))
    return Form(name, median(ms), sum(found) / len(found), mb)
