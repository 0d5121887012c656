"""*Forget everything about X*: what is surely about it, what may be, and one act of forgetting for what is chosen."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from forgesite.models import Account
from forgesite.owned import owner_id
from memory import word_channel
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.scope import Scope, scope
from memory.domain.words import Term, indexed, terms
from memory.forget import Forgotten, forget, planned
from memory.models import Entry, TextVersion
from memory.policies import searching
from memory.recall import MOST_ROWS, Query, recall

#: Entries that one page asks about. Whoever has more about one thing narrows it down, or comes again.
SHOWN = 500


@dataclass(frozen=True)
class About:
    """`sure`: every word of it stands in the entry, whatever its state. `perhaps`: some do, or its meaning is near, or
    an earlier version says it. `more`: sure ones that are not in here. `notices`: what the search left out.
    """

    text: str
    sure: tuple[Entry, ...]
    perhaps: tuple[Entry, ...]
    more: int = 0
    notices: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.sure or self.perhaps)


@dataclass(frozen=True)
class Preview:
    """What would go with the chosen entries, and be left, counted by place."""

    entries: tuple[Entry, ...]
    removed: dict[str, int]
    left: dict[str, object]


def about(owner: Account, text: str) -> About:
    """Nothing is about a blank text. An embedder that is down is told in `notices`, and words alone are searched."""
    words = _words(text)
    if not words:
        return About(text, (), ())
    word_channel.sync()
    where = scope(owner_id(owner), "", None, everything=True)
    sure = _holding(words, where)
    found = recall(owner, Query(text, policy=searching(), top_k=MOST_ROWS, everything=True))
    near = [row.entry.pk for row in found.rows]
    perhaps = [pk for pk in dict.fromkeys([*near, *_formerly(owner, words)]) if pk not in set(sure)]
    return About(text, _entries(owner, sure[:SHOWN]), _entries(owner, perhaps), len(sure[SHOWN:]), found.notices)


def preview(owner: Account, ids: Sequence[int]) -> Preview:
    """What forgetting these would do: the very plan that `forget_about` carries out. Raises as `forget` does."""
    going = planned(owner, ids)
    return Preview(tuple(going.entries), going.removed, going.left)


def forget_about(owner: Account, ids: Sequence[int], *, actor: str, cause: str, my_message: bool = False) -> Forgotten:
    """All of them in one commit, with one certificate. Raises UnknownError if one is gone meanwhile."""
    return forget(owner, ids, actor=actor, cause=cause, my_message=my_message)


def _words(text: str) -> list[Term]:
    """Each word as a whole: `node.js` is about no entry that has `node` and `js` apart."""
    whole: dict[str, list[Term]] = {}
    for term in terms(text, FUNCTION_WORDS).content:
        whole.setdefault(term.word, []).append(term)
    return [same[0] for same in whole.values()]


def _holding(words: Sequence[Term], where: Scope) -> list[int]:
    """The rows that hold every word, newest first."""
    each = [word_channel.holders(word, where).ids for word in words]
    return sorted((int(pk) for pk in reduce(np.intersect1d, each)), reverse=True)


def _formerly(owner: Account, words: Sequence[Term]) -> list[int]:
    """Entries of which a version says it that is not the present one."""
    now = Entry.objects.of(owner).values("digest")
    former = TextVersion.objects.of(owner).exclude(digest__in=now).order_by("-entry").values_list("entry", "text")
    return [entry for entry, text in former if _holds(f" {indexed(text)} ", words)]


def _holds(tokens: str, words: Collection[Term]) -> bool:
    return all(f" {' '.join(word.tokens)} " in tokens for word in words)


def _entries(owner: Account, ids: Sequence[int]) -> tuple[Entry, ...]:
    found = Entry.objects.of(owner).in_bulk(ids)
    return tuple(found[pk] for pk in ids if pk in found)
