"""Find entries: by meaning, by words, or both, each row with the channel that admitted it."""

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
from memory import by_meaning, by_words, embedding
from memory.beside import with_replaced
from memory.by_meaning import ByMeaning
from memory.by_words import ByWords
from memory.domain.nothing import Near, Sign, nothing, tells
from memory.domain.scope import scope
from memory.domain.union import Merged
from memory.domain.wording import clean
from memory.drafts import known_kind
from memory.models import DELIBERATE, Entry
from memory.past.search import then
from memory.past.searched import Now, Searched
from memory.policies import POLICIES, Asked

MOST_ROWS = 64
MOST_LEFT_OUT = 32


@dataclass(frozen=True)
class Both:
    """What the channels found, and what of it is shown."""

    near: ByMeaning
    words: ByWords
    merged: Merged


@dataclass(frozen=True)
class Query:
    """`policy` and `top_k` empty: as set. `project` None: of any. `everything`: archived and retracted rows too.

    `explicit`: asked for in so many words, so that an embedder that is down is an error and no mere notice.
    `for_prompt`: nothing that was replaced is shown beside what replaced it. `as_of`: as memory was then, by any name
    of that time (see as_of.py).
    """

    text: str
    policy: str = ""
    top_k: int | None = None
    kind: str = ""
    project: str | None = None
    everything: bool = False
    explicit: bool = False
    for_prompt: bool = False
    as_of: str = ""


@dataclass(frozen=True)
class Row:
    """`distance`: Euclidean, four decimals, None where no vector matched. `score`: of the words, or None.

    `tells`: it would by itself make memory hold something on this; a row that does not is shown all the same.
    """

    entry: Entry
    channel: str
    distance: float | None
    score: float | None
    matched_terms: tuple[str, ...]
    rank: int
    tells: bool = True


@dataclass(frozen=True)
class LeftOut:
    """A row that was found and not shown: past the `cutoff`, or past the `budget`."""

    id: int
    reason: str
    distance: float | None


@dataclass(frozen=True)
class Recalled:
    """`nothing` is what a turn goes by: memory holds nothing on this, though a search may still show `rows`.

    `nearest` is the closest row that the cutoff left out. `degraded` names why only words were searched, in spite of
    the policy: `no_embedder`, `no_extension` or `embedding` (it failed); `notices` say it in sentences.
    """

    rows: tuple[Row, ...]
    left_out: tuple[LeftOut, ...]
    nothing: bool
    nearest: LeftOut | None
    cutoff: float | None
    policy: str
    notices: tuple[str, ...]
    degraded: str


def recall(owner: Account, query: Query, *, door: Door | None = None) -> Recalled:
    """The rows of the owner's memory that answer to a text. A blank text finds nothing; no text raises.

    Raises InvalidError for an unknown policy or kind, or a top_k out of 1 to 64; EmbeddingError as `Query` says, and
    what `as_of.moment_of` does.
    """
    policy = checked_policy(query)
    where = scope(owner_id(owner), wanted_kind(query), query.project, everything=query.everything)
    text = clean(query.text).text.strip()
    if not text:
        return Recalled((), (), True, None, None, policy, (), "")
    searched: Searched = then(owner, query.as_of, where) if query.as_of else Now(owner)
    found = by_channels(owner, searched, Asked(text, where, POLICIES[policy]), query, door)
    rows, left_out = shown(searched, found.merged)
    share = dict(zip((row.id for row in found.words.rows), found.words.shares, strict=True))
    rows = tuple(replace(row, tells=telling(row, share, found.near.near)) for row in rows)
    return Recalled(
        rows=rows,
        left_out=left_out,
        nothing=nothing([row.tells for row in rows], found.words.shares),
        nearest=next((row for row in left_out if row.reason == "cutoff"), None),
        cutoff=found.near.cutoff,
        policy=policy,
        notices=(*searched.notices(), *found.near.notices, *found.words.notices),
        degraded=found.near.degraded,
    )


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


def checked_policy(query: Query) -> str:
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
    return policy


def wanted_kind(query: Query) -> str:
    return known_kind(query.kind) if query.kind else ""


def shown(searched: Searched, merged: Merged) -> tuple[tuple[Row, ...], tuple[LeftOut, ...]]:
    """The rows with their entries. One that was deleted since it was found is gone here too."""
    entries = searched.entries([row.found.id for row in merged.shown])
    present = [row for row in merged.shown if row.found.id in entries]
    rows = tuple(
        Row(
            entry=entries[row.found.id],
            channel=row.channel,
            distance=rounded(row.found.distance),
            score=rounded(row.found.score),
            matched_terms=row.found.matched,
            rank=rank,
        )
        for rank, row in enumerate(present, 1)
    )
    left_out = tuple(LeftOut(row.id, row.reason, rounded(row.distance)) for row in merged.cut[:MOST_LEFT_OUT])
    return rows, left_out


def telling(row: Row, shares: Mapping[int, float], near: Near) -> bool:
    """Nothing that was replaced tells anything."""
    return not row.entry.is_replaced and tells(sign(row), shares.get(row.entry.pk, 0.0), near)


def sign(row: Row) -> Sign:
    """What a row says to the question whether memory holds anything."""
    by_vector = row.channel in ("vector", "both")
    return Sign(row.entry.kind in DELIBERATE, row.distance if by_vector else None)


def rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)
