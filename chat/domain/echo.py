"""What a model writes from memory: a text that repeats what it was given is no news."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz

from memory.domain.sameness import folded

#: How much of the shorter of two texts the other one holds, word by word, of a hundred.
CLOSE = 88.0
#: A shorter text is in many others by chance.
SHORTEST = 12


def repeats(text: str, given: Iterable[str]) -> bool:
    """Does the text say one of the given ones again, whole or in part?"""
    plain = folded(text)
    return any(_close(plain, folded(one)) for one in given)


def _close(text: str, given: str) -> bool:
    if text == given or (len(text) >= SHORTEST and text in given):
        return True
    return fuzz.token_sort_ratio(text, given) >= CLOSE or (len(given) >= SHORTEST and given in text)
