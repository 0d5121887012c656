"""What a bench of recall counts: of one question, of many, and of two runs over the same questions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

Floats = Sequence[float] | NDArray[np.float64]
KS = (5, 10, 20)
#: What a turn can afford to read: characters of rows.
FEW = 4000
MRR_DEPTH = 100
RESAMPLES = 10_000
AT_ONCE = 500


@dataclass(frozen=True)
class Met:
    """One row shown: the question's gold that it is credited with, by where each ends in it, and its characters."""

    gold: Mapping[str, int]
    length: int


@dataclass(frozen=True)
class Asked:
    """One question under one policy. `measures` is empty for a question that the store cannot answer.

    `nothing`: a turn would say that memory holds nothing on it.
    """

    name: str
    policy: str
    store: str
    question: str
    category: str
    nothing: bool
    ms: float
    measures: dict[str, float]


@dataclass(frozen=True)
class Interval:
    """Of a paired difference: its mean, and the bounds that hold 95 % of the resampled means."""

    mean: float
    low: float
    high: float


def measured(shown: Sequence[Met], gold: frozenset[str], *, holders: int) -> dict[str, float]:
    """Every measure of one question, by its name. `holders`: how many rows of the store hold some of its gold.

    R@k: share of the gold in the first k rows; all@k, hit@k: all of it, some of it; MRR: one over the rank of the
    first row with gold; nDCG@10: a row gains 1 where it brings gold that no row before it did; R@4k: share of the gold
    that ends within the first 4,000 characters shown.
    """
    shares = {k: len(_gold(shown[:k])) / len(gold) for k in KS}
    return {
        **{f"R@{k}": share for k, share in shares.items()},
        **{f"all@{k}": float(share == 1) for k, share in shares.items()},
        **{f"hit@{k}": float(share > 0) for k, share in shares.items()},
        "MRR": next((1 / rank for rank, row in enumerate(shown[:MRR_DEPTH], 1) if row.gold), 0.0),
        "nDCG@10": _gain(shown[:10]) / sum(_discount(rank) for rank in range(1, min(10, holders) + 1)),
        "R@4k": len(_within(shown, FEW)) / len(gold),
    }


def means(measures: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each measure; of no question, nothing."""
    return {name: sum(each[name] for each in measures) / len(measures) for name in (measures[0] if measures else ())}


def paired(new: Floats, old: Floats, *, seed: int = 0) -> Interval:
    """How much the new run is above the old one, question by question; questions are resampled 10,000 times.

    Our own, on numpy: scipy has the same bootstrap, and would be a hundred megabytes for one call.
    """
    gains = np.asarray(new) - np.asarray(old)
    random = np.random.default_rng(seed)
    draws = [gains[random.integers(0, len(gains), (AT_ONCE, len(gains)))].mean(axis=1) for _ in range(_rounds())]
    low, high = np.quantile(np.concatenate(draws), [0.025, 0.975])
    return Interval(float(gains.mean()), float(low), float(high))


def _rounds() -> int:
    return RESAMPLES // AT_ONCE


def _gold(rows: Sequence[Met]) -> set[str]:
    return {each for row in rows for each in row.gold}


def _within(shown: Sequence[Met], characters: int) -> set[str]:
    """The gold that is read whole."""
    begins = [0, *accumulate(row.length for row in shown)]
    return {
        each
        for row, begin in zip(shown, begins, strict=False)
        for each, end in row.gold.items()
        if begin + end <= characters
    }


def _gain(shown: Sequence[Met]) -> float:
    seen: set[str] = set()
    gain = 0.0
    for rank, row in enumerate(shown, 1):
        gain += _discount(rank) if row.gold.keys() - seen else 0.0
        seen |= row.gold.keys()
    return gain


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)
