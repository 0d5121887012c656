"""A reply that gives away what the model was told: a long run of the very words of its instructions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

#: So many words in the same order are no chance.
RUN = 12
_WORDS = re.compile(r"\w+")


def is_leaked(text: str, told: Sequence[str]) -> bool:
    """`told`: the texts that the model was given as instructions."""
    runs = {run for one in told for run in _runs(one)}
    return bool(runs) and any(run in runs for run in _runs(text))


def _runs(text: str) -> Iterable[tuple[str, ...]]:
    words = _WORDS.findall(text.casefold())
    return zip(*(words[start:] for start in range(RUN)), strict=False)
