"""Vectors as they are stored and compared: float32, little-endian, unit length.

A bad vector is refused here, before it is stored or searched with: an index gives a NaN or a zero vector back first,
at no distance at all.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeAlias

# Before numpy is first imported: one thread per process is enough here, and a pool of them costs memory.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float32]
STORED = np.dtype("<f4")


class BadVectorError(ValueError):
    """An embedder's answer that is no direction: says what is wrong with it."""


def unit(values: Sequence[float] | Vector | None, dim: int | None = None) -> Vector:
    """`values` at unit length. Raises BadVectorError where they are missing, zero, not finite or not `dim` long."""
    if values is None or len(values) == 0:
        raise BadVectorError("the embedder gave no vector")
    try:
        vector = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadVectorError("the embedder gave something else than numbers") from None
    _check(vector, dim)
    length = float(np.linalg.norm(vector))
    if not np.isfinite(length) or length < 1e-9:
        raise BadVectorError("the embedder gave a vector of length zero")
    return (vector / length).astype(np.float32)


def _check(vector: NDArray[np.float64], dim: int | None) -> None:
    if vector.ndim != 1:
        raise BadVectorError(f"the embedder gave {vector.ndim} dimensions where one vector was asked for")
    if dim is not None and len(vector) != dim:
        raise BadVectorError(f"the embedder gave {len(vector)} numbers where {dim} were expected")
    if not np.isfinite(vector).all():
        raise BadVectorError("the embedder gave numbers that are not finite")


def packed(vector: Vector) -> bytes:
    return vector.astype(STORED, copy=False).tobytes()


def unpacked(blob: bytes) -> Vector:
    return np.frombuffer(blob, dtype=STORED)


def distance(one: Vector, other: Vector) -> float:
    """Euclidean, 0 to 2 for unit vectors."""
    return float(np.linalg.norm(one.astype(np.float64) - other.astype(np.float64)))
