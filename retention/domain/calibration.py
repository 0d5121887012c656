"""What a judge's probabilities are worth by a person's own decisions: how often it was right, and whether it knew.

Pure arithmetic, over the proposals that somebody decided on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

#: Fewer decisions of one judge than this tell nothing.
LEAST = 10
#: Bins of a reliability table, and decisions that each should have.
BINS, EACH = 10, 5


@dataclass(frozen=True)
class Decided:
    """One proposal and what became of it. `probability`: what the judge had said; between 0 and 1."""

    judge: str
    action: str
    probability: float
    accepted: bool


@dataclass(frozen=True)
class Share:
    """Some decisions, at least one. `low`, `high`: the 95 % interval of how many of its like would be accepted;
    `stated`: the mean probability."""

    every: int
    accepted: int
    stated: float
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.accepted / self.every

    @property
    def verdict(self) -> str:
        """`over`: it says more than the decisions allow for, `under`: less; empty where they leave it open."""
        if self.stated > self.high:
            return "over"
        return "under" if self.stated < self.low else ""


def wilson(right: int, every: int, z: float = 1.96) -> tuple[float, float]:
    """The interval of a share, at 95 % for the usual `z`. Of none: from 0 to 1, since nothing is known."""
    if not every:
        return 0.0, 1.0
    share = right / every
    middle = share + z * z / (2 * every)
    around = z * math.sqrt(share * (1 - share) / every + z * z / (4 * every * every))
    whole = 1 + z * z / every
    return max(0.0, (middle - around) / whole), min(1.0, (middle + around) / whole)


def share(some: Sequence[Decided]) -> Share:
    """Of at least one."""
    accepted = sum(one.accepted for one in some)
    stated = sum(one.probability for one in some) / len(some)
    return Share(len(some), accepted, stated, *wilson(accepted, len(some)))


def reliability(some: Sequence[Decided]) -> list[Share]:
    """By rising probability, in up to ten bins of about as many decisions each; of none, none.

    Equal probabilities are never parted: which of them came first says nothing of the judge.
    """
    ordered = sorted(some, key=lambda one: one.probability)
    return [share(each) for each in _parted(ordered, max(1, min(BINS, len(ordered) // EACH)))]


def _parted(ordered: Sequence[Decided], most: int) -> Iterator[Sequence[Decided]]:
    """A bin ends at the first change of probability from its share of them on, unless too few are left for another."""
    begun = 0
    for place in range(1, len(ordered)):
        parts = ordered[place].probability != ordered[place - 1].probability
        if parts and place - begun >= len(ordered) / most and len(ordered) - place >= EACH:
            yield ordered[begun:place]
            begun = place
    if ordered:
        yield ordered[begun:]
