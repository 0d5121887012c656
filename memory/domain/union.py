"""What a recall shows: each channel admits its own rows, a policy puts them in order.

No combined score admits or drops a row. The cutoff applies to rows that only vectors found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from memory.domain.cutoff import admits

Channel = Literal["vector", "lexical", "both"]
Reason = Literal["cutoff", "budget"]


@dataclass(frozen=True)
class Found:
    """A row with what each channel says of it; None where a channel did not find it. `tier` 0 is live."""

    id: int
    tier: int
    distance: float | None
    score: float | None
    matched: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shown:
    found: Found
    channel: Channel


@dataclass(frozen=True)
class Cut:
    """A row that was found and is not shown."""

    id: int
    reason: Reason
    distance: float | None


@dataclass(frozen=True)
class Merged:
    """Rows in the order shown, and what was left out, nearest first."""

    shown: tuple[Shown, ...]
    cut: tuple[Cut, ...]


@dataclass(frozen=True)
class Budgets:
    """How many rows vectors give, and how many more that only words found."""

    vector: int
    words: int


def merge(vectors: Sequence[Found], words: Sequence[Found], *, cutoff: float | None, budgets: Budgets) -> Merged:
    """Measured distances first, then rows that only words found; archived rows after all live ones.

    `vectors` by distance, `words` by score, each with its live rows first.
    """
    told: Mapping[int, Found] = {row.id: row for row in words}
    near = {row.id: row.distance for row in vectors if row.distance is not None}
    within = [row for row in vectors if row.distance is not None and admits(cutoff, row.distance)]
    first = [_shown(row, told.get(row.id)) for row in within[: budgets.vector]]
    seen = {row.found.id for row in first}
    rest = [row for row in words if row.id not in seen]
    more = [Shown(_measured(row, near.get(row.id)), "lexical") for row in rest[: budgets.words]]
    shown = sorted([*first, *more], key=lambda row: row.found.tier)
    return Merged(tuple(shown), _cut(vectors, rest[budgets.words :], shown, cutoff))


def _shown(row: Found, words: Found | None) -> Shown:
    if words is None:
        return Shown(row, "vector")
    return Shown(Found(row.id, row.tier, row.distance, words.score, words.matched), "both")


def _measured(row: Found, distance: float | None) -> Found:
    return Found(row.id, row.tier, distance, row.score, row.matched)


def _cut(
    vectors: Sequence[Found], words: Sequence[Found], shown: Sequence[Shown], cutoff: float | None
) -> tuple[Cut, ...]:
    seen = {row.found.id for row in shown}
    cut: dict[int, Cut] = {}
    for row in vectors:
        if row.id not in seen and row.distance is not None:
            reason: Reason = "budget" if admits(cutoff, row.distance) else "cutoff"
            cut[row.id] = Cut(row.id, reason, row.distance)
    for row in words:
        if row.id not in seen:
            cut[row.id] = Cut(row.id, "budget", cut[row.id].distance if row.id in cut else None)
    return tuple(sorted(cut.values(), key=lambda row: (row.distance is None, row.distance or 0.0, row.id)))
