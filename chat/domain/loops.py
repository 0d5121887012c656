"""A reply that goes in circles: the same words, sentences or paragraphs over and over, one behind the other.

Only what follows itself at once counts. A refrain comes back after a verse, the items of a list differ, and tables and
code are set aside: they repeat by nature. Scripts without spaces are read by characters, all others by words.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

#: Words of the end of a reply that are looked at, and how long what comes back may be.
LONGEST, PERIOD = 6000, 500
#: How often at least something stands there, how many words come again, and which share of the reply all of it is.
TIMES, AGAIN, SHARE = 3, 15, 0.25

UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORDS = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})")
_ROW = re.compile(r"^[ \t]*\||^(?: {4}|\t)")
#: The mark of a list's item: one that numbers itself goes in circles all the same.
_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\(?\w{1,3}[.)])[ \t]+")


def goes_in_circles(text: str) -> bool:
    words = _words(text)
    known: dict[str, int] = {}
    numbers = np.array([known.setdefault(word, len(known)) for word in words], dtype=np.int32)
    return any(_circle(numbers, period) for period in range(1, min(PERIOD, len(words) // TIMES) + 1))


def _circle(words: NDArray[np.int32], period: int) -> bool:
    """Does one stretch of so many words follow itself often enough?"""
    run = _longest(words[period:] == words[:-period])
    return run >= max(AGAIN, (TIMES - 1) * period) and run + period >= SHARE * len(words)


def _longest(same: NDArray[np.bool_]) -> int:
    """The longest stretch without a difference."""
    breaks = np.flatnonzero(~same)
    edges = np.concatenate(([-1], breaks, [len(same)]))
    return int(np.diff(edges).max()) - 1


def _words(text: str) -> list[str]:
    """Of its prose, in lower case: code and tables set aside, marks of lists too."""
    prose, fence = [], ""
    for line in text.splitlines():
        if mark := _FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else (fence or mark[1])
        elif not fence and not _ROW.match(line):
            prose.append(_ITEM.sub("", line))
    return _WORDS.findall("\n".join(prose).lower())[-LONGEST:]
