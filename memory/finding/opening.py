"""Opens what a question names of a hot block that is an index: those entries come with the turn, whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from django.conf import settings

from forgesite.lib.tokens import estimate
from memory.domain.nothing import SHARE
from memory.hot_block import HotBlock
from memory.models import Entry
from memory.recalled import LeftOut, Query, Recalled, Row

if TYPE_CHECKING:
    from forgesite.models import Account

#: How a row came that only the index named; one that a channel of the search found keeps that channel's name.
INDEX = "index"
#: Tokens of what stands before an entry's text in a turn.
HEAD = 20


def with_opened(owner: Account, found: Recalled | None, hot: HotBlock, question: str) -> Recalled | None:
    """The recall with the entries that the index opens behind its rows, as far as the block's budget goes once more.

    The question is taken as the recall searched it. What has no room is left out by name. Nothing is opened where
    memory holds nothing on the question: a word that an entry shares with it is no answer. `found` None: memory was
    not asked, and the index alone decides that.
    """
    if hot.index is None or (found is not None and found.nothing):
        return found
    there = {row.entry.pk for row in found.rows} if found else set()
    named = [one for one in hot.index.named(found.text if found else question) if one.id not in there]
    if found is None and (not named or named[0].share < SHARE):
        return None
    entries = Entry.objects.of(owner).live().in_bulk([one.id for one in named])
    present = [entries[one.id] for one in named if one.id in entries]
    return _opened(found or _unasked(question), present, hot.budget)


def _opened(found: Recalled, entries: Sequence[Entry], budget: int) -> Recalled:
    rank, rows, left = len(found.rows), list[Row](), list[LeftOut]()
    for entry in entries:
        rank += 1
        if (price := estimate(entry.text) + HEAD) <= budget:
            budget -= price
            rows.append(Row(entry, INDEX, None, None, (), rank))
        else:
            left.append(LeftOut(entry.pk, "budget", None, channel=INDEX, rank=rank))
    candidates = found.candidates | {INDEX: len(entries)}
    return replace(found, rows=(*found.rows, *rows), left_out=(*left, *found.left_out), candidates=candidates)


def _unasked(question: str) -> Recalled:
    forge = settings.FORGE
    return Recalled(
        rows=(),
        left_out=(),
        nothing=False,
        nearest=None,
        cutoff=None,
        policy=forge.RECALL_POLICY,
        notices=(),
        degraded="",
        text=question,
        query=Query(question, for_prompt=True),
        budgets={"rows": forge.RECALL_MAX_ITEMS, "items": forge.RECALL_MAX_ITEMS, "bytes": forge.RECALL_MAX_BYTES},
    )
