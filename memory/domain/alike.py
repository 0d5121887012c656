"""Which texts of a store say nearly the same by their words, and of which two that look it one says something else.

Alike are two that share most of their words. Nearly the same are those of which one has no word of its own, with the
same negations and numbers, and in the same order where anything is negated. Whatever else is alike may be a conflict,
and is for a person to look at: words alone do not tell `green tea` from `black tea`.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import ceil
from typing import Literal

from memory.domain.exact_words import NAME, exact
from memory.domain.fold_words import NEGATING, NEGATION
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.retelling import ALIKE, NUMBERS
from memory.domain.words import HIRAGANA, RULE, SPACELESS, THAI, folded, stem

Reason = Literal["negation", "numbers", "sense", "order", "names", "words"]
#: The weightiest first: by these two alike texts are not the same thing said twice.
REASONS: tuple[Reason, ...] = ("negation", "numbers", "sense", "order", "names", "words")
#: The share of their words that two alike ones have in common, and the least words of one.
SHARE, LEAST = 0.6, 2
#: Texts that hold a rare word, of which each other is compared with so many, the nearest in length.
HOLDERS = 25
#: Characters of a text that are read for what it negates and counts.
READ = 2000
#: Negations of scripts without spaces, or that are glued to their verb; and what counts there.
GLUED = (*NEGATING, "ない", "なく", "なかっ", "ませ", "ไม่", "않", "없", "못", "안")
DIGITS = frozenset("〇一二三四五六七八九十百千万億")
#: Pairs of Thai that an insertion changes beside it.
BESIDE = 2
_SPACELESS = (SPACELESS, HIRAGANA, THAI)


@dataclass(frozen=True)
class Alike:
    """Two texts that share most of their words. `reason` None: they say nearly the same."""

    one: int
    other: int
    share: float
    reason: Reason | None


@dataclass(frozen=True)
class Found:
    """`complete` False: a word stood in so many texts that not each was compared with each."""

    pairs: tuple[Alike, ...]
    complete: bool


def content(words: Iterable[str]) -> frozenset[str]:
    """Of the folded words of a text (see words.py) those that say something.

    Of scripts without spaces the characters, of Thai, whose letters are few, the pairs; hiragana is mostly grammar.
    """
    return frozenset(word for word in words if _says(word))


@lru_cache(maxsize=100_000)
def _says(word: str) -> bool:
    if word in SMALL or word == RULE:
        return False
    if word.isascii() or not _of(word[0], SPACELESS):
        return True
    if _of(word[0], THAI):
        return len(word) > 1
    return len(word) == 1 and not _of(word, HIRAGANA)


@lru_cache(maxsize=100_000)
def _of(character: str, ranges: str) -> bool:
    return any(low <= character <= high for low, high in RANGES[ranges])


def _ranges(written: str) -> list[tuple[str, str]]:
    """Of a regular expression's class: single characters, and ranges with a hyphen."""
    found, place = [], 0
    while place < len(written):
        if written[place + 1 : place + 2] == "-":
            found.append((written[place], written[place + 2]))
            place += 3
        else:
            found.append((written[place], written[place]))
            place += 1
    return found


RANGES = {each: _ranges(each) for each in _SPACELESS}
#: Without `te`, which the index has for `tea` too.
SMALL = frozenset(stem(word) for word in FUNCTION_WORDS) - {stem("tea")}
#: Stem → stems that may stand for it.
STANDS_FOR = {stem(word): frozenset(map(stem, group)) for word, group in ALIKE.items()}


