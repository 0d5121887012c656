"""A second look where a question found nothing: the same question in other words, searched by the same rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memory.recalled import Query, Recalled

if TYPE_CHECKING:
    from forgesite.lib.embeddings import Door
    from forgesite.models import Account

#: A language model's part: other ways to put a question.
Rewrite = Callable[[str], Sequence[str]]


def rescued(owner: Account, query: Query, found: Recalled, *, door: Door | None, rewrite: Rewrite | None) -> Recalled:
    """What was found, where nothing else helps. Called only where no row answers and a cutoff is in force."""
    return found
