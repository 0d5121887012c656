"""Vectors as they are stored and compared: float32, little-endian, unit length.

A bad vector is refused here, before it is stored or searched with: an index gives a NaN or a zero vector back first,
at no distance at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float32]
STORED = np.dtype("<f4")


def gettext_noop(sentence: str) -> str:
    """Marks it for the catalogue: it is translated where it is shown, and this package knows no Django."""
    return sentence


MISSING = gettext_noop("The embedder gave no vector.")
NOT_NUMBERS = gettext_noop("The embedder gave something else than numbers.")
ZERO = gettext_noop("The embedder gave a vector of length zero.")
NESTED = gettext_noop("The embedder gave %(dimensions)s dimensions where one vector was asked for.")
OTHER_LENGTH = gettext_noop("The embedder gave %(count)s numbers where %(dim)s were expected.")
NOT_FINITE = gettext_noop("The embedder gave numbers that are not finite.")
TOO_FEW = gettext_noop("The embedder gave %(count)s vectors for %(due)s texts.")


class BadVectorError(ValueError):
    """An embedder's answer that is no direction: says what is wrong with it.

    `sentence` and `values` are the message before it was filled in, so that whoever shows it can translate it.
    """

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(sentence % values if values else sentence)
        self.sentence, self.values = sentence, values


def unit(values: Sequence[float] | Vector | None, dim: int | None = None) -> Vector:
    """`values` at unit length. Raises BadVectorError where they are missing, zero, not finite or not `dim` long."""
    if values is None or len(values) == 0:
        raise BadVectorError(MISSING)
    try:
        vector = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadVectorError(NOT_NUMBERS) from None
    _check(vector, dim)
    length = float(np.linalg.norm(vector))
    if not np.isfinite(length) or length < 1e-9:
        raise BadVectorError(ZERO)
    return (vector / length).astype(np.float32)


def _check(vector: NDArray[np.float64], dim: int | None) -> None:
    if vector.ndim != 1:
        raise BadVectorError(NESTED, dimensions=vector.ndim)
    if dim is not None and len(vector) != dim:
        raise BadVectorError(OTHER_LENGTH, count=len(vector), dim=dim)
    if not np.isfinite(vector).all():
        raise BadVectorError(NOT_FINITE)


def packed(vector: Vector) -> bytes:
    return vector.astype(STORED, copy=False).tobytes()


def unpacked(blob: bytes) -> Vector:
    return np.frombuffer(blob, dtype=STORED)


def distance(one: Vector, other: Vector) -> float:
    """Euclidean, 0 to 2 for unit vectors."""
    return float(np.linalg.norm(one.astype(np.float64) - other.astype(np.float64)))
