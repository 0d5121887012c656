"""What a text must be to be remembered, before anything else looks at it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.domain.words import spaceless

#: A message or a memory may hold this many bytes of UTF-8.
LARGEST = 1024 * 1024
SURROGATE = re.compile("[\ud800-\udfff]")
WORDS = re.compile(r"\S+")
NAMEABLE = re.compile(r"[^\W_]")


@dataclass(frozen=True)
class Clean:
    """A text that every part of the store can hold, and what was changed to make it so."""

    text: str
    nul: int
    surrogates: int


def clean(text: str) -> Clean:
    """NUL is removed (a SQLite shell shows no further), a lone surrogate becomes U+FFFD (no UTF-8 can hold it)."""
    plain, surrogates = SURROGATE.subn("\ufffd", text)
    return Clean(plain.replace("\0", ""), plain.count("\0"), surrogates)


def size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def is_degenerate(text: str) -> bool:
    """One word; in scripts without spaces, one character. Signs and emoji alone are no word."""
    words = 0
    for match in WORDS.finditer(text):
        words += bool(NAMEABLE.search(match.group()))
        if words > 1:
            return False
    return spaceless(text) < 2
