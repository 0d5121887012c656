"""The order `hybrid`: what both channels say of a row, added up.

Scores of words and distances have no common scale. Each is taken as how far it stands from the mean of what its channel
found, in standard deviations, so that nothing has to be measured anew for another embedder. A row that a channel did
not find counts there as the last one that it did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean, pstdev

from memory.domain.union import Budgets, Found, Merged, Shown, cut_of, live_first, near_of, told_of

#: What vectors and words count. Flat from .4 to .6 on three sets, and best on none by .5 (bench/README.md, recall).
MEANING, WORDS = 0.4, 0.6


def hybrid(vectors: Sequence[Found], words: Sequence[Found], *, cutoff: float | None, budgets: Budgets) -> Merged:
    """As many rows in all as vectors alone may give; `score` is what they are ordered by, of equals the newest first.

    Each channel admits its own rows: the sum orders them, and neither admits nor drops one.
    """
    words = words if budgets.words else ()
    by_meaning = _standing({row.id: -_distance(row) for row in vectors})
    by_words = _standing({row.id: row.score for row in words if row.score is not None})
    rows = {row.found.id: row for row in (*told_of(vectors, words), *near_of(vectors, words, cutoff))}
    weighed = [_weighed(row, by_meaning, by_words) for row in rows.values()]
    ordered = sorted(weighed, key=lambda row: (-(row.found.score or 0.0), -row.found.id))
    shown = live_first(ordered)[: budgets.vector]
    return Merged(tuple(shown), cut_of(vectors, words, shown, cutoff))


def _distance(row: Found) -> float:
    return (row.distance or 0.0) if row.near is None else row.near


def _standing(found: Mapping[int, float]) -> dict[int, float]:
    """Standard scores; all the same where the values are."""
    if not found:
        return {}
    mean, deviation = fmean(found.values()), pstdev(found.values())
    return {pk: (value - mean) / deviation if deviation else 0.0 for pk, value in found.items()}


def _weighed(row: Shown, by_meaning: Mapping[int, float], by_words: Mapping[int, float]) -> Shown:
    shares = ((MEANING, by_meaning), (WORDS, by_words))
    score = sum(share * found.get(row.found.id, min(found.values(), default=0.0)) for share, found in shares)
    return replace(row, found=replace(row.found, score=score))
