"""Rarity, admission and order of the word channel, counted over one owner's rows.

BM25 as FTS5 has it (k1 1.2, b .75), but with the document frequencies of the owner, and the mean length of the rows
that are ranked. Another owner's rows change neither which rows are admitted nor their order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from memory.domain.words import Term

K1, B = 1.2, 0.75
#: What a word counts in the rows next to one, of what it counts in the row itself.
CONTEXT = 0.5
#: A share is counted as if the store had at least so many rows: in a store of one row a word that no row holds would
#: outweigh all that it does hold, and the one fact there is would count as nothing.
SMALL = 50


@dataclass(frozen=True)
class Frequency:
    """How many of the owner's rows hold a term."""

    term: Term
    rows: int


@dataclass(frozen=True)
class Sought:
    """A term as it stands in a row's spaced words, what it weighs in the order, and in the share of the question."""

    needle: str
    term: Term
    weight: float
    telling: float


@dataclass(frozen=True)
class Text:
    """Folded words, spaced; `length` against the mean of its like."""

    words: str
    length: float


@dataclass(frozen=True)
class Scored:
    """`share`: how much of the question's rarity the row covers, 0 to 1. `matched`: its terms, rarest first."""

    id: int
    score: float
    share: float
    matched: tuple[str, ...]


def ceiling(total: int, max_df: float) -> int:
    """In more rows than this a word admits no deliberate row."""
    return max(1, math.floor(max_df * total))


def rarity(rows: int, total: int) -> float:
    """Positive also for a word in every row: a small store would have no order without it."""
    return math.log(1 + (total - rows + 0.5) / (rows + 0.5))


def scored(
    rows: Mapping[int, str],
    frequencies: Sequence[Frequency],
    total: int,
    beside: Mapping[int, Sequence[int]] | None = None,
) -> list[Scored]:
    """The rows (id → folded words) by falling score; equal scores newest first.

    `beside`: which rows stand next to which. Their words count for less, do not lengthen the row, and are not among
    those that it covers: a question often stands in the row before its answer.
    """
    beside = beside or {}
    spaced = {entry: f"  {words.replace(' ', '  ')}  " for entry, words in rows.items()}
    lengths = {entry: words.count(" ") + 1 for entry, words in rows.items()}
    mean = sum(lengths.values()) / len(lengths) if lengths else 1.0
    known = sorted((f for f in frequencies if f.rows), key=lambda f: (f.rows, f.term.shown))
    sought = [_sought(frequency, total) for frequency in known]
    whole = _whole(frequencies, total)
    context = {entry: "".join(spaced[one] for one in beside.get(entry, ()) if one in spaced) for entry in rows}
    around = {entry: sum(lengths.get(one, 0) for one in beside.get(entry, ())) for entry in rows}
    usual = fmean([each for each in around.values() if each] or [1])
    found = [
        _score(
            entry,
            Text(spaced[entry], lengths[entry] / mean),
            Text(context[entry], around[entry] / usual),
            sought,
            whole,
        )
        for entry in rows
    ]
    return sorted(found, key=lambda row: (-row.score, -row.id))


def _sought(frequency: Frequency, total: int) -> Sought:
    needle = f"  {'  '.join(frequency.term.tokens)}  "[1:-1]
    return Sought(needle, frequency.term, rarity(frequency.rows, total), rarity(frequency.rows, max(total, SMALL)))


def _score(entry: int, own: Text, context: Text, sought: Sequence[Sought], whole: float) -> Scored:
    score = 0.0
    covered: dict[str, float] = {}
    matched: list[str] = []
    for each in sought:
        score += CONTEXT * _bm25(each, context.words.count(each.needle), context.length)
        if count := own.words.count(each.needle):
            score += _bm25(each, count, own.length)
            covered[each.term.word] = max(covered.get(each.term.word, 0.0), each.telling)
            matched.append(each.term.shown)
    return Scored(entry, score, min(1.0, sum(covered.values()) / whole), tuple(matched))


def _bm25(sought: Sought, count: int, length: float) -> float:
    return sought.weight * count * (K1 + 1) / (count + K1 * (1 - B + B * length))


def _whole(frequencies: Sequence[Frequency], total: int) -> float:
    """The rarity of the whole question: each word counts once, by its most telling term that some row holds."""
    words: dict[str, list[Frequency]] = {}
    for each in frequencies:
        words.setdefault(each.term.word, []).append(each)
    return sum(_weight(found, total) for found in words.values()) or 1.0


def _weight(found: list[Frequency], total: int) -> float:
    held = [each.rows for each in found if each.rows]
    return max(rarity(rows, max(total, SMALL)) for rows in held or [0])
