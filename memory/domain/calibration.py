"""Where a cutoff fits between the questions that memory answers and those that it cannot: one decision for all doors.

A distance says nothing by itself: what counts is the gap between the farthest right answer and the nearest wrong row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

#: What a person has not filled in.
PLACEHOLDER = re.compile(r"[<>]|\.\.\.|…|\bTODO\b|\bXXX\b")
#: Fewer questions on a side carry no cutoff.
LEAST = 3
#: A smaller gap is within what another day's questions move.
TIGHT = 0.05
#: Above the middle of the gap: a wrong row is seen for what it is, a false “I have nothing” is believed.
LEAN = 0.65


class Fit(Enum):
    NO_GAP = "no gap"
    TIGHT = "too tight"
    FITS = "fits"


@dataclass(frozen=True)
class Question:
    """`expect`: the entries that answer it, of which the closest counts; none for a miss."""

    text: str
    expect: tuple[int, ...] = ()

    @property
    def miss(self) -> bool:
        return not self.expect


@dataclass(frozen=True)
class Measured:
    """Of a hit the distance of its entry, and its place among the rows; of a miss those of the nearest row.

    `rank` None: the entry is not among the rows that were looked at.
    """

    text: str
    miss: bool
    entry: int
    distance: float
    rank: int | None


@dataclass(frozen=True)
class Verdict:
    """`worst`: the farthest hit; `best`: the nearest miss. `suggestion` is None unless it fits, by two decimals.

    `astray`: hits of which the entry is not the first row.
    """

    worst: float
    best: float
    gap: float
    fit: Fit
    midpoint: float | None
    suggestion: float | None
    astray: tuple[Measured, ...]


def is_placeholder(text: str) -> bool:
    """Blank, or like the example that a question was to replace."""
    return not text.strip() or PLACEHOLDER.search(text) is not None


def verdict(measured: Sequence[Measured]) -> Verdict:
    """Of at least one hit and one miss; whether they are enough is for who asks (LEAST)."""
    worst = max(each.distance for each in measured if not each.miss)
    best = min(each.distance for each in measured if each.miss)
    gap = round(best - worst, 4)
    fit = Fit.NO_GAP if gap <= 0 else Fit.TIGHT if gap < TIGHT else Fit.FITS
    fits = fit is Fit.FITS
    return Verdict(
        worst=worst,
        best=best,
        gap=gap,
        fit=fit,
        midpoint=round((worst + best) / 2, 4) if fits else None,
        suggestion=round(worst + LEAN * gap, 2) if fits else None,
        astray=tuple(each for each in measured if not each.miss and each.rank != 1),
    )
