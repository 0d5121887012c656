"""What folding joins that it must not, and what it joins at all: `python -m bench.folding --data FILE…`.

A FILE is pairs, a JSON line each (`lang`, `gold`, `older.text`, `newer.text`), or a set of stores with `facts`
(bench/sets.py). Of pairs: by language and gold how many are folded, and how many plain containment of words would fold;
`conflict` and `keep_both` must be 0. Of facts: each store as a memory of dated facts, every fold that would be made,
whole, to be read; none may join two that were said on different days of what happened. Nothing is written.
Status 1: a conflict is folded.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dateutil.parser import parse

from forgesite.lib.tokens import estimate
from memory.domain.fold_values import Fold, Plan, Source
from memory.domain.folding import plan
from memory.domain.hot_block import Kept, lined
from memory.domain.subjects import CORPUS, Rarity, rarity, tokens

#: Golds of pairs that say two things.
APART = ("conflict", "keep_both", "supersede_older")
#: Every word names something: folding two entries alone, what a store would make of them decides nothing.
ALL = Rarity({}, 0, 1)


@dataclass(frozen=True)
class Pair:
    lang: str
    gold: str
    texts: tuple[str, str]


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--max-df", type=float, default=0.2)
    options = parser.parse_args(given)
    bad = 0
    for path in options.data:
        if path.suffix == ".jsonl":
            bad += of_pairs(list(pairs(path)))
        else:
            of_facts(path, options.max_df)
    return 1 if bad else 0


def pairs(path: Path) -> Iterator[Pair]:
    for line in path.read_text().splitlines():
        raw = json.loads(line)
        yield Pair(raw["lang"], raw["gold"], (raw["older"]["text"], raw["newer"]["text"]))


def of_pairs(some: Sequence[Pair]) -> int:
    """Prints a table. How many are folded that say two things contrary to each other."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for pair in some:
        folds, contained = folded(pair.texts), is_contained(*pair.texts)
        counts.update([(pair.lang, pair.gold, "pairs")])
        counts.update([(pair.lang, pair.gold, "folded")] * folds + [(pair.lang, pair.gold, "contained")] * contained)
        if folds and pair.gold in APART:
            print(f"FOLDED {pair.gold}: {pair.texts}", file=sys.stderr)
    print(f"{'':22}{'pairs':>8}{'folded':>8}{'contained':>11}")
    for lang, gold in sorted({(lang, gold) for lang, gold, _what in counts}):
        row = [counts[lang, gold, what] for what in ("pairs", "folded", "contained")]
        print(f"{lang} {gold:19}{row[0]:8}{row[1]:8}{row[2]:11}")
    return sum(number for (_lang, gold, what), number in counts.items() if gold == "conflict" and what == "folded")


def folded(texts: Sequence[str]) -> bool:
    """Does one of the two speak for the other, or a line for both, though every word of them counts?"""
    return bool(made([Source(pk, text) for pk, text in enumerate(texts, 1)], ALL).accepted)


def is_contained(one: str, other: str) -> bool:
    """By plain words, either way."""
    first, second = set(tokens(one)), set(tokens(other))
    return first <= second or second <= first


def made(sources: Sequence[Source], rare: Rarity) -> Plan:
    return plan(sources, rare, min_sources=2, cost=_cost)


def _cost(source: Source) -> int:
    return estimate(lined(Kept(source.id, source.kind, source.project, source.text), "-")) + 1


def of_facts(path: Path, max_df: float) -> None:
    """Prints every fold, and what was held back, by why."""
    for store in json.loads(path.read_text())["stores"]:
        if not (facts := store.get("facts")):
            continue
        sources = [Source(pk, fact["text"], day=_day(fact)) for pk, fact in enumerate(facts, 1)]
        rare = rarity([frozenset(tokens(each.text)) for each in sources[-CORPUS:]], max_df=max_df)
        found = made(sources, rare)
        refused = Counter(fold.refused for fold in found.folds if fold.refused)
        why = Counter(reason for fold in found.folds for reason in fold.why.values())
        print(f"\n{path.stem} {store['id']}: {len(sources)} facts, {len(found.folds)} subjects, {dict(refused)}")
        print(f"held back: {dict(why.most_common())}")
        by_id = {each.id: each for each in sources}
        for fold in found.accepted:
            _show(fold, by_id)


def _day(fact: Mapping[str, Any]) -> str:
    """As the set writes it: `1:56 pm on 8 May, 2023`."""
    return f"{parse(fact['date'], fuzzy=True):%Y-%m-%d}" if fact.get("date") else ""


def _show(fold: Fold, by_id: Mapping[int, Source]) -> None:
    into = f"#{fold.into} says all" if fold.into else fold.line
    print(f"FOLD {fold.subject} ({fold.tokens[1]} tokens saved): {into}")
    for pk in sorted({*fold.folds, *([fold.into] if fold.into else [])}):
        print(f"    #{pk} {by_id[pk].day} {by_id[pk].text}")


if __name__ == "__main__":
    raise SystemExit(main())
