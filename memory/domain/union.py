"""What a recall shows: each channel admits its own rows, a policy puts them in order.

No combined score admits or drops a row. The cutoff applies to rows that only vectors found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal, Protocol

from memory.domain.cutoff import admits

Channel = Literal["vector", "lexical", "both", "recent", "tasks", "procedures"]
Reason = Literal["cutoff", "budget", "items", "bytes", "candidates"]


@dataclass(frozen=True)
class Found:
    """A row with what each channel says of it; None where a channel did not find it. `tier` 0 is live.

    `near`: how far it is from what vectors were asked for, where that was not the whole question.
    """

    id: int
    tier: int
    distance: float | None
    score: float | None
    matched: tuple[str, ...] = ()
    near: float | None = None


@dataclass(frozen=True)
class Shown:
    found: Found
    channel: Channel


@dataclass(frozen=True)
class Cut:
    """A row that was found and is not shown. `rank`: its place in the policy's order, from 1, where it had one."""

    id: int
    reason: Reason
    distance: float | None
    score: float | None = None
    channel: Channel | Literal[""] = ""
    rank: int | None = None


@dataclass(frozen=True)
class Merged:
    """Rows in the order shown, and what was left out."""

    shown: tuple[Shown, ...]
    cut: tuple[Cut, ...]


@dataclass(frozen=True)
class Budgets:
    """How many rows vectors give, and how many words. What that comes to is the order's own rule."""

    vector: int
    words: int


class Order(Protocol):
    """Puts admitted rows in order, archived ones after all live ones.

    `vectors` by distance, `words` by score, each with its live rows first.
    """

    def __call__(
        self, vectors: Sequence[Found], words: Sequence[Found], *, cutoff: float | None, budgets: Budgets
    ) -> Merged: ...


def merge(vectors: Sequence[Found], words: Sequence[Found], *, cutoff: float | None, budgets: Budgets) -> Merged:
    """Measured distances first, then rows that only words found, each with a budget of its own."""
    first = near_of(vectors, words, cutoff)[: budgets.vector]
    seen = {row.found.id for row in first}
    rest = [row for row in words if row.id not in seen]
    shown = live_first([*first, *told_of(vectors, rest[: budgets.words])])
    return Merged(tuple(shown), cut_of(vectors, rest[budgets.words :], shown, cutoff))


def interleave(
    vectors: Sequence[Found],
    words: Sequence[Found],
    *,
    cutoff: float | None,
    budgets: Budgets,
    others: Sequence[Shown] = (),
) -> Merged:
    """Rows of words and of vectors in turn, as many in all as vectors alone may give; then one of the `others`.

    A row that both found stands once, at the better of its places. Words go first: led by vectors, the first right
    row comes later on every set, and no more of them are among ten (bench/README.md, recall). A row that the question
    found is named by that, also at the place that it has among the others.
    """
    near = near_of(vectors, words, cutoff)
    both = {row.found.id: row for row in near}
    told = [both.get(row.found.id, row) for row in told_of(vectors, words[: budgets.words])]
    found = {row.found.id: row for row in (*told, *near)}
    turns = [row for each in zip_longest(told, near, others) for row in each if row]
    placed = {row.found.id: found.get(row.found.id, row) for row in turns}
    shown = live_first(list(placed.values()))[: budgets.vector]
    return Merged(tuple(shown), cut_of(vectors, words, shown, cutoff))


def near_of(vectors: Sequence[Found], words: Sequence[Found], cutoff: float | None) -> list[Shown]:
    """The rows that vectors admit, with what words say of them."""
    told = {row.id: row for row in words}
    within = [row for row in vectors if row.distance is not None and admits(cutoff, row.distance)]
    return [_shown(row, told.get(row.id)) for row in within]


def told_of(vectors: Sequence[Found], words: Sequence[Found]) -> list[Shown]:
    """Rows that words admit, with their distance where one was measured."""
    near = {row.id: row.distance for row in vectors}
    return [Shown(Found(row.id, row.tier, near.get(row.id), row.score, row.matched), "lexical") for row in words]


def live_first(rows: Sequence[Shown]) -> list[Shown]:
    return sorted(rows, key=lambda row: row.found.tier)


def _shown(row: Found, words: Found | None) -> Shown:
    if words is None:
        return Shown(row, "vector")
    return Shown(Found(row.id, row.tier, row.distance, words.score, words.matched), "both")


def cut_of(
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
