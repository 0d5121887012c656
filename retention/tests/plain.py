"""The choice of candidates as plainly as it can be said, over all entries at once: the real one is the same."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from retention.domain.candidates import MOST_NEWER, MOST_PAIRS, MOST_SINGLES, PAIRS, Chosen
from retention.domain.columns import Stamp
from retention.domain.neighbours import ALWAYS, EXACT, FEW, HALF, LEAST, MOST, MOST_HOLDERS, MOST_SHARE, SHARED

Two = frozenset[int]


def by_words(contents: Sequence[Collection[str]]) -> dict[Two, float]:
    """Two places each, with how much they share."""
    count = len(contents)
    held = {word: sum(word in some for some in contents) for some in contents for word in some}
    limit = max(ALWAYS, min(MOST_HOLDERS, int(count * MOST_SHARE)))

    def weight(some: Collection[str]) -> float:
        return sum(math.log(1 + count / held[word]) for word in some)

    found: dict[Two, float] = {}
    for one in range(count):
        scored = []
        for other in range(count):
            shared = {word for word in set(contents[one]) & set(contents[other]) if held[word] <= limit}
            few = min(len(contents[one]), len(contents[other])) <= FEW
            if one == other or not shared or (len(shared) < SHARED and not few):
                continue
            share = weight(shared) / min(weight(contents[one]), weight(contents[other]))
            if share >= LEAST:
                much = share * weight(shared)
                scored.append((-round(much / (much + HALF), EXACT), other))
        found |= {frozenset((one, other)): -score for score, other in sorted(scored)[:MOST]}
    return found


def by_meaning(owners: Sequence[int], parts: NDArray[np.float32], floor: float, most: int) -> dict[Two, float]:
    """Two owners each, with the cosine of their closest parts."""
    found: dict[Two, float] = {}
    cosines = parts @ parts.T
    for one, row in enumerate(cosines):
        close = [(-float(much), other) for other, much in enumerate(row) if much >= floor]
        for much, other in sorted(two for two in close if owners[two[1]] != owners[one])[:most]:
            two = frozenset((owners[one], owners[other]))
            found[two] = max(found.get(two, 0.0), min(1.0, -much))
    return found


def chosen(
    rows: Sequence[Stamp],
    alike: Mapping[Two, tuple[float, float]],
    decided: Mapping[Two, datetime],
    linked: Collection[Two],
    before: datetime,
) -> Chosen:
    """`alike`: two ids each, with cosine and words. `decided`: of one id, or of two."""
    by_id = {row.id: row for row in rows}

    def stands(*some: Stamp) -> bool:
        at = decided.get(frozenset(row.id for row in some))
        return at is not None and all(row.fresh_at <= at for row in some)

    judged = [row for row in rows if row.fresh_at < before and not stands(row)]
    judged.sort(key=lambda row: (row.fresh_at, row.id))
    newer: dict[int, list[tuple[float, int]]] = {row.id: [] for row in judged}
    pairs = []
    for two, (cosine, words) in alike.items():
        older, other = sorted((by_id[pk] for pk in two), key=lambda row: (row.told_at, row.id))
        if older.project != other.project:
            continue
        if older.id in newer:
            newer[older.id].append((-max(cosine, words), other.id))
        if older.kind == other.kind and older.kind in PAIRS and two not in linked and not stands(older, other):
            pairs.append((older.fresh_at >= before, -max(cosine, words), older.id, other.id, cosine))
    pairs.sort()
    return Chosen(
        tuple((row.id, tuple(pk for _s, pk in sorted(newer[row.id])[:MOST_NEWER])) for row in judged[:MOST_SINGLES]),
        tuple((one, other, cosine) for _fresh, _score, one, other, cosine in pairs[:MOST_PAIRS]),
        (max(0, len(judged) - MOST_SINGLES), max(0, len(pairs) - MOST_PAIRS)),
    )
