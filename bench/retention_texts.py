"""Entries made from templates, with labels: what no public set holds for a forgetting pass, in English and French.

Written for this bench before any rule of the judge was, by hand and from daily life; no text is anybody’s. They are in
`retention_texts_en.txt` and `_fr.txt`, a line each: label | kind | the older entry | the newer one, where there is one.
`:recurs` is what happens again, `:after` was written when the rules were there, and is to choose thresholds on only. A
template is filled five times from the pools, and belongs to one half of the set with all that is made of it: thresholds
are chosen on the one half, and figures told of the other.

`fresh()` and `sealed()` came later: written by hand for this, by somebody who had seen neither the rules nor the texts
above, and put here before any judge was run on them. The two share no template and no names. Rules may be looked at
with `fresh()`; nobody reads `sealed()` before the last figures are taken. There `:recurs` is what happens again, told
as facts, and `:past` is a newer entry that tells of an earlier time, so that it replaces nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import groupby
from pathlib import Path

#: The day on which the pass looks at all of it.
TODAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
FILLS = 5
LANGUAGES = ("en", "fr")
FOLDER = Path(__file__).parent
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}

Pools = dict[str, list[str]]


@dataclass(frozen=True)
class Made:
    """`gold`: what a judge should choose. `newer` empty: one entry by itself. `half` 0: to choose thresholds on."""

    gold: str
    kind: str
    lang: str
    older: str
    newer: str
    older_at: datetime
    newer_at: datetime
    half: int
    trap: str = ""

    @property
    def recurs(self) -> bool:
        """It happens again: two of them are never one."""
        return self.trap == "recurs"


def made() -> list[Made]:
    """Always the same ones, in the same order."""
    return [one for lang in LANGUAGES for one in _of_file("texts", lang)]


def fresh() -> list[Made]:
    """To look at while rules change; all of half 0."""
    return [replace(one, half=0) for lang in LANGUAGES for one in _of_file("fresh", lang)]


def sealed() -> list[Made]:
    """For figures only; all of half 1."""
    return [replace(one, half=1) for lang in LANGUAGES for one in _of_file("sealed", lang)]


def _of_file(name: str, lang: str) -> Iterator[Made]:
    text = (FOLDER / f"retention_{name}_{lang}.txt").read_text(encoding="utf-8")
    every = [tuple(part.strip() for part in line.split("|")) for line in text.splitlines()]
    pools = {name: values.split(", ") for label, name, *rest in every if label == "pool" for values in rest}
    lines = [line for line in every if line[0] != "pool"]
    lines.sort(key=lambda line: (line[0], _digest(line)))
    for _gold, some in groupby(lines, key=lambda line: line[0]):
        for place, line in enumerate(some):
            for fill in range(FILLS):
                half = 0 if line[0].endswith(":after") else place % 2
                yield _filled(lang, line, fill, half, pools)


def _digest(line: tuple[str, ...]) -> str:
    return sha256("|".join(line).encode()).hexdigest()


def _filled(lang: str, line: tuple[str, ...], fill: int, half: int, pools: Pools) -> Made:
    label, kind, older, *rest = line
    gold, _colon, trap = label.partition(":")
    older_at = TODAY - timedelta(days=130 + 6 * fill)
    newer_at = TODAY - timedelta(days=20 + 3 * fill)
    slots = _slots(lang, fill, older_at, pools, int(_digest(line)[:6], 16))
    newer = rest[0].format(**slots) if rest else ""
    return Made(gold, kind, lang, older.format(**slots), newer, older_at, newer_at, half, trap)


def _slots(lang: str, fill: int, said: datetime, pools: Pools, seed: int) -> dict[str, str]:
    named = {name: pool[(seed + fill) % len(pool)] for name, pool in pools.items()}
    others = {f"{name}2": pool[(seed + fill + 3) % len(pool)] for name, pool in pools.items()}
    number = 20 + seed % 40 + 7 * fill
    days = {
        "past": _day(lang, said + timedelta(days=25 + 4 * fill), fill),
        "day": _day(lang, said - timedelta(days=200 + 9 * fill), fill),
        "day2": _day(lang, said - timedelta(days=190 + 7 * fill), fill),
        "future": _day(lang, TODAY + timedelta(days=150 + 31 * fill), 5),
        "year": str(2010 + (seed + fill) % 12),
        "year2": str(2011 + (seed + fill) % 12),
    }
    return named | others | days | {"n": str(number), "m": str(number + 9), "k": str(2 + fill), "j": str(8 + fill)}


def _day(lang: str, at: datetime, form: int) -> str:
    month = MONTHS[lang].split()[at.month - 1]
    if lang == "fr":
        return f"{at.day} {month} {at.year}" if form % 2 else f"{at.day} {month}"
    return (f"{month} {at.day}, {at.year}", f"{at.day} {month}", f"{at.day} {month} {at.year}")[form % 3]
