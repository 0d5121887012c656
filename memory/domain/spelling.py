"""A hint at a word that may be misspelt: the store's own vocabulary knows one that is nearly the same.

It is a hint and nothing else: no text is ever rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

from rapidfuzz import process
from rapidfuzz.distance import Indel

#: Letters of a word that is looked at, and how alike two words are, by difflib's ratio, before one hints at the other.
SHORTEST, ALIKE = 5, 0.85
#: Words of one text that are looked at, and hints that are given.
LOOKED_AT, HINTS = 200, 5
WORD = re.compile(rf"[^\W\d_]{{{SHORTEST},}}")


@dataclass(frozen=True)
class Hint:
    """`word` as it was written, in lower case; `instead` as the vocabulary has it."""

    word: str
    instead: str


def vocabulary_of(text: str) -> frozenset[str]:
    """The words of a text that are long enough, in lower case."""
    return frozenset(WORD.findall(text.lower()))


def hints(text: str, vocabulary: Collection[str]) -> tuple[Hint, ...]:
    """For each word that the vocabulary lacks, its closest one there, if that is close enough; in the text's order."""
    known = frozenset(vocabulary)
    asked = dict.fromkeys(word for word in WORD.findall(text.lower()) if word not in known)
    choices = sorted(known)
    found = (Hint(word, near) for word in list(asked)[:LOOKED_AT] if (near := _closest(word, choices)))
    return tuple(islice(found, HINTS))


def _closest(word: str, choices: list[str]) -> str:
    """Of equally close ones, the first by the alphabet; empty for none.

    What two words share in order is never less than what difflib finds, and is found a hundred times as fast.
    """
    near = process.extract(word, choices, scorer=Indel.normalized_similarity, score_cutoff=ALIKE, limit=None)
    rated = [(SequenceMatcher(None, other, word, autojunk=False).ratio(), other) for other, _score, _place in near]
    return min(((-ratio, other) for ratio, other in rated if ratio >= ALIKE), default=(0.0, ""))[1]