def alike(rows: Mapping[int, frozenset[str]], share: float = SHARE) -> Iterator[tuple[int, int]]:
    """The pairs of rows that share so much of their content, each once; by rare words, so that few are compared.

    Two that share enough have one of their rarest words in common: of the rest, either has too few to make it up.
    """
    count = Counter(chain.from_iterable(rows.values()))
    held: dict[str, list[int]] = {}
    for pk in sorted(rows, key=lambda pk: (len(rows[pk]), pk)):
        words = rows[pk]
        if len(words) < LEAST:
            continue
        rarest = sorted(words, key=lambda word: (count[word], word))[: len(words) - ceil(share * len(words)) + 1]
        others = dict.fromkeys(chain.from_iterable(held.get(word, ())[-HOLDERS:] for word in rarest))
        size = len(words)
        for other in others:  # as `shared` has it, and at once: of a large store this is all the time it takes
            common = len(words & rows[other])
            if common >= share * (size + len(rows[other]) - common):
                yield other, pk
        for word in rarest:
            held.setdefault(word, []).append(pk)


def crowded(rows: Mapping[int, frozenset[str]]) -> bool:
    """Is there a word in so many rows that some were not compared?"""
    return any(times > HOLDERS for times in Counter(chain.from_iterable(rows.values())).values())


def shared(one: Collection[str], other: Collection[str]) -> float:
    """The share of their words that both have; 0 where neither has any."""
    common = len(frozenset(one) & frozenset(other))
    together = len(one) + len(other) - common
    return common / together if together else 0.0


def reason(one: str, other: str, words: tuple[frozenset[str], frozenset[str]]) -> Reason | None:
    """Why two alike texts are not the same thing said twice; None where nothing tells them apart."""
    first, second = _read(one), _read(other)
    if first.negations != second.negations:
        return "negation"
    if first.numbers != second.numbers:
        return "numbers"
    if first.operator != second.operator:
        return "sense"
    own, others = _own(*words), _own(*reversed(words))
    if own and others:
        return "names" if first.names - second.names and second.names - first.names else "words"
    if any(first.negations) and first.order != second.order:
        return "negation"
    return "order" if not (own or others) and first.called != second.called else None


@dataclass(frozen=True)
class _Said:
    """`order`: its words as they follow one another, without those of grammar; `called`: its names, the same way."""

    negations: tuple[int, ...]
    numbers: tuple[tuple[str, int], ...]
    operator: str
    called: tuple[str, ...]
    order: tuple[str, ...]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self.called)


@lru_cache(maxsize=4096)
def _read(text: str) -> _Said:
    plain = unicodedata.normalize("NFKC", text[:READ])
    found = exact(plain)
    forms = [folded(word.form) for word in found.words]
    return _Said(
        negations=_negations(plain, forms),
        numbers=tuple(sorted(Counter(_numbers(plain, forms)).items())),
        operator=found.operator if found.operator != "negation" else "",
        called=tuple(word.form for word in found.words if word.sort == NAME),
        order=tuple(chain.from_iterable(map(_in_order, forms))),
    )


def _negations(text: str, forms: Sequence[str]) -> tuple[int, ...]:
    """Is anything negated by a word (`ne … pas` is as good as `pas`), and how often by what is glued to others."""
    said = any(form in NEGATION or form.endswith("n't") for form in forms)
    return int(said), *(text.count(sign) for sign in GLUED)


def _numbers(text: str, forms: Sequence[str]) -> Iterator[str]:
    """`one` may be an article."""
    for form in forms:
        number = NUMBERS.get(form, form)
        if form == "1" or (number[-1:].isdigit() and number != "1"):
            yield number
    yield from (sign for sign in text if sign in DIGITS)


def _in_order(form: str) -> tuple[str, ...]:
    if not form.isascii() and any(_of(sign, SPACELESS) for sign in form):
        return tuple(filter(_says, form))
    return () if form in FUNCTION_WORDS else (stem(form),)


def _own(words: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """The words that the others do not have, and have nothing that stands for them."""
    alone, against = words - others, others - words
    own = frozenset(word for word in alone if not STANDS_FOR.get(word, frozenset()) & against)
    return frozenset() if len(own) <= BESIDE and all(_of(word[0], THAI) for word in own) else own
