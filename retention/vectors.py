"""Entries whose vectors are close: an exact comparison of all with all, a block at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from memory import vector_channel
from memory.models import Vector
from retention.domain.candidates import Likeness

#: Rows of one block: 256 × 20,000 float32 are 20 MB.
BLOCK = 256
#: Closest parts that are kept of one: more are restatements of restatements.
MOST = 8
#: Entries that are compared, the newest ones: the work grows with the square of them.
MOST_COMPARED = 20_000
#: Values that one statement takes.
AT_ONCE = 500

Matrix = NDArray[np.float32]


def close(ids: Sequence[int], floor: float) -> Iterator[Likeness]:
    """Two of these entries each, with the cosine of their closest parts, where that is `floor` or more.

    None where there are no vectors. Nothing is embedded for it, and no network is used.
    """
    owners, parts = _parts(ids[:MOST_COMPARED])
    given: dict[tuple[int, int], float] = {}
    for start in range(0, len(owners), BLOCK):
        cosines = parts[start : start + BLOCK] @ parts.T
        for place, row in enumerate(cosines, start):
            for other in _closest(row, owners, place, floor):
                two = (min(owners[place], owners[other]), max(owners[place], owners[other]))
                given[two] = max(given.get(two, 0.0), float(row[other]))
    for (one, other), cosine in given.items():
        yield Likeness(int(one), int(other), cosine=min(1.0, cosine))


def _closest(row: Matrix, owners: NDArray[np.int64], place: int, floor: float) -> NDArray[np.intp]:
    found = np.flatnonzero((row >= floor) & (owners != owners[place]))
    if len(found) <= MOST:
        return found
    return found[np.argpartition(-row[found], MOST)[:MOST]]


def _parts(ids: Sequence[int]) -> tuple[NDArray[np.int64], Matrix]:
    """The vectors of these entries in the regime of the index, each with its entry."""
    made = vector_channel.made_for() if vector_channel.available() else None
    owners: list[int] = []
    blobs: list[bytes] = []
    for start in range(0, len(ids) if made else 0, AT_ONCE):
        found = Vector.objects.filter(entry__in=ids[start : start + AT_ONCE], regime=made[0], dim=made[1])  # type: ignore[index]
        for entry, blob in found.order_by("entry", "part").values_list("entry_id", "vector"):
            owners.append(entry)
            blobs.append(bytes(blob))
    if not blobs:
        return np.empty(0, np.int64), np.empty((0, 1), np.float32)
    return np.array(owners, np.int64), np.frombuffer(b"".join(blobs), np.float32).reshape(len(blobs), -1)
