"""What the channels of a policy find of a text, and the policy's order of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from functools import partial

from django.conf import settings

from forgesite.language import zone_of
from forgesite.lib.embeddings import Door
from forgesite.models import Account
from memory import embedding
from memory.domain.hybrid import Company, hybrid
from memory.domain.union import Budgets, Channel, Cut, Found, Merged, Order, Shown, interleave
from memory.domain.weighted import Known, weighted
from memory.finding import by_meaning, by_words
from memory.finding.beside import with_replaced
from memory.finding.by_meaning import ByMeaning
from memory.finding.by_words import ByWords
from memory.finding.plain_rows import TASKS
from memory.past.searched import Searched
from memory.policies import Asked, weights_set
from memory.recalled import Query

#: An order is asked for all of its rows, so that those past the budget have their places too.
ALL = 10**6


@dataclass(frozen=True)
class Channels:
    """The rows of each channel that ran: `plain` take their turn, `tasks` stand first.

    `counts`: rows of each, before any cut; `cut`: those that are more than a channel may find. `budget`: the policy's,
    or that of words alone where vectors cannot be asked. `zone`: whose days.
    """

    near: ByMeaning
    words: ByWords
    plain: tuple[int, ...]
    tasks: tuple[int, ...]
    counts: dict[str, int]
    cut: tuple[Cut, ...]
    budget: Budgets
    zone: tzinfo = UTC


def found_by(owner: Account, searched: Searched, asked: Asked, query: Query, door: Door | None) -> Channels:
    """Raises what by_meaning.search does."""
    policy, budget, most = asked.policy, asked.policy.budgets(query.top_k), settings.FORGE.RECALL_CANDIDATES
    zone = zone_of(owner.time_zone)
    near = by_meaning.search(
        asked.text,
        asked.where,
        budget.vector,
        door or embedding.served() if policy.vectors else None,
        policy.vectors,
        explicit=query.explicit,
        zone=zone,
        index=searched.vectors,
        bare=by_words.without_common_names(asked.text, asked.where, searched.words) if policy.bare else "",
    )
    if near.degraded:
        budget = policy.of_words_alone(budget)
    asks_words = policy.words or bool(near.degraded)
    words = by_words.search(asked.text, asked.where, searched.words) if asks_words else by_words.UNASKED
    plain = searched.plain(policy.plain, asked.where, most) if policy.plain else []
    tasks = searched.plain(TASKS, asked.where, most) if _todos_first(asked, query) else []
    ran = {"vector": near.question is not None, "lexical": asks_words, policy.plain: True, TASKS: bool(tasks)}
    counts = {"vector": len(near.rows), "lexical": len(words.rows), policy.plain: len(plain), TASKS: len(tasks)}
    first, more = _first(near.rows, most, "vector")
    told, untold = _first(words.rows, most, "lexical")
    return Channels(
        replace(near, rows=first),
        replace(words, rows=told, shares=_shares(words, told)),
        tuple(plain),
        tuple(tasks),
        {name: counts[name] for name, asked_for in ran.items() if name and asked_for},
        (*more, *untold),
        budget,
        zone,
    )


def _todos_first(asked: Asked, query: Query) -> bool:
    """A policy of nothing but todos has them wherever it is asked."""
    if asked.policy.todos == "never":
        return False
    if query.beside_todos:
        return not asked.policy.asks
    return asked.policy.todos == "always" or query.for_prompt


def _first(rows: Sequence[Found], most: int, channel: Channel) -> tuple[tuple[Found, ...], list[Cut]]:
    """So many of each tier: live rows that are too far away take no archived one's place."""
    kept, more, seen = list[Found](), list[Cut](), dict[int, int]()
    for row in rows:
        seen[row.tier] = seen.get(row.tier, 0) + 1
        if seen[row.tier] <= most:
            kept.append(row)
        else:
            more.append(Cut(row.id, "candidates", row.distance, row.score, channel))
    return tuple(kept), more


