"""As many exchanges as are asked for, with a vocabulary as texts have it: few words everywhere, most in few rows.

The rank of a word decides how often it comes (Zipf's law, shifted by Mandelbrot). The commonest are the commonest of
English; after them come the words of bench/abstention_texts.py, then made ones.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bench.abstention_texts import CASES
from memory.domain.function_words import FUNCTION_WORDS

VOCABULARY, SHIFT, LENGTH = 40_000, 2.7, 46
COMMONEST = """
the to and a of in is it you that i for on was with as have but be they at this from not are my we or so if your what
when he she there can all one do about would will time up out know get me like just people then them more now go some
think see want no how other come could than good who make way been new because use day work year us need back take
"""
SYLLABLES = "ba co di fe gu ha ji ko lu ma ne po qua ri so tu ver wil xa yo zen bra cle dru fli gro"
WORD = re.compile(r"[^\W\d_]{3,}")


@cache
def words() -> tuple[str, ...]:
    """By rank."""
    texts = " ".join(case.text for case in CASES["English"]).casefold()
    known = dict.fromkeys([*COMMONEST.split(), *WORD.findall(texts)])
    syllables = SYLLABLES.split()
    for number in range(VOCABULARY):
        first, rest = divmod(number, len(syllables) ** 2)
        known.setdefault(
            syllables[rest // len(syllables)]
            + syllables[rest % len(syllables)]
            + syllables[first % len(syllables)]
            + (syllables[first // len(syllables)] if first >= len(syllables) else "")
        )
    return tuple(known)[:VOCABULARY]


@cache
def _chances() -> NDArray[np.float64]:
    weights = 1 / (np.arange(len(words())) + SHIFT)
    return np.cumsum(weights / weights.sum())


def drawn(seed: int, count: int) -> list[str]:
    places = np.searchsorted(_chances(), np.random.default_rng(seed).random(count))
    return [words()[min(place, VOCABULARY - 1)] for place in places]


def exchange(number: int) -> str:
    """One of some 276 characters; the same for the same number."""
    said = drawn(number, LENGTH)
    return f"user: {' '.join(said[: LENGTH // 2])}.\nassistant: {' '.join(said[LENGTH // 2 :])}."


def question(number: int) -> str:
    """Of the exchange of that number: six of its words that name something, as they came."""
    content = [word for word in drawn(number, LENGTH) if word not in FUNCTION_WORDS]
    return f"What did we say about {' '.join(content[::2][:6])}?"
