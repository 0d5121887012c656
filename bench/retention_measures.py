"""What a judge's verdicts are worth: precision with its interval, calibration error, Brier score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from retention.domain.calibration import wilson

BINS = 10


@dataclass(frozen=True)
class Judged:
    """One verdict against its label. `action`: keep, archive, supersede or conflict; `right`: it is the label's."""

    action: str
    probability: float
    right: bool
    gold: str
    kind: str = "fact"
    reason: str = ""
    turned: bool = False
    recurs: bool = False


def precision(some: Sequence[Judged]) -> str:
    """`39/40 = .975 [.871, .996]`, the 95 % interval by Wilson; `0/0` of none."""
    right = sum(one.right for one in some)
    if not some:
        return "0/0"
    low, high = wilson(right, len(some))
    return f"{right}/{len(some)} = {right / len(some):.3f} [{low:.3f}, {high:.3f}]"


def calibration_error(some: Sequence[Judged]) -> float:
    """Over ten bins of as many verdicts each, by the probability of what was chosen."""
    ordered = sorted(some, key=lambda one: one.probability)
    edges = [round(len(ordered) * place / BINS) for place in range(BINS + 1)]
    bins = [ordered[low:high] for low, high in pairwise(edges) if high > low]
    return sum(abs(_accuracy(each) - _confidence(each)) * len(each) for each in bins) / max(1, len(ordered))


def brier(some: Sequence[Judged]) -> float:
    return sum((one.probability - one.right) ** 2 for one in some) / max(1, len(some))


def _accuracy(some: Sequence[Judged]) -> float:
    return sum(one.right for one in some) / len(some)


def _confidence(some: Sequence[Judged]) -> float:
    return sum(one.probability for one in some) / len(some)
