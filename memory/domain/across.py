"""Does a row answer a question that is asked in another language than the row is written in?

No word is shared, and every distance is larger: the right row is nearly always the nearest, and no nearer than rows on
something else are to a question of their own language. What tells is how far it stands out from the rows behind it.
Measured: bench/README.md, abstention.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from memory.domain.asking_words import asks
from memory.domain.cutoff import admits
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.languages import language
from memory.domain.nothing import INVERTED, LONG, Subject
from memory.domain.words import folded

#: So much nearer than the tenth row; in a small memory, than the row at a third of it.
STANDS_OUT = 0.12
TENTH, THIRD = 10, 3
#: And it may be so much farther than the cutoff.
FARTHER = 0.06
#: Share of the question's rarity that tells by words: two languages write many words alike that mean two things.
SHARE_ACROSS = 0.6
WORD = re.compile(r"\w+(?:[-.@]\w+)*")


def in_reach(distance: float, cutoff: float | None) -> bool:
    return admits(None if cutoff is None else round(cutoff + FARTHER, 4), distance)


def naming(question: str) -> str:
    """Its words that name something, as they are written; the question itself where none does."""
    words = [_without_pronoun(word) for word in WORD.findall(question)]
    return " ".join(word for word in words if not _only_asks(folded(word))) or question


def _without_pronoun(word: str) -> str:
    pair = INVERTED.fullmatch(word)
    return pair[1] if pair else word


def _only_asks(word: str) -> bool:
    return word in FUNCTION_WORDS or asks(word)


def stands_out(row: int, distances: Mapping[int, float]) -> bool:
    """Is it so far before the others, from what lies between the question and its naming words?"""
    if row not in distances:
        return False
    behind = sorted(distances.values())[min(TENTH, -(-len(distances) // THIRD)) - 1]
    return behind - distances[row] >= STANDS_OUT


def may_be_meant(about: Subject, shares: Mapping[int, float], row: int) -> bool:
    """No, where the question is long or names a stranger, or another row covers more of its words than this one."""
    if about.stranger or len(about.words) >= LONG:
        return False
    return shares.get(row, 0.0) >= max(shares.values(), default=0.0)


def weighed_across(about: Subject) -> Subject:
    return replace(about, bar=SHARE_ACROSS)


def told_anyhow(about: Subject, shares: Mapping[int, float]) -> bool:
    """Does a row tell by its words, in whichever language it is?"""
    return max(shares.values(), default=0.0) >= weighed_across(about).least


def across(question: str, row: str) -> bool:
    """Are both of a language that is known, and not of the same?"""
    asked, written = language(question), language(row)
    return bool(asked and written) and asked != written
