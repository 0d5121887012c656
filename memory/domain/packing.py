"""Which rows a budget of bytes and items holds: in their order, each whole or not at all.

What does not fit is skipped and stops nothing: a smaller row after it may fit still.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Skipped = Literal["items", "bytes"]


@dataclass(frozen=True)
class Piece:
    """What a row takes, in bytes. `must`: it may not be skipped."""

    size: int
    must: bool = False


@dataclass(frozen=True)
class Limits:
    """`items` rows in all, and `bytes` of them together."""

    items: int
    bytes: int


@dataclass(frozen=True)
class Packed:
    """Places in the order given: those that fit, and of each that does not the limit that it met first.

    `over`: what must be in takes more than there is; then nothing else was looked at, and nothing is kept.
    """

    kept: tuple[int, ...] = ()
    skipped: tuple[tuple[int, Skipped], ...] = ()
    over: bool = False


def packed(pieces: Sequence[Piece], limits: Limits) -> Packed:
    """What must be in has its room before all else, wherever it stands."""
    must = [piece.size for piece in pieces if piece.must]
    left, items = limits.bytes - sum(must), limits.items - len(must)
    if left < 0 or items < 0:
        return Packed(over=True)
    kept, skipped = list[int](), list[tuple[int, Skipped]]()
    for place, piece in enumerate(pieces):
        if not piece.must and (items < 1 or piece.size > left):
            skipped.append((place, "items" if items < 1 else "bytes"))
            continue
        kept.append(place)
        if not piece.must:
            left, items = left - piece.size, items - 1
    return Packed(tuple(kept), tuple(skipped))
