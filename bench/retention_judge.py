"""Measure the judge that the settings name, so that it may propose: `python -m bench.retention_judge --user NAME`.

    [--items N] [--keep]

The made set is judged (bench/retention_texts.py), so that nothing of anybody's memory is sent; the account's opt-in and
budget count all the same. From the first half come the thresholds: of each action the lowest probability from which on
95 % are right (80 % of conflicts), if ten proposals are left at the least; an action without one is never proposed. The
figures are of the second half: of what is proposed, and of what it chose at all, however sure it was. What it gave no
verdict on is counted and told, and measures nothing. `--keep` stores both: from then on passes propose by this judge,
by this name and form; where no action has a threshold they propose nothing, as before.
"""

from __future__ import annotations

import argparse
import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from bench.retention import WANTED, item_of
from bench.retention_measures import Judged, brier, calibration_error, precision
from bench.retention_texts import TODAY, Made, made
from retention.domain.items import Item, Verdict

WANTED_PRECISION = {"archive": 0.95, "supersede": 0.95, "conflict": 0.8}
FEWEST = 10


def thresholds(some: Sequence[Judged]) -> dict[str, float]:
    """By action; without those that no probability makes right often enough."""
    found = {}
    for action, wanted in WANTED_PRECISION.items():
        of_action = [one for one in some if one.action == action]
        for least in sorted({one.probability for one in of_action}):
            left = [one for one in of_action if one.probability >= least]
            if len(left) >= FEWEST and sum(one.right for one in left) >= wanted * len(left):
                found[action] = least
                break
    return found


def _judged(owner: Any, judge: Any, some: Sequence[Made]) -> Iterator[Judged]:
    items = [replace(item_of(one), ref=f"i{place}") for place, one in enumerate(some)]
    gold = {item.ref: one for item, one in zip(items, some, strict=True)}
    for batch in judge.batches(items, TODAY):
        for verdict in _verdicts(owner, judge, batch):
            label = gold[verdict.item.ref]
            right = verdict.action in WANTED[label.gold]
            yield Judged(verdict.action, verdict.probability, right, label.gold, label.kind, recurs=label.recurs)


def _verdicts(owner: Any, judge: Any, batch: list[Item]) -> list[Verdict]:
    """None of a batch that failed. Raises JudgeError where there is no use in another one, as a pass ends then."""
    from retention.errors import JudgeError

    try:
        found: list[Verdict] = judge.judged(owner, batch, TODAY)
    except JudgeError as error:
        if error.ends_pass:
            raise
        judge.trouble.append(error.message)
        return []
    return found


def _report(some: Sequence[Judged], limits: dict[str, float]) -> dict[str, str]:
    shown = [one for one in some if one.probability >= limits.get(one.action, 2)]
    figures = {action: precision([one for one in shown if one.action == action]) for action in WANTED_PRECISION}
    every = {action: [one for one in some if one.action == action] for action in ("keep", *WANTED_PRECISION)}
    figures |= {f"{action}, however sure": precision(ones) for action, ones in every.items()}
    figures |= {"ECE": f"{calibration_error(some):.3f}", "Brier": f"{brier(some):.3f}"}
    return figures | {"recurring events collapsed": str(sum(one.recurs for one in shown)), "judged": str(len(some))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--user", required=True)
    parser.add_argument("--items", type=int, default=240, help="judged of each half")
    parser.add_argument("--keep", action="store_true", help="let passes propose by it")
    given = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "forgesite.settings"
    import django

    django.setup()
    from forgesite.accounts import account_named
    from retention.errors import JudgeError

    try:
        _measure(account_named(given.user), given.items, keep=given.keep)
    except JudgeError as error:
        raise SystemExit(f"Nothing was measured: {error.message}") from None


def _measure(owner: Any, most: int, *, keep: bool) -> None:
    from retention import judges
    from retention.models import Measured

    judge, draw = judges.judge(owner), random.Random(5)
    halves = [[one for one in made() if one.half == half] for half in (0, 1)]
    first, second = (list(_judged(owner, judge, draw.sample(half, min(most, len(half))))) for half in halves)
    limits = thresholds(first)
    figures = _report(second, limits)
    print(f"{judge.name}: thresholds {limits}", *(f"  {name}: {told}" for name, told in figures.items()), sep="\n")
    for why, times in Counter(judge.trouble).most_common():
        print(f"  {times} times: {why}")
    if keep:
        Measured.objects.create(owner=owner, judge=judge.name, thresholds=limits, figures=figures)


if __name__ == "__main__":
    main()
