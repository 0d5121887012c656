"""Entries that share rare words: the second key by which two are judged together.

A floor on the cosine finds what says the same, and next to nothing of what contradicts or updates: “the port is 8080”
and “we moved to 9090” are far apart. Two entries are neighbours where they share rare words with a subject among them.
Of each entry only its closest neighbours are kept, so that the work grows with the store and not with its square.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from memory.domain.clauses import words
from memory.domain.fold_words import HAVE
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.words import RUN, folded, grams, spaceless
from retention.domain.columns import Flags, Floats, Ints
from retention.domain.postings import Postings, pieces, posted

#: Neighbours of one entry.
MOST = 5
#: Rare words that two share: one is a coincidence, unless one of them has few words altogether.
SHARED, FEW = 2, 3
#: Share of the rarity of the shorter one's words that has to be shared. With .34 and 3 neighbours 60 % of the pairs of
#: the development set that contradict each other are found among 500 others, and 55 % of its updates; see bench/README.
LEAST = 0.1
#: A word in more entries than this, or than that share of them, says nothing of what an entry is about.
MOST_HOLDERS, MOST_SHARE, ALWAYS = 200, 0.2, 8
#: Of one text; a long one is about what its beginning is about.
READ = 1200
#: What counts one half: five rare words of ten.
HALF = 10.0
#: Decimals of a score: in what order it was added up makes no difference.
EXACT = 6
#: Words shared by two that are looked at together: some 8 MB.
AT_ONCE = 16_384
SMALL = FUNCTION_WORDS | HAVE


class Neighbours(NamedTuple):
    """Two each, by their places, and how much they share."""

    ones: Ints
    others: Ints
    scores: Floats


def content(text: str) -> frozenset[str]:
    """The words of an entry that carry something, as stems; of scripts without spaces, pairs of characters."""
    read = text[:READ]
    plain = {word.stem for word in words(read) if word.plain not in SMALL and len(word.plain) > 1}
    if spaceless(read):
        runs = (match.group() for match in RUN.finditer(folded(read)) if match.lastgroup != "word")
        plain |= {pair for run in runs for pair in grams(run, 2)}
    return frozenset(plain)


def neighbours(contents: Iterable[Collection[str]], count: int) -> Iterator[Neighbours]:
    """The closest of each of `count` entries, some at a time; two that are each other's come once.

    `contents`: of each the words. They are gone through once, and not held.
    """
    limit = max(ALWAYS, min(MOST_HOLDERS, int(count * MOST_SHARE)))
    of = posted(contents, count, limit)
    nearest = np.full((count, MOST), -1, np.int32)
    for start, end in pieces(of.work, AT_ONCE):
        ones, others, scores = _closest(of, start, end)
        rank = np.arange(len(ones)) - np.searchsorted(ones, ones)
        nearest[ones, rank] = others
        fresh = (others > ones) | ~(nearest[others] == ones[:, None]).any(axis=1)
        yield Neighbours(ones[fresh], others[fresh], scores[fresh])


def _closest(of: Postings, start: int, end: int) -> Neighbours:
    """Of these entries, each one's together, closest first; of equal ones that of the first place."""
    ones, others, shared, weights = _shared(of, start, end)
    short = (of.sizes[ones] <= FEW) | (of.sizes[others] <= FEW)
    share = weights / np.minimum(of.sums[ones], of.sums[others])
    fit = ((shared >= SHARED) | short) & (share >= LEAST)
    ones, others, scores = ones[fit], others[fit], _scored((share * weights)[fit])
    order = np.lexsort((others, -scores, ones))
    ones, others, scores = ones[order], others[order], scores[order]
    first = np.arange(len(ones)) - np.searchsorted(ones, ones) < MOST
    return Neighbours(ones[first], others[first], scores[first])


def _shared(of: Postings, start: int, end: int) -> tuple[Ints, Ints, Ints, Floats]:
    """Each of these entries with each that has a rare word of it: how many such words, and how much they weigh."""
    ones, others, weights = of.meetings(start, end)
    apart = ones != others
    ones, others, weights = ones[apart], others[apart], weights[apart]
    order = np.argsort((ones - start) * len(of.sizes) + others)
    ones, others, weights = ones[order], others[order], weights[order]
    firsts = np.flatnonzero(_changes(ones) | _changes(others))
    counts = np.diff(np.append(firsts, len(ones)))
    summed = np.add.reduceat(weights, firsts) if len(firsts) else weights
    return ones[firsts], others[firsts], counts, summed


def _changes(column: Ints) -> Flags:
    """Where a number is another than the one before it; the first is."""
    return np.asarray(np.diff(column, prepend=-1) != 0, np.bool_)


def _scored(much: Floats) -> Floats:
    """Between 0 and 1: how much they share, of what there is. By the share alone two short texts with a common word
    come before two long ones with ten rare ones."""
    return np.asarray(np.round(much / (much + HALF), EXACT), np.float64)
