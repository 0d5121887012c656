"""Vectors in an eighth of the bits, and which of them can be among the nearest: never one too few.

Each number is a whole one from -127 to 127 times a scale of its vector. What a vector lost by that is known, so that
the distance it had is known to lie between two bounds, and no row is passed over that could be among the nearest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Places = NDArray[np.intp]

#: Rows turned back into floats at once: 2 MB of them stay near the processor, at 512 numbers (8 ms for 100,000 rows;
#: 11 by 128 of them, 17 for float32 as it is).
AT_ONCE = 1024
LEAST, MOST = np.float32(1e-30), 127
#: float32 loses so much with each number that is added up, of the sum of the lengths squared; twice over.
LOST = 2.0**-23


@dataclass(frozen=True)
class Quantised:
    """`half`: of each vector half its length squared. `blur`: how wrong its product with one of length 1 may be."""

    whole: NDArray[np.int8]
    scale: Floats
    half: Floats
    blur: Floats

    def __len__(self) -> int:
        return len(self.whole)

    def __getitem__(self, rows: slice | NDArray[Any]) -> Quantised:
        return Quantised(self.whole[rows], self.scale[rows], self.half[rows], self.blur[rows])

    @property
    def nbytes(self) -> int:
        return self.whole.nbytes + self.scale.nbytes + self.half.nbytes + self.blur.nbytes


def room(rows: int, dim: int) -> Quantised:
    """For so many vectors, none of them written yet."""
    return Quantised(np.empty((rows, dim), np.int8), *(np.empty(rows, np.float32) for _each in range(3)))


def quantised(vectors: Floats) -> Quantised:
    """Vectors of finite numbers."""
    scale = np.maximum(np.maximum(vectors.max(axis=1), -vectors.min(axis=1)), LEAST) / MOST
    whole = np.rint(vectors / scale[:, None])
    small, squared = whole.astype(np.int8), np.einsum("ij,ij->i", vectors, vectors)
    lost = np.subtract(vectors, np.multiply(whole, scale[:, None], out=whole), out=whole)
    blur = np.sqrt(np.einsum("ij,ij->i", lost, lost)) + vectors.shape[1] * LOST * (1 + np.sqrt(squared)) ** 2
    return Quantised(small, scale.astype(np.float32, copy=False), squared / 2, blur.astype(np.float32))


def write(into: Quantised, at: int, rows: Quantised) -> None:
    """From that place on."""
    for mine, theirs in (
        (into.whole, rows.whole),
        (into.scale, rows.scale),
        (into.half, rows.half),
        (into.blur, rows.blur),
    ):
        mine[at : at + len(rows)] = theirs


@dataclass(frozen=True)
class Bounds:
    """Of some rows, by their places, how near to a vector each is at least and at most: the more, the nearer."""

    places: Places
    least: Floats
    most: Floats

    def among(self, count: int) -> Places:
        """Every row that can be one of the `count` nearest; of equals, all."""
        if len(self.places) <= count:
            return self.places
        reached = np.partition(self.least, len(self.least) - count)[len(self.least) - count]
        found: Places = self.places[self.most >= reached]
        return found


def bounds(rows: Quantised, places: Places, vector: Floats) -> Bounds:
    """Of the rows in those places, which rise."""
    all_of_them = len(places) > len(rows) // 2  # it is quicker to look at some too many than to pick
    found = _products(rows.whole, vector)[places] if all_of_them else _picked(rows.whole, places, vector)
    near = found * rows.scale[places] - rows.half[places]
    off = rows.blur[places] * np.float32(max(1.0, float(vector @ vector)))
    return Bounds(places, near - off, near + off)


def _products(whole: NDArray[np.int8], vector: Floats) -> Floats:
    found = np.empty(len(whole), np.float32)
    floats = np.empty((min(AT_ONCE, len(whole)), len(vector)), np.float32)
    for start in range(0, len(whole), AT_ONCE):
        some = whole[start : start + AT_ONCE]
        np.copyto(floats[: len(some)], some)
        np.dot(floats[: len(some)], vector, out=found[start : start + len(some)])
    return found


def _picked(whole: NDArray[np.int8], places: Places, vector: Floats) -> Floats:
    some = [_products(whole[places[at : at + AT_ONCE]], vector) for at in range(0, len(places), AT_ONCE)]
    return np.concatenate(some) if some else np.empty(0, np.float32)
