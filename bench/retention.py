"""The forgetting pass against labels: what it proposes, and how often it is right.

    python -m bench.retention                      the made set alone
    python -m bench.retention --data PATH          and the public pairs (see retention_split.py)
    python -m bench.retention --data PATH --table  what the rules were right with, to be put into the tree
    python -m bench.retention --fresh              only the set by another hand that may be looked at
    python -m bench.retention --sealed             only the one that may not: figures, never a text

Thresholds and the table of the rules come from the first half of the made set, the fresh one and 70 % of the public
pairs; figures from the other half, the sealed set and the 30 % that are held out. `restated` pairs count as right to
archive: the newer one says it.
Wrong direction: something is replaced because of what a newer entry tells of earlier times. That the newer one gives
way is no option of a pair.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.retention_measures import Judged, brier, calibration_error, precision
from bench.retention_split import digest, held_out, pairs
from bench.retention_texts import TODAY, Made, fresh, made, sealed
from retention.domain import rules
from retention.domain.items import Item, Row

#: The public pairs have no dates.
FIRST = datetime(2026, 3, 1, tzinfo=UTC)
WANTED = {
    "keep": {"keep"},
    "keep_both": {"keep"},
    "archive": {"archive"},
    "archive_older": {"archive"},
    "restated": {"archive"},
    "supersede_older": {"supersede"},
    "conflict": {"conflict"},
}


def of_made(half: int) -> list[Judged]:
    return of_texts([one for one in made() if one.half == half])


def of_texts(some: Iterable[Made]) -> list[Judged]:
    return [_judged(item_of(one), one.gold, one.trap) for one in some]


def of_pairs(path: Path, *, held: bool) -> list[Judged]:
    out = held_out()
    return [_judged(_public(one), one["gold"]) for one in pairs(path) if (digest(one) in out) == held]


def item_of(one: Made) -> Item:
    older = _row(1, one.older, one.older_at, one.kind)
    newer = (_row(2, one.newer, one.newer_at, one.kind),) if one.newer else ()
    return Item("i", older, newer, pair=bool(newer))


def _public(pair: dict[str, Any]) -> Item:
    older, newer = (
        _row(place, pair[side]["text"], FIRST + timedelta(days=place), "fact")
        for place, side in enumerate(("older", "newer"), 1)
    )
    return Item("i", older, (newer,), pair=True)


def _row(pk: int, text: str, at: datetime, kind: str) -> Row:
    return Row(pk, kind, "", text, at, at, at)


def _judged(item: Item, gold: str, trap: str = "") -> Judged:
    found = rules.judged(item, TODAY, UTC)
    return Judged(
        found.action,
        found.probability,
        found.action in WANTED[gold],
        gold,
        item.entry.kind,
        found.reason,
        turned=found.action == "supersede" and trap == "past",
        recurs=trap == "recurs",
    )


def proposed(some: Iterable[Judged]) -> list[Judged]:
    return [one for one in some if one.action != "keep" and one.probability >= rules.THRESHOLDS[one.action]]


def report(name: str, some: Sequence[Judged]) -> None:
    shown = proposed(some)
    print(f"\n{name}: {len(some)} judged, {len(shown)} proposed")
    for action in ("archive", "supersede", "conflict"):
        of_action = [one for one in shown if one.action == action]
        print(f"  {action:10} {precision(of_action)}")
        for kind in sorted({one.kind for one in of_action}) if len({one.kind for one in of_action}) > 1 else ():
            print(f"    {kind:10} {precision([one for one in of_action if one.kind == kind])}")
    keep = [one for one in some if one.gold.startswith("keep")]
    kept = sum(one not in shown for one in keep)
    print(f"  kept of what is still so: {kept}/{len(keep)}")
    print(f"  wrong direction: {sum(one.turned for one in shown)}")
    recurring = [one for one in some if one.recurs]
    print(f"  recurring events, and collapses of them: {len(recurring)}, {sum(one in shown for one in recurring)}")
    errors = [calibration_error(some), calibration_error(shown), brier(some)]
    print("  ECE {:.3f}, of what is proposed {:.3f}; Brier {:.3f}".format(*errors))
    print(f"  of each rule: {_by_rule(some)}")


def _by_rule(some: Iterable[Judged]) -> dict[str, tuple[int, int]]:
    every = Counter(one.reason for one in some)
    right = Counter(one.reason for one in some if one.right)
    return {reason: (right[reason], every[reason]) for reason in sorted(every)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="pairs.jsonl")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--fresh", action="store_true", help="the set by another hand, to look at")
    parser.add_argument("--sealed", action="store_true", help="the set by another hand that nobody reads")
    given = parser.parse_args()
    if given.fresh or given.sealed:
        for name, asked, some in (("fresh, to look at", given.fresh, fresh), ("sealed", given.sealed, sealed)):
            if asked:
                report(name, of_texts(some()))
        return
    calibrated = of_made(0)
    if given.table:
        calibrated += of_texts(fresh())
        public = of_pairs(given.data, held=False) if given.data else []
        # Whether what no rule knows is kept rightly depends on the store: of a set of contradictions, hardly ever.
        table = _by_rule([*calibrated, *(one for one in public if one.action != "keep")])
        print("\n".join(f'    "{rule}": {counts},' for rule, counts in table.items()))
        return
    report("made, first half", calibrated)
    report("made, second half", of_made(1))
    if given.data:
        report("public, 70 %", of_pairs(given.data, held=False))
        report("public, held out", of_pairs(given.data, held=True))


if __name__ == "__main__":
    main()
