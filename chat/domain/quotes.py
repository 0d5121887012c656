"""An answer that is mostly what memory gave: kept once more it would outrank the entries that it is made of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.words import indexed

#: So many words in the same order are a quotation; of a shorter entry, all of it. Fewer than the least are chance.
RUN, LEAST = 6, 3
#: What an answer may say of a question without adding anything to it.
ASSENT = "yes yeah yep no nope ok okay indeed right correct oui non si exact d'accord"
#: From which share of its words on an answer is quoted, or told again.
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


def is_retelling(text: str, question: str, given: Iterable[str]) -> bool:
    """Is what an answer adds to its question mostly in what memory gave? “It is port 8080.” tells an entry again.

    An answer that adds nothing (“Yes.”) does, where there is anything to say yes to.
    """
    known = frozenset[str]().union(*map(_telling, given))
    added = _telling(text) - _telling(question)
    return bool(known) and len(added & known) >= SHARE * len(added)


def _telling(text: str) -> frozenset[str]:
    """The folded words of a text, without those that only hold it together."""
    return frozenset(indexed(text).split()) - _holding_together()


@lru_cache(maxsize=1)
def _holding_together() -> frozenset[str]:
    return frozenset(indexed(" ".join([*FUNCTION_WORDS, ASSENT])).split())


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
