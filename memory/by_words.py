"""The word channel of a recall: the rows that hold rare words of the question, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from memory import word_channel
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.ranking import Frequency, Scored, ceiling, rarity, scored
from memory.domain.scope import Scope
from memory.domain.union import Found
from memory.domain.words import MAX_TERMS, Term, Terms, terms
from memory.word_channel import Holder

#: Rows whose words are read and ranked: those that hold the most rarity of the question.
RANKED = 150
FETCHED = 64


@dataclass(frozen=True)
class ByWords:
    """Rows by falling score, live ones first. `shares`: how much of the question's rarity each row covers."""

    rows: tuple[Found, ...]
    shares: tuple[float, ...]
    notices: tuple[str, ...]


UNASKED = ByWords((), (), ())


def search(text: str, where: Scope) -> ByWords:
    word_channel.sync()
    asked = terms(text, FUNCTION_WORDS)
    total = word_channel.count(where.owner)
    found = [(term, word_channel.holders(term, where)) for term in asked.content]
    candidates = best(found, total)
    ranked = scored(
        word_channel.words_of(list(candidates)), [Frequency(term, len(rows)) for term, rows in found], total
    )
    rows = in_tiers(ranked, candidates, where)[:FETCHED]
    return ByWords(tuple(row for row, _share in rows), tuple(share for _row, share in rows), notices(asked))


def best(found: Sequence[tuple[Term, list[Holder]]], total: int) -> dict[int, Holder]:
    """The admitted rows that hold the most rarity. A deliberate row needs one word that is rare in the store."""
    rare = ceiling(total, settings.FORGE.RECALL_LEXICAL_MAX_DF)
    weights: dict[int, float] = {}
    holders: dict[int, Holder] = {}
    for _term, rows in found:
        weight = rarity(len(rows), total)
        for row in rows:
            if row.shown:
                weights[row.id] = weights.get(row.id, 0.0) + weight
                if row.written or len(rows) <= rare:
                    holders[row.id] = row
    chosen = sorted(holders, key=lambda entry: (-weights[entry], -entry))[:RANKED]
    return {entry: holders[entry] for entry in chosen}


def in_tiers(ranked: Sequence[Scored], holders: dict[int, Holder], where: Scope) -> list[tuple[Found, float]]:
    tiers = {status: tier for tier, statuses in enumerate(where.tiers) for status in statuses}
    rows = [(Found(row.id, tiers[holders[row.id].status], None, row.score, row.matched), row.share) for row in ranked]
    return sorted(rows, key=lambda row: row[0].tier)


def notices(asked: Terms) -> tuple[str, ...]:
    if not asked.dropped:
        return ()
    return (_("The first %(count)d different words were searched.") % {"count": MAX_TERMS},)
