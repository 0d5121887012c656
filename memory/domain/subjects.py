"""What notes are about, by arithmetic alone: rare words that several of them share. No model, no list of words.

A fold asks which notes could be one, the index of a hot block what there is; both by the same rule.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

#: Entries of a store, the newest ones, over which it is counted how rare a word is.
CORPUS = 2000
#: Informative words that all notes of a subject share, at the least: with one, `bought` would be a subject.
SHARED = 2
#: Words before the colon of a label, at the most.
LABEL = 3

RUN = re.compile(r"[^\W\d_]+|\d+")
PARTS = re.compile(r"[,;]")


@dataclass(frozen=True)
class Note:
    """An entry by its words."""

    id: int
    words: frozenset[str]


@dataclass(frozen=True)
class Rarity:
    """In how many of `size` entries each word stands. A word is informative in `limit` of them at the most."""

    counts: Mapping[str, int]
    size: int
    limit: int

    def informs(self, word: str) -> bool:
        """A word that nobody wrote before does."""
        return self.counts.get(word, 0) <= self.limit


@dataclass(frozen=True)
class Subject:
    """`name`: the word by which it was found; `shared`: every informative word that all of its notes hold, sorted;
    `ids` ascending."""

    name: str
    shared: tuple[str, ...]
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Labelled:
    """`label` empty: the whole note is one detail."""

    label: str
    details: tuple[str, ...]


def tokens(text: str) -> tuple[str, ...]:
    """Lowercase runs of letters or of digits, in order: `32Go` is two, `AM06PRO` three."""
    return runs(text.lower())


def runs(text: str) -> tuple[str, ...]:
    """The same as they are written."""
    return tuple(RUN.findall(unicodedata.normalize("NFC", text)))


def note(pk: int, text: str) -> Note:
    return Note(pk, frozenset(tokens(text)))


def rarity(notes: Iterable[Collection[str]], *, max_df: float) -> Rarity:
    """Over the words of each of these notes; `max_df`: the share of them that an informative word may stand in."""
    counts: Counter[str] = Counter()
    size = 0
    for words in notes:
        counts.update(set(words))
        size += 1
    # As it is written: .29 × 100 is 28.999… to a float.
    return Rarity(counts, size, max(1, math.floor(Fraction(str(max_df)) * size)))


def subjects(notes: Collection[Note], rare: Rarity, *, min_sources: int = 2, shared: int = SHARED) -> list[Subject]:
    """The subjects of the notes, each of which is in one at most, in the order in which they were found.

    Again and again the best group is taken out: of all notes that are left and hold a word, if there are `min_sources`
    of them and they have `shared` informative words in common. Best is the one of most notes, then of most shared
    words, then of the longest name, then by the alphabet; so that the order of the notes changes nothing.
    """
    informative = {one.id: frozenset(filter(rare.informs, one.words)) for one in notes}
    holders: dict[str, set[int]] = {}
    for pk, words in informative.items():
        for word in words:
            holders.setdefault(word, set()).add(pk)
    groups = _Groups(informative, holders, max(1, min_sources), max(1, shared))
    found = []
    while best := groups.take():
        found.append(best)
    return found


class _Groups:
    """The groups that could be a subject. Those that lost a note are looked at again, and no others."""

    def __init__(
        self, informative: Mapping[int, frozenset[str]], holders: dict[str, set[int]], sources: int, shared: int
    ) -> None:
        self._informative, self._holders, self._sources, self._shared = informative, holders, sources, shared
        self._of_word: dict[str, frozenset[str]] = {}
        self._look(holders)

    def take(self) -> Subject | None:
        """The best one, whose notes are then in no other. None: there is none left."""
        if not self._of_word:
            return None
        name = min(self._of_word, key=self._order)
        ids = sorted(self._holders[name])
        subject = Subject(name, tuple(sorted(self._of_word[name])), tuple(ids))
        touched = {word for pk in ids for word in self._informative[pk]}
        for word in touched:
            self._holders[word].difference_update(ids)
        self._look(touched)
        return subject

    def _order(self, word: str) -> tuple[int, int, int, str]:
        return -len(self._holders[word]), -len(self._of_word[word]), -len(word), word

    def _look(self, words: Iterable[str]) -> None:
        for word in words:
            common = self._common(self._holders[word])
            if len(common) >= self._shared:
                self._of_word[word] = common
            else:
                self._of_word.pop(word, None)

    def _common(self, ids: Collection[int]) -> frozenset[str]:
        """What all of these notes have in common; nothing where they are too few."""
        if len(ids) < self._sources:
            return frozenset()
        each = iter(ids)
        common = self._informative[next(each)]
        for pk in each:
            common &= self._informative[pk]
            if len(common) < self._shared:
                return frozenset()
        return common


def labelled(text: str) -> Labelled:
    """`Matériel : NiPoGi, 32 Go` has a label and two details; a text without one is one detail."""
    label, colon, body = text.partition(":")
    details = tuple(part.strip() for part in PARTS.split(body) if part.strip())
    if colon and details and 1 <= len(label.split()) <= LABEL:
        return Labelled(label.strip(), details)
    return Labelled("", (text.strip(),))
