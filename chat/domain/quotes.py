"""An answer that is mostly what memory gave: kept once more it would outrank the entries that it quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: So many words in the same order are a quotation; of a shorter entry, all of it. Fewer than the least are chance.
RUN, LEAST = 6, 3
#: Which share of an answer's words may be quoted.
SHARE = 0.5
_WORDS = re.compile(r"\w+")


def is_quoting(text: str, given: Iterable[str]) -> bool:
    """`given`: the texts that the model was given from memory."""
    words, runs = _words(text), _runs(given)
    quoted = [False] * len(words)
    for size, known in runs.items():
        for at in range(len(words) - size + 1):
            if words[at : at + size] in known:
                quoted[at : at + size] = [True] * size
    return sum(quoted) >= max(1, SHARE * len(words))


def _runs(given: Iterable[str]) -> dict[int, set[tuple[str, ...]]]:
    """The runs of words that count as quoted, by their length."""
    found: dict[int, set[tuple[str, ...]]] = {}
    for words in map(_words, given):
        size = min(RUN, len(words))
        if size >= LEAST:
            found.setdefault(size, set()).update(words[at : at + size] for at in range(len(words) - size + 1))
    return found


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORDS.findall(text.casefold()))
