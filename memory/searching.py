"""One search of memory: what each channel finds of a text, in the policy's order, and what of it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.conf import settings
from django.utils.translation import gettext as _

from forgesite.errors import InvalidError
from forgesite.language import zone_of
from forgesite.lib.embeddings import Door
from forgesite.models import Account
from forgesite.owned import owner_id
from memory import by_meaning, by_words, embedding, ledger
from memory.beside import with_replaced
from memory.by_meaning import ByMeaning
from memory.by_words import ByWords
from memory.domain.nothing import Near, Sign, nothing, tells
from memory.domain.scope import scope
from memory.domain.union import Cut, Merged, Shown
from memory.domain.wording import clean
from memory.drafts import known_kind
from memory.models import DELIBERATE, Entry
from memory.past.search import then
from memory.past.searched import Now, Searched
from memory.policies import POLICIES, Asked
from memory.proof.snapshot import snapshot
from memory.recalled import Head, LeftOut, Query, Recalled, Row

MOST_ROWS = 64
#: A search whose rows a write overtook is made again, so often.
AGAIN = 1


@dataclass(frozen=True)
class Both:
    """What the channels found, and what of it is shown."""

    near: ByMeaning
    words: ByWords
    merged: Merged


@dataclass(frozen=True)
class Read:
    """The rows that are shown, as they were after the commit `head`."""

    found: Both
    entries: Mapping[int, Entry]
    head: Head


def search(owner: Account, query: Query, *, door: Door | None = None) -> Recalled:
    """As `recall`, for the text as it is: no other name of anything is searched, and nothing in other words."""
    policy = checked(query)
    where = scope(owner_id(owner), wanted_kind(query), query.project, everything=query.everything)
    text = clean(query.text).text.strip()
    asked = Asked(text, where, POLICIES[policy])
    if not text:
        return Recalled((), (), True, None, None, policy, (), "", query=query, budgets=budgets(asked, query))
    searched: Searched = then(owner, query.as_of, where) if query.as_of else Now(owner)
    read = read_at_once(owner, searched, asked, query, door)
    near, words, merged = read.found.near, read.found.words, read.found.merged
    rows = shown(read.entries, merged)
    left_out = tuple(_left_out(row) for row in merged.cut)
    share = dict(zip((row.id for row in words.rows), words.shares, strict=True))
    rows = tuple(_judged(row, share, near.near) for row in rows)
    return Recalled(
        rows=rows,
        left_out=left_out,
        nothing=nothing([row.tells for row in rows], words.shares),
        nearest=next((row for row in left_out if row.reason == "cutoff"), None),
        cutoff=near.cutoff,
        policy=policy,
        notices=(*searched.notices(), *near.notices, *words.notices),
        degraded=near.degraded,
        text=text,
        query=query,
        candidates={"vector": len(near.rows), "lexical": len(words.rows)},
        budgets=budgets(asked, query),
        regime=near.regime,
        cutoff_named=near.named,
        head=read.head,
    )


def read_at_once(owner: Account, searched: Searched, asked: Asked, query: Query, door: Door | None) -> Read:
    """The rows and the head are of one moment; where a commit came while they were looked for, they are once more."""
    for again in range(AGAIN + 1):
        before = head_of(owner)
        found = by_channels(owner, searched, asked, query, door)
        with snapshot():
            read = Read(found, searched.entries([row.found.id for row in found.merged.shown]), head_of(owner))
        if read.head == before or again == AGAIN:
            break
    return read


def head_of(owner: Account) -> Head:
    made = ledger.head(owner)
    return Head(made.tick, made.address) if made else Head()


def by_channels(owner: Account, searched: Searched, asked: Asked, query: Query, door: Door | None) -> Both:
    """What the policy's channels find, in its order."""
    policy, budget = asked.policy, asked.policy.budgets(query.top_k)
    near = by_meaning.search(
        asked.text,
        asked.where,
        budget.vector,
        door or embedding.served() if policy.vectors else None,
        policy.vectors,
        explicit=query.explicit,
        zone=zone_of(owner.time_zone),
        index=searched.vectors,
        bare=by_words.without_common_names(asked.text, asked.where, searched.words) if policy.bare else "",
    )
    if near.degraded:
        asked, budget = replace(asked, policy=replace(policy, words=True)), policy.of_words_alone(budget)
    words = by_words.search(asked.text, asked.where, searched.words) if asked.policy.words else by_words.UNASKED
    merged = policy.order(near.rows, words.rows, cutoff=near.cutoff, budgets=budget)
    if not (query.for_prompt or query.everything):
        merged = replace(merged, shown=with_replaced(merged.shown, searched, asked, near, budget.vector))
    return Both(near, words, merged)


def checked(query: Query) -> str:
    """The policy's name. Raises InvalidError."""
    policy = query.policy or settings.FORGE.RECALL_POLICY
    if policy not in POLICIES:
        raise InvalidError(
            _("“%(policy)s” is no policy. Policies are: %(policies)s.")
            % {"policy": policy[:40], "policies": ", ".join(POLICIES)}
        )
    if query.top_k is not None and not 1 <= query.top_k <= MOST_ROWS:
        raise InvalidError(
            _("top_k is %(top_k)d; it can be 1 to %(most)d.") % {"top_k": query.top_k, "most": MOST_ROWS}
        )
    wanted_kind(query)
    return policy


def wanted_kind(query: Query) -> str:
    return known_kind(query.kind) if query.kind else ""


def budgets(asked: Asked, query: Query) -> dict[str, int]:
    budget = asked.policy.budgets(query.top_k)
    return {"rows": budget.vector, "words": budget.words}


def shown(entries: Mapping[int, Entry], merged: Merged) -> tuple[Row, ...]:
    """The rows with their entries. One that was deleted since it was found is gone here too."""
    present = [row for row in merged.shown if row.found.id in entries]
    return tuple(_row(entries[row.found.id], row, rank) for rank, row in enumerate(present, 1))


def _row(entry: Entry, row: Shown, rank: int) -> Row:
    return Row(
        entry=entry,
        channel=row.channel,
        distance=rounded(row.found.distance),
        score=rounded(row.found.score),
        matched_terms=row.found.matched,
        rank=rank,
    )


def _left_out(cut: Cut) -> LeftOut:
    return LeftOut(cut.id, cut.reason, rounded(cut.distance), rounded(cut.score), cut.channel, cut.rank)


def _judged(row: Row, shares: Mapping[int, float], near: Near) -> Row:
    """Nothing that was replaced tells anything."""
    by_vector = Sign(row.entry.kind in DELIBERATE, row.distance if row.channel in ("vector", "both") else None)
    told = not row.entry.is_replaced and tells(by_vector, shares.get(row.entry.pk, 0.0), near)
    return replace(row, tells=told, near=told and tells(by_vector, 0.0, near))


def rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)
