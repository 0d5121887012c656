"""The word channel of a recall: the rows that hold rare words of the question, best first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from django.conf import settings
from django.utils.translation import gettext as _

from forgesite.language import zone_of
from forgesite.models import Account
from memory import word_channel
from memory.domain.dates_asked import Date, dates_asked
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.names_asked import NAME
from memory.domain.ranking import DATE, STANDING, Frequency, Key, Scored, ceiling, rarity, scored
from memory.domain.scope import Scope
from memory.domain.union import Found
from memory.domain.words import MAX_TERMS, RULE, Term, Terms, folded, terms
from memory.word_channel import DELIBERATE, WRITTEN, Holders, Span, Words

#: Rows whose words are read and ranked: those that hold the most rarity of the question.
RANKED = 100
FETCHED = 64
#: What a row that states a standing rule holds.
RULED = Term("", (RULE,), "")
WORD = re.compile(r"\w+")
#: From which share of the rows on a name is common (bench/README.md, recall); and the least rows that tell.
COMMON, SMALL = 0.3, 50


@dataclass(frozen=True)
class ByWords:
    """Rows by falling score, live ones first. `shares`: how much of the question's rarity each row covers.

    `frequencies`: of each of its terms, how many of the `total` rows hold it. `beside`: which exchanges stand next to
    which, where one of them was ranked.
    """

    rows: tuple[Found, ...]
    shares: tuple[float, ...]
    notices: tuple[str, ...]
    frequencies: tuple[Frequency, ...] = ()
    total: int = 0
    beside: Mapping[int, Sequence[int]] = field(default_factory=dict)


UNASKED = ByWords((), (), ())


class Index(Protocol):
    """What holds the folded words: the index of now, or the ledger's of an earlier time."""

    def sync(self) -> None: ...

    def count(self, owner: int) -> int: ...

    def holders(self, term: Term, scope: Scope) -> Holders: ...

    def years(self, owner: int) -> range: ...

    def dated(self, spans: Sequence[Span], scope: Scope) -> Holders: ...

    def beside(self, ids: Sequence[int]) -> dict[int, tuple[int, ...]]: ...

    def words_of(self, ids: Sequence[int]) -> dict[int, Words]: ...


def search(text: str, where: Scope, index: Index = word_channel) -> ByWords:
    index.sync()
    asked = terms(text, FUNCTION_WORDS)
    total = index.count(where.owner)
    found = [(term, index.holders(term, where)) for term in asked.content]
    dated = by_date(text, where, index)
    ids = best([rows for _term, rows in (*found, *dated)], total)
    beside = both_ways(index.beside(ids))
    words = index.words_of([*dict.fromkeys([*ids, *beside])])
    frequencies = [Frequency(term, len(rows)) for term, rows in found]
    known = keys(dated, index.holders(RULED, where), total)
    ranked = scored({entry: each.words for entry, each in words.items()}, frequencies, total, beside, known)
    rows = in_tiers(ranked, words, where)
    shares = tuple(share for _row, share in rows)
    return ByWords(tuple(row for row, _share in rows), shares, notices(asked), tuple(frequencies), total, beside)


def by_date(text: str, where: Scope, index: Index) -> list[tuple[Date, Holders]]:
    """The dates that a question names, each with the rows of it, by the owner's clock."""
    if not (asked := dates_asked(text)):
        return []
    zone = zone_of(Account.objects.values_list("time_zone", flat=True).filter(pk=where.owner).first() or "")
    years = index.years(where.owner)
    return [(date, index.dated(date.spans(zone, years), where)) for date in asked]


def keys(dated: Sequence[tuple[Date, Holders]], ruled: Holders, total: int) -> dict[int, tuple[Key, ...]]:
    """Of each row the date that weighs most, and that it states a rule: the rarer either is, the more it counts."""
    found: dict[int, tuple[Key, ...]] = {}
    for date, rows in sorted(dated, key=lambda one: len(one[1]), reverse=True):
        found |= dict.fromkeys(rows.ids.tolist(), (Key(date.words, DATE * rarity(len(rows), total)),))
    rule = Key("", STANDING * rarity(len(ruled), total), alone=False)
    return found | {entry: (*found.get(entry, ()), rule) for entry in ruled.ids.tolist()}


def without_common_names(text: str, where: Scope, index: Index = word_channel) -> str:
    """A question without the names that stand in so many rows that they tell none from another.

    Its vector would be near to whoever is talked of, and not to what is asked. A name is a word with a capital that
    opens no sentence. Where nothing else would be left, and in a small store, the text stays as it is.
    """
    names = {*NAME.findall(text)}
    total = index.count(where.owner) if names else 0
    if total < SMALL:
        return text
    common = {name for name in names if _rows_with(name, where, index) > COMMON * total}
    left = NAME.sub(lambda match: "" if match[1] in common else match[0], text)
    tells = any(word not in FUNCTION_WORDS for word in WORD.findall(folded(left)))
    return left if tells else text


def _rows_with(name: str, where: Scope, index: Index) -> int:
    return max((len(index.holders(term, where)) for term in terms(name, frozenset()).content), default=0)


def both_ways(beside: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, ...]]:
    """A row that only stands next to one that was found has that one next to it."""
    found = {entry: dict.fromkeys(others) for entry, others in beside.items()}
    for entry, others in beside.items():
        for other in others:
            found.setdefault(other, {})[entry] = None
    return {entry: tuple(others) for entry, others in found.items()}


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
    """The first of them, without a row that another process replaced or put away since it was found."""
    tiers = {state: tier for tier, states in enumerate(where.tiers) for state in states}
    rows = [(tiers[words[row.id].state], row) for row in ranked if words[row.id].state in tiers]
    first = sorted(rows, key=lambda row: row[0])[:FETCHED]
    return [(Found(row.id, tier, None, row.score, row.matched), row.share) for tier, row in first]


def notices(asked: Terms) -> tuple[str, ...]:
    if not asked.more:
        return ()
    return (_("The first %(count)d different words were searched.") % {"count": MAX_TERMS},)
