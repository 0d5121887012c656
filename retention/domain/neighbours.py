"""Entries that share rare words: the second key by which two are judged together.

A floor on the cosine finds what says the same, and next to nothing of what contradicts or updates: “the port is 8080”
and “we moved to 9090” are far apart. Two entries are neighbours where they share rare words with a subject among them.
Of each entry only its closest neighbours are kept, so that the work grows with the store and not with its square.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory.domain.clauses import words
from memory.domain.fold_words import HAVE
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.words import RUN, folded, grams, spaceless
from retention.domain.candidates import Likeness

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
SMALL = FUNCTION_WORDS | HAVE


@dataclass(frozen=True)
class Words:
    """The words of an entry that carry something, as stems."""

    id: int
    stems: frozenset[str]


def content(pk: int, text: str) -> Words:
    """Of scripts without spaces, pairs of characters."""
    read = text[:READ]
    plain = {word.stem for word in words(read) if word.plain not in SMALL and len(word.plain) > 1}
    if spaceless(read):
        runs = (match.group() for match in RUN.finditer(folded(read)) if match.lastgroup != "word")
        plain |= {pair for run in runs for pair in grams(run, 2)}
    return Words(pk, frozenset(plain))


def neighbours(entries: Sequence[Words]) -> Iterator[Likeness]:
    """The closest of each entry; two that are each other's come once."""
    holders = _holders(entries)
    weights = {word: math.log(1 + len(entries) / len(some)) for word, some in holders.items()}
    limit = max(ALWAYS, min(MOST_HOLDERS, int(len(entries) * MOST_SHARE)))
    given: set[tuple[int, int]] = set()
    for place, entry in enumerate(entries):
        for score, other in _closest(place, entries, holders, weights, limit):
            two = (min(place, other), max(place, other))
            if two not in given:
                given.add(two)
                yield Likeness(entry.id, entries[other].id, words=score)


def _holders(entries: Sequence[Words]) -> dict[str, list[int]]:
    holders: dict[str, list[int]] = {}
    for place, entry in enumerate(entries):
        for word in entry.stems:
            holders.setdefault(word, []).append(place)
    return holders


def _closest(
    place: int,
    entries: Sequence[Words],
    holders: Mapping[str, Sequence[int]],
    weights: Mapping[str, float],
    limit: int,
) -> list[tuple[float, int]]:
    shared: Counter[int] = Counter()
    score: dict[int, float] = {}
    for word in entries[place].stems:
        if len(holders[word]) <= limit:
            for other in holders[word]:
                if other != place:
                    shared[other] += 1
                    score[other] = score.get(other, 0.0) + weights[word]
    own = _weight(entries[place].stems, weights)
    found = []
    for other, count in shared.items():
        if count >= SHARED or len(entries[place].stems) <= FEW or len(entries[other].stems) <= FEW:
            share = score[other] / min(own, _weight(entries[other].stems, weights))
            if share >= LEAST:
                found.append((_scored(share * score[other]), other))
    return heapq.nlargest(MOST, found, key=lambda one: (one[0], -one[1]))


def _scored(much: float) -> float:
    """Between 0 and 1: how much they share, of what there is. By the share alone two short texts with a common word
    come before two long ones with ten rare ones."""
    return much / (much + HALF)


def _weight(stems: frozenset[str], weights: Mapping[str, float]) -> float:
    return sum(weights[word] for word in stems)
