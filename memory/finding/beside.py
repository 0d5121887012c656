"""What was replaced is shown only beside what replaced it, where it answers the question too and there is room."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from memory.domain.scope import REPLACED
from memory.domain.union import Budgets, Found, Shown
from memory.finding import by_words
from memory.finding.by_meaning import FETCHED, ByMeaning
from memory.past.searched import Searched
from memory.policies import Asked


def with_replaced(
    shown: Sequence[Shown], searched: Searched, asked: Asked, near: ByMeaning, most: int
) -> tuple[Shown, ...]:
    """The rows, each followed by what it replaced, newest first. Never more than `most`, and never instead of a row."""
    older = _older(searched, [row.found.id for row in shown]) if len(shown) < most else {}
    found = _matching(older.keys(), searched, asked, near)[: most - len(shown)] if older else []
    placed: list[Shown] = []
    for row in shown:
        placed += [row, *(one for one in found if older[one.found.id] == row.found.id)]
    return tuple(placed)


def _older(searched: Searched, ids: Sequence[int]) -> dict[int, int]:
    """Each entry that was replaced, directly or in several steps, with the row shown that stands for it."""
    found: dict[int, int] = {}
    stands, last = {pk: pk for pk in ids}, set(ids)
    while last:
        older = {old: stands[by] for old, by in searched.replaced_by(last).items() if old not in stands}
        found, stands, last = found | older, stands | older, set(older)
    return found


def _matching(older: Collection[int], searched: Searched, asked: Asked, near: ByMeaning) -> list[Shown]:
    """Those that the channels admit, best first."""
    hidden = replace(asked.where, tiers=((REPLACED,),))
    vectors: list[Found] = []
    if near.question is not None:
        measured = searched.vectors.nearest(near.question, hidden, (REPLACED,), FETCHED)
        vectors = [Found(row.id, 0, row.distance, None) for row in measured if row.id in older]
    words = by_words.search(asked.text, hidden, searched.words).rows if asked.policy.words else ()
    told = [row for row in words if row.id in older]
    return list(asked.policy.order(vectors, told, cutoff=near.cutoff, budgets=Budgets(FETCHED, FETCHED)).shown)
