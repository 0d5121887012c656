"""The order `hybrid`: what both channels say of a row, added up, and what those that it stands with add to that.

Scores of words and distances have no common scale. Each is taken as how far it stands from the mean of what its channel
found, in standard deviations, so that nothing has to be measured anew for another embedder. A row that a channel did
not find counts there as the last one that it did.

What is talked of stays so for a while: a row next to a good one, or of a day with good ones, is likelier to be one too.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import numpy as np

from memory.domain.union import Budgets, Found, Merged, Shown, cut_of, live_first, near_of, told_of

#: What vectors and words count. Flat from .4 to .6 on three sets, and best on none by .5 (bench/README.md, recall).
MEANING, WORDS = 0.4, 0.6
#: What the better of the rows next to one adds, and the mean of the best others of its day: +.8 R@10 on LoCoMo (95 %:
#: .2 to 1.5), +.7 on BEAM (-1.0 to 2.5), +.5 on the FAQ (-.3 to 1.6); flat from .1 to .15, and from .1 to .3.
NEXT, DAY = 0.1, 0.2
BEST_OF_DAY = 3
#: Past so many rows, how much before its place a deliberate one stands: it says the same in a third of the characters.
#: With the two above +1.3 R@4k on LoCoMo with its facts where fifty rows are shown (95 %: .6 to 2.0), flat from .75 to
#: 1.5; the first ten are as they were.
FIRST, BRIEFER = 10, 0.75


@dataclass(frozen=True)
class Company:
    """Which rows stand next to which, of each the day on which it was said, and which ones are deliberate.

    Nothing is added for what is not known.
    """

    beside: Mapping[int, Sequence[int]] = field(default_factory=dict)
    days: Mapping[int, date] = field(default_factory=dict)
    deliberate: Collection[int] = frozenset()


def hybrid(
    vectors: Sequence[Found],
    words: Sequence[Found],
    *,
    cutoff: float | None,
    budgets: Budgets,
    company: Company = Company(),
) -> Merged:
    """As many rows in all as vectors alone may give, by `score`; of equals the newest first.

    Past the first ten, a deliberate row stands before what has no more than 0.75 more. Each channel admits its own
    rows: the sum orders them, and neither admits nor drops one.
    """
    words = words if budgets.words else ()
    by_meaning = _standing({row.id: -_distance(row) for row in vectors})
    by_words = _standing({row.id: row.score for row in words if row.score is not None})
    rows = {row.found.id: row for row in (*told_of(vectors, words), *near_of(vectors, words, cutoff))}
    scores = _lifted(_added_up(rows, ((MEANING, by_meaning), (WORDS, by_words))), company)
    ordered = [rows[pk] for pk in _brief_first(scores, company.deliberate)]
    shown = [_scored(row, scores[row.found.id]) for row in live_first(ordered)[: budgets.vector]]
    return Merged(tuple(shown), cut_of(vectors, words, shown, cutoff))


def _scored(row: Shown, score: float) -> Shown:
    """By their names: dataclasses' `replace` takes four times as long."""
    found = row.found
    return Shown(Found(found.id, found.tier, found.distance, score, found.matched, found.near), row.channel)


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


def _lifted(scores: Mapping[int, float], company: Company) -> dict[int, float]:
    """A row that is worse than the mean adds nothing to another."""
    good = {pk: max(0.0, score) for pk, score in scores.items()}
    of_day: dict[date, list[float]] = {}
    for pk, score in good.items():
        if pk in company.days:
            of_day.setdefault(company.days[pk], []).append(score)
    best = {day: heapq.nlargest(BEST_OF_DAY + 1, of) for day, of in of_day.items()}
    lifted: dict[int, float] = {}
    for pk, score in scores.items():
        beside = max((good.get(other, 0.0) for other in company.beside.get(pk, ())), default=0.0)
        of = best[company.days[pk]] if pk in company.days else []
        lifted[pk] = score + NEXT * beside + DAY * _of_others(of, good[pk])
    return lifted


def _of_others(best: Sequence[float], own: float) -> float:
    """The mean of the best of a day but for the row itself, of whatever number: a lone good row tells less."""
    others = sum(best) - own if own in best else sum(best[:BEST_OF_DAY])
    return others / BEST_OF_DAY


def _brief_first(scores: Mapping[int, float], deliberate: Collection[int]) -> list[int]:
    ordered = sorted(scores, key=lambda pk: (-scores[pk], -pk))
    rest = {pk: scores[pk] + (BRIEFER if pk in deliberate else 0.0) for pk in ordered[FIRST:]}
    return [*ordered[:FIRST], *sorted(rest, key=lambda pk: (-rest[pk], -pk))]
