"""What a judge's verdicts are worth: precision with its interval, calibration error, Brier score."""

from __future__ import annotations

from collections import Counter
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
    """Over ten bins of as many verdicts each, by the probability of what was chosen.

    Verdicts of the same probability are told apart by nothing, so that each counts as right as all of them are: in the
    order of their labels one bin would hold the right ones alone and the next one the wrong ones, and the error would
    tell of that order.
    """
    every, right = Counter(one.probability for one in some), Counter(one.probability for one in some if one.right)
    ordered = sorted(one.probability for one in some)
    edges = [round(len(ordered) * place / BINS) for place in range(BINS + 1)]
    bins = [ordered[low:high] for low, high in pairwise(edges) if high > low]
    return sum(abs(sum(right[p] / every[p] - p for p in each)) for each in bins) / max(1, len(ordered))


def brier(some: Sequence[Judged]) -> float:
    return sum((one.probability - one.right) ** 2 for one in some) / max(1, len(some))
