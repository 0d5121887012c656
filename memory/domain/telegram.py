"""A text in telegram style: bits between commas, with hardly a word that a question would share."""

from __future__ import annotations

import re

#: Bits between commas that make a telegram, and the words that they have on average at the most.
BITS, WORDS = 3, 2.5
COMMA = re.compile(r"[,;、，；]")


def is_telegram(text: str) -> bool:
    """Three bits or more, of fewer than two and a half words on average."""
    bits = [bit.split() for bit in COMMA.split(text)]
    bits = [bit for bit in bits if bit]
    return len(bits) >= BITS and sum(map(len, bits)) / len(bits) < WORDS
