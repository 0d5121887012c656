"""Entries whose vectors are close: an exact comparison of all with all, a block against a block.

They are read anew for each block, so that never more than two blocks of them are held.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forgesite.lib.vectors import STORED
from memory import vector_channel
from memory.models import Vector
from retention.domain.alike import Close
from retention.domain.columns import Ints

#: Bytes of the vectors of one block: every other block is read once for each.
BLOCK = 2**20
#: Closest parts that are kept of one: more are restatements of restatements.
MOST = 8
#: Entries that are compared, the newest ones: the work grows with the square of them.
MOST_COMPARED = 20_000
#: Entries of which the vectors stand beside a block.
AT_ONCE = 250

Matrix = NDArray[np.float32]


class Parts(NamedTuple):
    """Vectors, each with the place of its entry."""

    owners: Ints
    vectors: Matrix


def close(ids: Ints, floor: float) -> Close:
    """Which two of these entries have parts of which the cosine is `floor` or more, and the highest cosine.

    None where there are no vectors. Nothing is embedded for it, and no network is used.
    """
    made = vector_channel.made_for() if vector_channel.available() else None
    found = Close(np.empty(0, np.int64), np.empty(0, np.float32))
    for block in _blocks(ids[:MOST_COMPARED], *made) if made else ():
        nearest = _Nearest(block, floor)
        for beside in _parts(ids[:MOST_COMPARED], *made):  # type: ignore[misc]
            nearest.look(beside)
        found = _with(found, nearest, len(ids))
    return found


class _Nearest:
    """The closest parts of each of a block, of those that were looked at; of equal ones the first."""

    def __init__(self, block: Parts, floor: float) -> None:
        self.block = block
        below = np.nextafter(np.float32(floor), np.float32(-2))
        self.cosines = np.full((len(block.owners), MOST), below, np.float32)
        self.owners = np.full((len(block.owners), MOST), -1, np.int64)

    def look(self, beside: Parts) -> None:
        cosines = self.block.vectors @ beside.vectors.T
        close = cosines > self.cosines[:, -1:]
        for row in np.flatnonzero(close.any(axis=1)).tolist():
            some = np.flatnonzero(close[row] & (beside.owners != self.block.owners[row]))
            both = np.concatenate([self.cosines[row], cosines[row, some]])
            first = np.argsort(-both, kind="stable")[:MOST]
            self.cosines[row] = both[first]
            self.owners[row] = np.concatenate([self.owners[row], beside.owners[some]])[first]


def _with(found: Close, nearest: _Nearest, count: int) -> Close:
    rows, ranks = np.nonzero(nearest.owners >= 0)
    ones, others = nearest.block.owners[rows], nearest.owners[rows, ranks]
    keys = np.append(found.keys, np.minimum(ones, others) * count + np.maximum(ones, others))
    cosines = np.append(found.cosines, np.minimum(nearest.cosines[rows, ranks], np.float32(1)))
    order = np.lexsort((-cosines, keys))
    keys, cosines = keys[order], cosines[order]
    first = np.diff(keys, prepend=-1) != 0
    return Close(keys[first], cosines[first])


def _blocks(ids: Ints, regime: str, dim: int) -> Iterator[Parts]:
    some: list[Parts] = []
    for parts in _parts(ids, regime, dim):
        some.append(parts)
        if sum(one.vectors.nbytes for one in some) >= BLOCK:
            yield _joined(some)
            some = []
    if some:
        yield _joined(some)


def _joined(some: list[Parts]) -> Parts:
    owners, vectors = zip(*some, strict=True)
    return Parts(np.concatenate(owners), np.concatenate(vectors))


def _parts(ids: Ints, regime: str, dim: int) -> Iterator[Parts]:
    """The vectors of these entries in the regime of the index, in the order of the entries. One of another length than
    its row says is none."""
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE].tolist()
        place = {pk: at for at, pk in enumerate(some, start)}
        found = Vector.objects.filter(entry__in=some, regime=regime, dim=dim).values_list("entry_id", "part", "vector")
        rows = [(entry, part, bytes(blob)) for entry, part, blob in found if len(blob) == STORED.itemsize * dim]
        if rows:
            entries, _numbers, blobs = zip(*sorted(rows, key=lambda row: (place[row[0]], row[1])), strict=True)
            vectors = np.frombuffer(b"".join(blobs), STORED).reshape(len(blobs), dim)
            yield Parts(np.array([place[pk] for pk in entries]), vectors.astype(np.float32, copy=False))
