"""The order `weighted`: meaning and words by fixed weights, less the older a row is. Made for logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from memory.domain.union import Budgets, Found, Merged, Shown, cut_of, live_first, near_of, told_of


@dataclass(frozen=True)
class Weights:
    """What each channel counts, and after how many days a row counts half."""

    meaning: float = 0.7
    words: float = 0.3
    half_life: float = 7.0


@dataclass(frozen=True)
class Known:
    """Of each row: its age in days, none below 0, and the share of the question's rarity that its words cover."""

    ages: Mapping[int, float] = field(default_factory=dict)
    shares: Mapping[int, float] = field(default_factory=dict)


def weighted(
    vectors: Sequence[Found],
    words: Sequence[Found],
    *,
    cutoff: float | None,
    budgets: Budgets,
    weights: Weights = Weights(),
    known: Known = Known(),
) -> Merged:
    """As many rows in all as vectors alone may give; `score` is what they are ordered by, of equals the newest first.

    Cosine and share both run from 0 to 1; a row that a channel did not find has 0 of it. Each channel admits its own
    rows: the sum orders them, and neither admits nor drops one.
    """
    words = words if budgets.words else ()
    rows = {row.found.id: row for row in (*told_of(vectors, words), *near_of(vectors, words, cutoff))}
    weighed = [_weighed(row, weights, known) for row in rows.values()]
    ordered = live_first(sorted(weighed, key=lambda row: (-(row.found.score or 0.0), -row.found.id)))
    shown = ordered[: budgets.vector]
    return Merged(tuple(shown), cut_of(vectors, words, shown, cutoff))


def _weighed(row: Shown, weights: Weights, known: Known) -> Shown:
    said = weights.meaning * _cosine(row.found.distance) + weights.words * known.shares.get(row.found.id, 0.0)
    decay = 0.5 ** (known.ages.get(row.found.id, 0.0) / weights.half_life)
    return replace(row, found=replace(row.found, score=said * decay))


def _cosine(distance: float | None) -> float:
    """Of unit vectors; what points the other way counts as nothing in common."""
    return 0.0 if distance is None else max(0.0, 1 - distance * distance / 2)
