"""One text as the rules read it: its words in order, what it negates, whether it tells of a change or of the past."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.domain.clauses import Word, words
from memory.domain.moment_words import MONTHS, WEEKDAYS
from memory.domain.negations import negates
from memory.domain.retelling import listed
from memory.domain.words import spaceless
from retention.domain.rule_words import (
    ALIKE,
    ALWAYS_NEVER,
    CHANGE_WORDS,
    CHANGES,
    ENGLISH_SIGNS,
    FRENCH_PAST,
    FRENCH_SIGNS,
    HEDGED,
    IRREGULAR,
    NEVER,
    NO_MORE,
    ONCE,
    PASSIVE,
    PLAIN,
    PLANNED_PARTICIPLES,
    RECURRING,
    SMALL,
    STATES,
    STOPPED,
)

#: Without its accent it would deny: `né`.
BORN = re.compile(r"\bné\b", re.IGNORECASE)
SENTENCE_END = re.compile(r"[.?!\n]+(?:\s|$)")
CLAUSE_END = re.compile(
    r"[,.;:?!\n](?:\s|$)|\s(?:but|so|because|since|which|although|and\sI|mais|donc|car|parce|puisque)\b"
)
#: Words that look like a past, with the one before: `I've got an exam`, `a bit late`.
NOT_PAST = {("bit", "a"), *(("got", having) for having in listed("have has i've we've they've you've haven't"))}
#: Small words in French alone.
ENGLISH_NOUNS = listed("son sons car cars ton tons pour main")
#: Of one text; what is past it is another subject.
READ = 1200
#: Texts of more words than this hold several statements, and no one frame.
SHORT = 24


@dataclass(frozen=True)
class Token:
    """A word that carries something. `name`: written as names are, or a day: it tells which thing is meant."""

    stem: str
    name: bool
    number: bool


@dataclass(frozen=True)
class Saying:
    text: str
    plain: str
    tokens: tuple[Token, ...]
    negated: bool
    changed: bool
    no_more: bool
    stopped: bool
    never: bool
    past: bool
    stative: bool
    recurs: bool
    once: bool
    asks: bool
    hedged: bool
    spaceless: bool

    @property
    def stems(self) -> tuple[str, ...]:
        return tuple(token.stem for token in self.tokens)

    @property
    def short(self) -> bool:
        return len(self.tokens) <= SHORT


@lru_cache(maxsize=512)
def saying(text: str) -> Saying:
    read = BORN.sub("née", text[:READ])
    plain = read.translate(PLAIN)
    every = words(read)
    no_more = bool(NO_MORE.search(plain))
    return Saying(
        text=read,
        plain=plain,
        tokens=tuple(_tokens(every)),
        negated=any(negates(word) and word.plain != "n" for word in every) or no_more,
        changed=bool(CHANGES.search(plain)) or no_more,
        no_more=no_more,
        stopped=bool(STOPPED.search(plain)),
        never=bool(NEVER.search(plain)),
        past=happened(every, read),
        stative=any(word.plain in STATES for word in every),
        recurs=bool(RECURRING.search(plain)),
        once=bool(ONCE.search(plain)),
        asks="?" in read,
        hedged=bool(HEDGED.search(plain)),
        spaceless=spaceless(read) * 2 > len(read),
    )


def _tokens(every: Sequence[Word]) -> list[Token]:
    found = []
    english = _french(every) < 0
    for place, word in enumerate(every):
        if english and word.plain in ENGLISH_NOUNS:
            found.append(Token(word.stem, name=False, number=False))
            continue
        small = word.plain in SMALL or word.plain in CHANGE_WORDS or word.plain in ALWAYS_NEVER or negates(word)
        if small and word.stem not in ALIKE:
            continue
        number = any(character.isdigit() for character in word.plain)
        day = word.plain in WEEKDAYS or word.plain in MONTHS or word.plain.rstrip("s") in WEEKDAYS
        found.append(Token(ALIKE.get(word.stem, word.stem), (word.capital and place > 0) or day, number))
    return found


def happened(every: Sequence[Word], text: str) -> bool:
    """Does it tell what happened, and not what is, or is planned? It errs on the side of yes."""
    french = _french(every)
    if french >= 0 and FRENCH_PAST.search(text):
        return True
    return french <= 0 and any(_ended(word, every[max(0, place - 2) : place]) for place, word in enumerate(every))


def _ended(word: Word, before: Sequence[Word]) -> bool:
    told = [other.plain for other in before[-1:]]
    if word.plain in PLANNED_PARTICIPLES or (word.plain, *told) in NOT_PAST:
        return False
    passive = any(other.plain in PASSIVE for other in before)
    return word.plain in IRREGULAR or (len(word.plain) > 3 and word.plain.endswith("ed") and not passive)


def _french(every: Sequence[Word]) -> int:
    """Above 0: more of French than of English. 0: it may be either."""
    return sum((word.plain in FRENCH_SIGNS) - (word.plain in ENGLISH_SIGNS) for word in every)
