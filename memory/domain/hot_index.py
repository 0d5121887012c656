"""The subject index of a hot block that is past its budget: what there is, by name, with how many and which entries.

It depends on the entries alone. A question does not change a byte of it: what it names is opened in the turn.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from memory.domain.fence import harmless
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.hot_block import Kept, bare
from memory.domain.subjects import SHARED, Note, Rarity, rarity, runs, subjects
from memory.domain.words import SPACELESS, folded, pairs, stem

#: A word of more entries than this share of them is no subject: with more, what people do (`repaired`) gathers more
#: entries than what they do it to (bench/README.md, hot index). Words that every sentence has are left out by name.
MAX_DF = 0.05
#: Nor does a word of more entries than this name any of them.
NAMES_DF = 0.2
#: So many may always have a word, however few there are in all.
FEW = 8
#: Entries are opened that have this share of the best one's weight at the least: what shares a name with the best one,
#: and not all that shares a common word with the question.
BESIDE_BEST = 0.3
#: Characters of a name: scripts without spaces have no words to cut at.
NAME = 24
NO_SPACES = re.compile(rf"[{SPACELESS}]+")


@dataclass(frozen=True)
class Topic:
    """A subject as the index shows it. Each entry is in one, if need be alone."""

    name: str
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Named:
    """An entry that a question names. `share`: of what is rare in the question, by weight."""

    id: int
    share: float


@dataclass(frozen=True)
class Index:
    """`words`: of each entry, as a question is read. Subjects of several entries come first, each by its oldest."""

    topics: tuple[Topic, ...]
    words: Mapping[int, frozenset[str]]

    @cached_property
    def _rare(self) -> Rarity:
        return _rarity(self.words, NAMES_DF)

    def named(self, question: str) -> list[Named]:
        """The entries that a question names by a rare word, best first, whichever subject shows them.

        An entry stands under one subject, and has others that a question may name it by.
        """
        asked = {word: self._weight(word) for word in words(question)}
        naming = asked.keys() - {word for word in asked if not self._rare.informs(word)}
        weights = {pk: sum(asked[word] for word in held & naming) for pk, held in self.words.items() if held & naming}
        least = BESIDE_BEST * max(weights.values(), default=0.0)
        best = sorted((pk for pk, weight in weights.items() if weight >= least), key=lambda pk: (-weights[pk], pk))
        return [Named(pk, weights[pk] / sum(asked.values())) for pk in best]

    def _weight(self, word: str) -> float:
        return math.log1p(self._rare.size / max(1, self._rare.counts.get(word, 0)))


@dataclass(frozen=True)
class Fitting:
    """The lines of the index that fit, and what they cost. The first `ids` of them have the ids of their entries;
    `left_out` subjects have no line."""

    lines: tuple[str, ...]
    cost: int
    ids: int
    left_out: int


def words(text: str) -> frozenset[str]:
    """What can name a subject: stems, and pairs where no spaces tell words apart. No number, no single letter."""
    return frozenset(key for key, _shown in _words(text))


def _words(text: str) -> Iterable[tuple[str, str]]:
    """Each with how it is written. A capital that only begins the text says nothing."""
    for place, word in enumerate(runs(text)):
        plain = folded(word).strip()
        for run in NO_SPACES.findall(plain):
            yield from ((pair, pair) for pair in pairs(run))
        plain = NO_SPACES.sub("", plain)
        if len(plain) > 1 and plain.isalpha() and plain not in FUNCTION_WORDS:
            yield stem(plain), word if place or not word[1:].islower() else word.lower()


def index(entries: Iterable[Kept]) -> Index:
    """Of all entries, each in one subject. First those that share two rare words, then one; then each by itself."""
    shown = {one.id: dict(reversed(list(_words(f"{one.project} {one.text}")))) for one in entries}
    keys = {pk: frozenset(held) for pk, held in shown.items()}
    rare, left = _rarity(keys, MAX_DF), dict(keys)
    found: list[Topic] = []
    for shared in (SHARED, 1):
        for one in subjects([Note(pk, held) for pk, held in left.items()], rare, shared=shared):
            found.append(Topic(_name(one.shared, one.ids, shown), one.ids))
            for pk in one.ids:
                del left[pk]
    several = sorted(found, key=lambda topic: topic.ids)
    return Index((*several, *(_alone(pk, left[pk], shown[pk], rare) for pk in sorted(left))), keys)


def _rarity(held: Mapping[int, Collection[str]], max_df: float) -> Rarity:
    rare = rarity(held.values(), max_df=max_df)
    return replace(rare, limit=max(FEW, rare.limit))


def _name(shared: Collection[str], ids: Collection[int], shown: Mapping[int, Mapping[str, str]]) -> str:
    """Of the words that all of them have a name before others, then the longest, as they write it most often."""
    written = {word: Counter(shown[pk][word] for pk in ids) for word in shared}
    names = [min(counts, key=lambda name: (-counts[name], name)) for counts in written.values()]
    return min(names, key=lambda name: (name.islower(), -len(name), name))[:NAME]


def _alone(pk: int, held: frozenset[str], shown: Mapping[str, str], rare: Rarity) -> Topic:
    """Named by its rarest word, a name before others; by nothing where it has none."""
    word = min(held, key=lambda word: (shown[word].islower(), rare.counts[word], -len(shown[word]), word), default="")
    return Topic(shown[word][:NAME] if word else "…", (pk,))


def fitting(topics: Sequence[Topic], *, mark: str, most: int, cost: Callable[[str], int]) -> Fitting:
    """All names before any ids; ids from the first subject on, as far as they fit. Where not even all names do, those
    up to the first that does not."""
    names = [lined(topic, mark, ids=False) for topic in topics]
    prices = [cost(line) + 1 for line in names]
    kept = sum(total <= most for total in accumulate(prices))
    spent = sum(prices[:kept])
    if kept < len(names):
        return Fitting(tuple(names[:kept]), spent, 0, len(names) - kept)
    whole = [lined(topic, mark, ids=True) for topic in topics]
    more = [cost(line) + 1 - price for line, price in zip(whole, prices, strict=True)]
    ids = sum(total <= most - spent for total in accumulate(more))
    return Fitting((*whole[:ids], *names[ids:]), spent + sum(more[:ids]), ids, 0)


def lined(topic: Topic, mark: str, *, ids: bool) -> str:
    """`* nipogi (3): 17 307 315`"""
    line = f"* {bare(harmless(topic.name), mark)} ({len(topic.ids)})"
    return f"{line}: {' '.join(map(str, topic.ids))}" if ids else line