def _shares(words: ByWords, kept: Collection[Found]) -> tuple[float, ...]:
    share = dict(zip((row.id for row in words.rows), words.shares, strict=True))
    return tuple(share[row.id] for row in kept)


def ordered(searched: Searched, asked: Asked, query: Query, found: Channels) -> Merged:
    """What is shown, in order, and what else was found. A policy that is packed shows all; packing.py cuts it."""
    policy, budget = asked.policy, found.budget
    order = partial(_order(searched, asked, found), found.near.rows, found.words.rows, cutoff=found.near.reach)
    whole = order(budgets=Budgets(ALL, ALL if budget.words else 0))
    rest = [row for row in whole.shown if row.found.id not in found.tasks]
    rows = len(rest) if policy.packed else budget.vector
    first = order(budgets=budget).shown if policy.beside else rest[:rows]
    shown = [*_todos(found, whole), *first]
    if policy.asks and not (query.for_prompt or query.everything or policy.packed):
        # Only where there is room: no row that is past the budget makes place for one that was replaced.
        shown = list(with_replaced(shown, searched, asked, found.near, budget.vector))
    return Merged(tuple(shown), _cut(found, whole, shown))


def _order(searched: Searched, asked: Asked, found: Channels) -> Order:
    policy = asked.policy
    if policy.company:
        return partial(hybrid, company=_company(searched, found, found.zone))
    if policy.ages:
        ids = {row.id for row in (*found.near.rows, *found.words.rows)}
        shares = dict(zip((row.id for row in found.words.rows), found.words.shares, strict=True))
        return partial(weighted, weights=weights_set(), known=Known(searched.ages(ids), shares))
    if policy.plain:
        return partial(interleave, others=_plain(found, policy.plain, found.plain))
    return policy.order


def _company(searched: Searched, found: Channels, zone: tzinfo) -> Company:
    """Days are those of the owner's clock."""
    said = searched.said({row.id for row in (*found.near.rows, *found.words.rows)})
    deliberate = frozenset(pk for pk, each in said.items() if each.deliberate)
    return Company(found.words.beside, {pk: _day(each.at, zone) for pk, each in said.items()}, deliberate)


def _day(at: datetime, zone: tzinfo) -> date:
    try:
        return at.astimezone(zone).date()
    except OverflowError:  # the first or the last day that there is
        return at.date()


def _plain(found: Channels, channel: Channel, ids: Sequence[int]) -> list[Shown]:
    """With what the other channels say of these rows."""
    near = {row.id: row.distance for row in found.near.rows}
    told = {row.id: row for row in found.words.rows}
    return [
        Shown(
            Found(pk, 0, near.get(pk), told[pk].score, told[pk].matched)
            if pk in told
            else Found(pk, 0, near.get(pk), None),
            channel,
        )
        for pk in ids
    ]


def _todos(found: Channels, merged: Merged) -> list[Shown]:
    known = {row.found.id: row.found for row in merged.shown}
    plain = _plain(found, "tasks", found.tasks)
    return [replace(row, found=known.get(row.found.id, row.found)) for row in plain]


def _cut(found: Channels, whole: Merged, shown: Sequence[Shown]) -> tuple[Cut, ...]:
    """Each once. What has a place in the order keeps it."""
    seen = {row.found.id for row in shown}
    past = [row for row in whole.shown if row.found.id not in seen]
    placed = [
        Cut(row.found.id, "budget", row.found.distance, row.found.score, row.channel, rank)
        for rank, row in enumerate(past, len(shown) + 1)
    ]
    told = {row.id: row.score for row in found.words.rows}
    others = [replace(cut, score=told.get(cut.id), channel=cut.channel or _by(cut)) for cut in whole.cut]
    cut = {each.id: each for each in (*found.cut, *others, *placed) if each.id not in seen}
    return tuple(cut.values())


def _by(cut: Cut) -> Channel:
    return "vector" if cut.distance is not None else "lexical"
