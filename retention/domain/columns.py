"""Many entries, and what is between two of them, as columns of numbers: what a pass holds of all, without their words.

An entry is named by its place among the stamps, and takes 29 bytes there.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: Kinds that may grow stale; a column has the place of one in here.
SINGLES = ("decision", "preference", "blocker", "fact")
EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
#: Before, and after, every time.
NEVER, FOREVER = np.iinfo(np.int64).min, np.iinfo(np.int64).max


class Stamp(NamedTuple):
    """An entry without its words; see `Row` for the times."""

    id: int
    kind: str
    project: str
    told_at: datetime
    fresh_at: datetime


@dataclass(frozen=True)
class Stamps:
    """`told` and `fresh` in microseconds since 1970. Those of one project have one number in `projects`."""

    ids: Ints
    kinds: NDArray[np.int8]
    projects: NDArray[np.int32]
    told: Ints
    fresh: Ints

    def __len__(self) -> int:
        return len(self.ids)

    def places(self, ids: Ints) -> Ints:
        """Where each of these is; -1 for one that is not there."""
        if not len(self):
            return np.full(ids.shape, -1, np.int64)
        order = np.argsort(self.ids)
        at = order[np.minimum(np.searchsorted(self.ids, ids, sorter=order), len(self) - 1)]
        return np.where(self.ids[at] == ids, at, -1)


class Settled(NamedTuple):
    """What was decided before, by ids, and when: of one by itself, `others` being 0, or of two in either order.

    It stands until one of them moves after that time; `FOREVER`: always.
    """

    ones: Ints
    others: Ints
    at: Ints


class Alike(NamedTuple):
    """Pairs of places that may be about the same: by the cosine of their vectors, or by rare words that they share.

    Either is 0 where they were not found by it; both are between 0 and 1.
    """

    ones: Ints
    others: Ints
    cosines: Floats
    words: Floats


def micros(at: datetime) -> int:
    return (at - EPOCH) // MICROSECOND


def stamps(rows: Iterable[Stamp]) -> Stamps:
    """In their order. What is of no kind of `SINGLES` is passed over."""
    ids, told, fresh, kinds, projects = array("q"), array("q"), array("q"), array("b"), array("i")
    numbers: dict[str, int] = {}
    for row in rows:
        if row.kind in SINGLES:
            ids.append(row.id)
            kinds.append(SINGLES.index(row.kind))
            projects.append(numbers.setdefault(row.project, len(numbers)))
            told.append(micros(row.told_at))
            fresh.append(micros(row.fresh_at))
    return Stamps(
        *(np.frombuffer(ids, np.int64), np.frombuffer(kinds, np.int8), np.frombuffer(projects, np.int32)),
        *(np.frombuffer(told, np.int64), np.frombuffer(fresh, np.int64)),
    )


def settled(rows: Iterable[tuple[int, int, int]]) -> Settled:
    """Of one, another or 0, and a time in microseconds."""
    flat = array("q")
    for row in rows:
        flat.extend(row)
    columns = np.frombuffer(flat, np.int64).reshape(-1, 3)
    return Settled(columns[:, 0], columns[:, 1], columns[:, 2])
