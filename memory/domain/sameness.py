"""When two texts say the same: equal once case, white space, quote style and a final full stop are folded."""

from __future__ import annotations

import hashlib
import unicodedata

QUOTES = str.maketrans({**dict.fromkeys("‘’‚‛′ʼ＇", "'"), **dict.fromkeys("“”„‟″«»＂", '"')})
FULL_STOPS = ".。．"


def folded(text: str) -> str:
    # « mot » keeps its inner spaces in French and "mot" has none: the spaces go with the quotes.
    plain = unicodedata.normalize("NFC", text).translate(QUOTES).casefold()
    words = " ".join(plain.split()).replace('" ', '"').replace(' "', '"')
    return words[:-1].rstrip() if words[-1:] in FULL_STOPS and words[-2:-1] not in FULL_STOPS else words


def sameness(text: str) -> str:
    """64 hex digits, equal for texts that say the same."""
    return hashlib.sha256(folded(text).encode("utf-8", "replace")).hexdigest()
