"""The order `hybrid`: what both channels say of a row, added up.

Scores of words and distances have no common scale. Each is taken as how far it stands from the mean of what its channel
found, in standard deviations, so that nothing has to be measured anew for another embedder. A row that a channel did
not find counts there as the last one that it did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from memory.domain.union import Budgets, Found, Merged, cut_of, live_first, near_of, told_of

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
    scores = _added_up(rows, ((MEANING, by_meaning), (WORDS, by_words)))
    ordered = [rows[pk] for pk in sorted(rows, key=lambda pk: (-scores[pk], -pk))]
    shown = [
        replace(row, found=replace(row.found, score=scores[row.found.id]))
        for row in live_first(ordered)[: budgets.vector]
    ]
    return Merged(tuple(shown), cut_of(vectors, words, shown, cutoff))


def _distance(row: Found) -> float:
    return (row.distance or 0.0) if row.near is None else row.near


def _standing(found: Mapping[int, float]) -> dict[int, float]:
    """Standard scores; all the same where the values are."""
    if not found:
        return {}
    values = np.fromiter(found.values(), np.float64, len(found))
    standing = (values - values.mean()) / (values.std() or 1.0)
    return dict(zip(found, standing.tolist(), strict=True))


def _added_up(rows: Iterable[int], shares: Sequence[tuple[float, Mapping[int, float]]]) -> dict[int, float]:
    """A row that a channel did not find counts there as the last one that it did."""
    last = [(share, found, min(found.values(), default=0.0)) for share, found in shares]
    return {pk: sum(share * found.get(pk, least) for share, found, least in last) for pk in rows}
