"""Whether a text is English or French, by the words that only one of the two has."""

from __future__ import annotations

import re

from memory.domain.function_words import ENGLISH, FRENCH
from memory.domain.words import folded

#: A longer text has shown by then what it is written in.
MOST_TEXT = 2000
#: `l'équipe`, `est-ce`: what stands before the mark is a word of its own.
WORD = re.compile(r"[^\W\d_]+")
_english, _french = frozenset(ENGLISH.split()), frozenset(FRENCH.split())
OWN = {"en": _english - _french, "fr": _french - _english}


def language(text: str) -> str:
    """`en` or `fr`; empty where neither has more of its words in it, as in a name or a list.

    A text in another language is the one whose words it looks like, or neither.
    """
    words = WORD.findall(folded(text[:MOST_TEXT]))
    counts = {code: sum(word in own for word in words) for code, own in OWN.items()}
    if counts["en"] == counts["fr"]:
        return ""
    return max(counts, key=lambda code: counts[code])
