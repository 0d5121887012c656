"""Does memory hold anything on this? One decision about a whole recall, for a turn; a search shows its rows anyway.

It never claims to know whether a detail was said of a subject that was talked about: similarity cannot tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.domain.cutoff import admits

#: How near a row must be to count by its distance alone. A long exchange comes nearer to any question than a short
#: fact does. Measured with the cutoff (bench/README.md, cutoff); both are tighter than it, for the errors differ: a row
#: too many is seen to be off, while “memory holds nothing” is believed.
NEAR_FACT = "1.18@e3b0c4.6fe03d"
NEAR_EXCHANGE = "1.1@e3b0c4.6fe03d"
#: Share of the question's rarity that one row must cover to count by its words alone.
SHARE = 0.45


@dataclass(frozen=True)
class Sign:
    """What one row shown says: its distance where vectors admitted it, and whether someone chose to write it down."""

    deliberate: bool
    distance: float | None


@dataclass(frozen=True)
class Near:
    """The two distances in force; None with an embedder that they were not measured with: then every row counts."""

    fact: float | None
    exchange: float | None


def tells(sign: Sign, share: float, near: Near) -> bool:
    """Does this row by itself say that memory holds something: near enough, or by words that cover enough?"""
    limit = near.fact if sign.deliberate else near.exchange
    return share >= SHARE or (sign.distance is not None and admits(limit, sign.distance))


def nothing(telling: Sequence[bool], shares: Sequence[float]) -> bool:
    """True where no row shown tells anything, and no other row's words cover enough of the question."""
    return not any(telling) and max(shares, default=0.0) < SHARE
