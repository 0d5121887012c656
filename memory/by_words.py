"""The word channel of a recall: the rows that hold rare words of the question, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from django.conf import settings
from django.utils.translation import gettext as _

from memory import word_channel
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.ranking import Frequency, Scored, ceiling, rarity, scored
from memory.domain.scope import Scope
from memory.domain.union import Found
from memory.domain.words import MAX_TERMS, Term, Terms, terms
from memory.word_channel import DELIBERATE, WRITTEN, Holders, Words

#: Rows whose words are read and ranked: those that hold the most rarity of the question.
RANKED = 100
FETCHED = 64


@dataclass(frozen=True)
class ByWords:
    """Rows by falling score, live ones first. `shares`: how much of the question's rarity each row covers."""

    rows: tuple[Found, ...]
    shares: tuple[float, ...]
    notices: tuple[str, ...]


UNASKED = ByWords((), (), ())


class Index(Protocol):
    """What holds the folded words: the index of now, or the ledger's of an earlier time."""

    def sync(self) -> None: ...

    def count(self, owner: int) -> int: ...

    def holders(self, term: Term, scope: Scope) -> Holders: ...

    def words_of(self, ids: Sequence[int]) -> dict[int, Words]: ...


def search(text: str, where: Scope, index: Index = word_channel) -> ByWords:
    index.sync()
    asked = terms(text, FUNCTION_WORDS)
    total = index.count(where.owner)
    found = [(term, index.holders(term, where)) for term in asked.content]
    words = index.words_of(best([rows for _term, rows in found], total))
    frequencies = [Frequency(term, len(rows)) for term, rows in found]
    ranked = scored({entry: each.words for entry, each in words.items()}, frequencies, total)
    rows = in_tiers(ranked, words, where)[:FETCHED]
    return ByWords(tuple(row for row, _share in rows), tuple(share for _row, share in rows), notices(asked))


def best(found: Sequence[Holders], total: int) -> list[int]:
    """The admitted rows that hold the most rarity. A deliberate row needs one word that is rare in the store."""
    if not any(map(len, found)):
        return []
    rare = ceiling(total, settings.FORGE.RECALL_LEXICAL_MAX_DF)
    least = {WRITTEN} if settings.FORGE.RECALL_LEXICAL_EXCLUDE_ARCHIVED else set()
    ids, place = np.unique(np.concatenate([rows.ids for rows in found]), return_inverse=True)
    held = [np.full(len(rows), rarity(len(rows), total)) for rows in found]
    admits = [
        np.isin(rows.what, [*({DELIBERATE, WRITTEN} - least if len(rows) <= rare else {WRITTEN} - least)])
        for rows in found
    ]
    weights = np.bincount(place, weights=np.concatenate(held))
    admitted = np.flatnonzero(np.bincount(place, weights=np.concatenate(admits)))
    first = np.lexsort((-ids[admitted], -weights[admitted]))[:RANKED]  # of equals, the newest
    return [int(entry) for entry in ids[admitted][first]]


def in_tiers(ranked: Sequence[Scored], words: dict[int, Words], where: Scope) -> list[tuple[Found, float]]:
    """Without a row that another process replaced or put away since it was found."""
    tiers = {state: tier for tier, states in enumerate(where.tiers) for state in states}
    rows = [
        (Found(row.id, tiers[words[row.id].state], None, row.score, row.matched), row.share)
        for row in ranked
        if words[row.id].state in tiers
    ]
    return sorted(rows, key=lambda row: row[0].tier)


def notices(asked: Terms) -> tuple[str, ...]:
    if not asked.more:
        return ()
    return (_("The first %(count)d different words were searched.") % {"count": MAX_TERMS},)
