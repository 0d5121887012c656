"""The folded words of an earlier time, for the word channel: no index, each row is looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

import numpy as np

from forgesite.models import Account
from memory import change_log, word_channel
from memory.domain.scope import Scope
from memory.domain.words import Term, indexed
from memory.models import Entry
from memory.past.entries import Past, versions
from memory.past.states import AT_ONCE, batched
from memory.word_channel import DELIBERATE, HIDDEN, WRITTEN, Holders, Span, Words

ARCHIVING = ("exchange", "summary")


def unchanged(owner: Account, past: Past) -> frozenset[int]:
    """The entries whose words are still those of then."""
    rows = Entry.objects.of(owner)
    few = rows.filter(pk__in=list(past.stated)) if len(past.stated) <= AT_ONCE else rows
    now = dict(few.values_list("pk", "digest"))
    outside = change_log.changed_outside("memory_entry")
    same = (pk for pk, stated in past.stated.items() if now.get(pk) == stated.change["words"])
    return frozenset(same) - outside


def words_of(owner: Account, past: Past, same: frozenset[int]) -> dict[int, str]:
    """By entry. What did not change since is folded already."""
    word_channel.sync()
    found: dict[int, str] = {}
    for some in batched(sorted(same)):
        found.update({pk: each.words for pk, each in word_channel.words_of(some).items()})
    rest = {pk: stated.change["words"] for pk, stated in past.stated.items() if pk not in found}
    texts = versions(owner, rest.values())
    found.update({pk: indexed(texts[digest].text) for pk, digest in rest.items() if digest in texts})
    return found


def in_scope(past: Past, states: Mapping[int, str], scope: Scope) -> frozenset[int]:
    """The entries of these kinds, projects and states."""
    shown = frozenset(scope.states)
    return frozenset(
        pk
        for pk, stated in past.stated.items()
        if states[pk] in shown
        and scope.kind in ("", stated.change["kind"])
        and scope.project in (None, past.projects[stated.change["words"]])
    )


@dataclass
class PastWords:
    """An index of words as by_words.py asks one. `states`: what a search goes by of each entry."""

    past: Past
    states: Mapping[int, str]
    words: Mapping[int, str]
    _scoped: dict[Scope, frozenset[int]] = field(default_factory=dict)

    def sync(self) -> None:
        """Nothing of then changes."""

    def count(self, owner: int) -> int:
        return len(self.words)

    def holders(self, term: Term, scope: Scope) -> Holders:
        needle = f" {' '.join(term.tokens)} "
        return self._holders([pk for pk, words in self.words.items() if needle in f" {words} "], scope)

    def years(self, owner: int) -> range:
        """As word_channel.py has it, of then."""
        found = [datetime.fromisoformat(self.past.stated[pk].change["said"]).year for pk in self.words]
        return range(min(found), max(found) + 1) if found else range(0)

    def dated(self, spans: Sequence[Span], scope: Scope) -> Holders:
        """As word_channel.py has it, of then."""
        return self._holders([pk for pk in self.words if self._is_in(pk, spans)], scope)

    def beside(self, ids: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """As word_channel.py has it, of then."""
        before, after = self._next_to()
        return {pk: tuple(one[pk] for one in (before, after) if pk in one) for pk in ids if self._is_exchange(pk)}

    def words_of(self, ids: Sequence[int]) -> dict[int, Words]:
        return {pk: Words(self.words[pk], self.states[pk]) for pk in sorted(ids) if pk in self.words}

    def _holders(self, ids: Sequence[int], scope: Scope) -> Holders:
        if scope not in self._scoped:
            self._scoped[scope] = in_scope(self.past, self.states, scope)
        what = [self._written(pk) if pk in self._scoped[scope] else HIDDEN for pk in ids]
        return Holders(np.array(ids, dtype=np.int64), np.array(what, dtype=np.int64))

    def _is_in(self, pk: int, spans: Sequence[Span]) -> bool:
        change = self.past.stated[pk].change
        moments = [datetime.fromisoformat(change[name]) for name in ("said", "event") if change.get(name)]
        return any(first <= moment < last for first, last in spans for moment in moments)

    def _next_to(self) -> tuple[dict[int, int], dict[int, int]]:
        exchanges = sorted((*self._place(pk), pk) for pk in self.past.stated if self._is_exchange(pk))
        pairs = [(one[-1], other[-1]) for one, other in pairwise(exchanges) if one[:2] == other[:2]]
        return {later: earlier for earlier, later in pairs}, dict(pairs)

    def _place(self, pk: int) -> tuple[str, str, str]:
        change = self.past.stated[pk].change
        return change.get("conversation", ""), self.past.projects[change["words"]], change["said"]

    def _is_exchange(self, pk: int) -> bool:
        return bool(self.past.stated[pk].change["kind"] == "exchange")

    def _written(self, pk: int) -> int:
        return WRITTEN if self.past.stated[pk].change["kind"] in ARCHIVING else DELIBERATE
