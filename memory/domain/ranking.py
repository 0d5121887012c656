"""Rarity, admission and order of the word channel, counted over one owner's rows.

BM25 as FTS5 has it (k1 1.2, b .75), but with the document frequencies of the owner, and the mean length of the rows
that are ranked. Another owner's rows change neither which rows are admitted nor their order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.domain.words import Term, of_sides

Numbers = NDArray[np.float64]

K1, B = 1.2, 0.75
#: What a word counts in the rows next to one, of what it counts in the row itself.
CONTEXT = 0.5
#: Characters of folded words up to which it counts so much: a longer row is the better understood by itself.
BRIEF = 600
#: What a word counts in the rest of a long answer, of what it counts in the words of the person.
ANSWER = 0.25
#: What a date of the question counts for a row of that date, of what a word in as many rows would.
DATE = 3.0
#: What a standing rule counts where it shares a word with the question, of what a word in as many rows would.
STANDING = 0.5
#: A share is counted as if the store had at least so many rows: in a store of one row a word that no row holds would
#: outweigh all that it does hold, and the one fact there is would count as nothing.
SMALL = 50


@dataclass(frozen=True)
class Frequency:
    """How many of the owner's rows hold a term."""

    term: Term
    rows: int


@dataclass(frozen=True)
class Key:
    """What a row is found by besides its words, and what that adds to its score.

    `shown` as the question says it, or empty. `alone`: also where the row holds no word of the question.
    """

    shown: str
    weight: float
    alone: bool = True


@dataclass(frozen=True)
class Sought:
    """A term as it stands in a row's spaced words, what it weighs in the order, and in the share of the question."""

    needle: str
    term: Term
    weight: float
    telling: float


class Text(NamedTuple):
    """Folded words, spaced, and those of the rest of a long answer, which add nothing to its `length` in words.

    `size`: characters of both.
    """

    words: str
    rest: str
    length: int
    size: int

    def counts(self, needles: Sequence[str]) -> list[float]:
        """How often each stands in it."""
        held: list[float] = [self.words.count(needle) for needle in needles]
        if not self.rest:
            return held
        return [own + ANSWER * self.rest.count(needle) for own, needle in zip(held, needles, strict=True)]


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
    keys: Mapping[int, Sequence[Key]] | None = None,
) -> list[Scored]:
    """The rows (id → folded words) by falling score; equal scores newest first.

    `beside`: which rows stand next to which. Their words count for less, do not lengthen the row, and are not among
    those that it covers: a question often stands in the row before its answer. Nor is a key.
    """
    texts = [_text(words) for words in rows.values()]
    known = sorted((f for f in frequencies if f.rows), key=lambda f: (f.rows, f.term.shown))
    sought = [_sought(frequency, total) for frequency in known]
    needles = [each.needle for each in sought]
    held = [text.counts(needles) for text in texts]
    scores = _scores(
        texts, np.array(held, np.float64).reshape(len(texts), len(sought)), _pairs(rows, beside or {}), sought
    )
    whole = _whole(frequencies, total)
    found = [
        _covering(entry, score, counts, sought, whole)
        for entry, score, counts in zip(rows, scores.tolist(), held, strict=True)
    ]
    found = [_with_keys(row, keys[row.id]) if keys and row.id in keys else row for row in found]
    return sorted(found, key=lambda row: (-row.score, -row.id))


def _pairs(rows: Iterable[int], beside: Mapping[int, Sequence[int]]) -> NDArray[np.intp]:
    """The places of each row and of one that stands next to it."""
    place = {entry: at for at, entry in enumerate(rows)}
    pairs = [(at, place[one]) for entry, at in place.items() for one in beside.get(entry, ()) if one in place]
    return np.array(pairs, dtype=np.intp).reshape(-1, 2)


def _with_keys(row: Scored, keys: Sequence[Key]) -> Scored:
    found = [key for key in keys if key.alone or row.matched]
    shown = [key.shown for key in found if key.shown]
    return replace(row, score=row.score + sum(key.weight for key in found), matched=(*shown, *row.matched))


def _text(words: str) -> Text:
    own, rest = of_sides(words)
    return Text(_apart(own), _apart(rest) if rest else "", own.count(" ") + 1, len(words))


def _apart(words: str) -> str:
    return f"  {words.replace(' ', '  ')}  "


def _sought(frequency: Frequency, total: int) -> Sought:
    needle = f"  {'  '.join(frequency.term.tokens)}  "[1:-1]
    return Sought(needle, frequency.term, rarity(frequency.rows, total), rarity(frequency.rows, max(total, SMALL)))


def _scores(texts: Sequence[Text], held: Numbers, pairs: NDArray[np.intp], sought: Sequence[Sought]) -> Numbers:
    """Of each row, by how often it and what is next to it hold each term; no text is read twice."""
    length, around, near = np.array([text.length for text in texts], np.float64), np.zeros(len(texts)), held * 0.0
    np.add.at(around, pairs[:, 0], length[pairs[:, 1]])
    np.add.at(near, pairs[:, 0], held[pairs[:, 1]])
    share = CONTEXT * np.minimum(1.0, BRIEF / np.maximum(1, [text.size for text in texts]))
    own, beside = length / fmean(length.tolist() or [1]), around / fmean(around[around > 0].tolist() or [1])
    score = np.zeros(len(texts))
    for place, each in enumerate(sought):
        score += share * _bm25(each, near[:, place], beside)
        score += _bm25(each, held[:, place], own)
    return score


def _covering(entry: int, score: float, counts: Sequence[float], sought: Sequence[Sought], whole: float) -> Scored:
    matched = [each for each, count in zip(sought, counts, strict=True) if count]
    if not matched:
        return Scored(entry, score, 0.0, ())
    covered: dict[str, float] = {}
    for each in matched:
        covered[each.term.word] = max(covered.get(each.term.word, 0.0), each.telling)
    share = min(1.0, sum(covered.values()) / whole)
    return Scored(entry, score, share, tuple([each.term.shown for each in matched]))


def _bm25(sought: Sought, count: Numbers, length: Numbers) -> Numbers:
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
