"""The words of an earlier time by what moved since: the index of now without those entries, and beside it those as
they were. What it takes is in proportion to what moved, where search.py goes through all that there was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from forgesite.models import Account
from forgesite.owned import owner_id
from memory import change_log, word_channel
from memory.as_of import moment_of
from memory.domain.scope import Scope
from memory.domain.words import Term
from memory.models import Entry
from memory.past.entries import past_of
from memory.past.states import batched, moved_since, states_at
from memory.past.words import PastWords, unchanged, words_of
from memory.word_channel import Holders, Span, Words


@dataclass(frozen=True)
class WordsSince:
    """An index of words as by_words.py asks one. `moved`: the entries that were written since, by whomever; `then`:
    those of them that were there.

    No row stands beside another: that moves what is found up or down, and says nothing of what a row holds.
    """

    owner: Account
    moved: NDArray[np.int64]
    then: PastWords
    total: int

    def sync(self) -> None:
        word_channel.sync()

    def count(self, owner: int) -> int:
        return self.total

    def holders(self, term: Term, scope: Scope) -> Holders:
        return self._with(word_channel.holders(term, scope), self.then.holders(term, scope))

    def years(self, owner: int) -> range:
        return word_channel.years(owner)

    def dated(self, spans: Sequence[Span], scope: Scope) -> Holders:
        return self._with(word_channel.dated(spans, scope), self.then.dated(spans, scope))

    def beside(self, ids: Sequence[int]) -> dict[int, tuple[int, ...]]:
        return {}

    def words_of(self, ids: Sequence[int]) -> dict[int, Words]:
        moved = frozenset(self.moved.tolist())
        return word_channel.words_of([pk for pk in ids if pk not in moved]) | self.then.words_of(ids)

    def _with(self, now: Holders, then: Holders) -> Holders:
        still = ~np.isin(now.ids, self.moved)
        return Holders(np.concatenate([now.ids[still], then.ids]), np.concatenate([now.what[still], then.what]))


@dataclass
class Moments:
    """Of one owner, each built once, by the commit that it is as of."""

    owner: Account
    _since: dict[str, WordsSince] = field(default_factory=dict)

    def words(self, as_of: str) -> WordsSince:
        """Raises what `moment_of` does."""
        if as_of not in self._since:
            self._since[as_of] = words_since(self.owner, as_of)
        return self._since[as_of]


def words_since(owner: Account, as_of: str) -> WordsSince:
    """Raises what `moment_of` does."""
    at = moment_of(owner, as_of)
    outside = change_log.changed_outside("memory_entry")
    moved, stated = moved_since(owner, at.tick)
    found = past_of(owner, stated | states_at(owner, at.tick, outside))
    states = {pk: one.shown for pk, one in found.stated.items()}
    then = PastWords(found, states, words_of(owner, found, unchanged(owner, found)))
    every = sorted(moved | outside)
    there = sum(Entry.objects.of(owner).filter(pk__in=some).count() for some in batched(every))
    total = word_channel.count(owner_id(owner)) - there + len(then.words)
    return WordsSince(owner, np.array(every, dtype=np.int64), then, total)
