"""Find entries: by meaning, by words, or both, each row with the channel that admitted it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.conf import settings
from django.utils.translation import gettext as _

from forgesite.errors import InvalidError
from forgesite.language import zone_of
from forgesite.lib.embeddings import Door
from forgesite.models import Account
from forgesite.owned import owner_id
from memory import by_meaning, by_words, embedding
from memory.domain import union
from memory.domain.nothing import Sign, nothing, tells
from memory.domain.scope import scope
from memory.domain.union import Budgets, Merged, Order
from memory.domain.wording import clean
from memory.drafts import known_kind
from memory.models import DELIBERATE, Entry

MOST_ROWS = 64
MOST_LEFT_OUT = 32


@dataclass(frozen=True)
class Policy:
    """Which channels are asked, and how their rows are put in order."""

    vectors: bool
    words: bool
    order: Order = union.merge


POLICIES = {
    "union": Policy(True, True),
    "interleave": Policy(True, True, union.interleave),
    "vector": Policy(True, False),
    "lexical": Policy(False, True),
}


@dataclass(frozen=True)
class Query:
    """`policy` and `top_k` empty: as set. `project` None: of any. `everything`: archived and retracted rows too.

    `explicit`: asked for in so many words, so that an embedder that is down is an error and no mere notice.
    """

    text: str
    policy: str = ""
    top_k: int | None = None
    kind: str = ""
    project: str | None = None
    everything: bool = False
    explicit: bool = False


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

    Raises InvalidError for an unknown policy or kind, or a top_k out of 1 to 64; EmbeddingError as `Query` says.
    """
    policy = checked_policy(query)
    where = scope(owner_id(owner), wanted_kind(query), query.project, everything=query.everything)
    text = clean(query.text).text.strip()
    if not text:
        return Recalled((), (), True, None, None, policy, (), "")
    budget, asked = budgets(query, policy), POLICIES[policy]
    served = door or embedding.served() if asked.vectors else None
    zone = zone_of(owner.time_zone)
    near = by_meaning.search(text, where, budget.vector, served, asked.vectors, explicit=query.explicit, zone=zone)
    if near.degraded:
        budget = of_words_alone(budget, policy)
    words = by_words.search(text, where) if asked.words or near.degraded else by_words.UNASKED
    merged = asked.order(near.rows, words.rows, cutoff=near.cutoff, budgets=budget)
    rows, left_out = shown(owner, merged)
    share = dict(zip((row.id for row in words.rows), words.shares, strict=True))
    rows = tuple(replace(row, tells=tells(sign(row), share.get(row.entry.pk, 0.0), near.near)) for row in rows)
    return Recalled(
        rows=rows,
        left_out=left_out,
        nothing=nothing([row.tells for row in rows], words.shares),
        nearest=next((row for row in left_out if row.reason == "cutoff"), None),
        cutoff=near.cutoff,
        policy=policy,
        notices=(*near.notices, *words.notices),
        degraded=near.degraded,
    )


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


def budgets(query: Query, policy: str) -> Budgets:
    """Only under `union` have words a number of their own; elsewhere `top_k` is the number of rows."""
    top_k = query.top_k or settings.FORGE.RECALL_TOP_K
    beside = POLICIES[policy].vectors and POLICIES[policy].words
    if beside and not settings.FORGE.RECALL_LEXICAL:
        return Budgets(top_k, 0)
    return Budgets(top_k, settings.FORGE.RECALL_LEXICAL_TOP_K if policy == "union" else top_k)


def of_words_alone(budget: Budgets, policy: str) -> Budgets:
    """As many rows as the policy shows, where vectors cannot give theirs."""
    return Budgets(budget.vector, budget.vector + (budget.words if policy == "union" else 0))


def shown(owner: Account, merged: Merged) -> tuple[tuple[Row, ...], tuple[LeftOut, ...]]:
    """The rows with their entries. One that was deleted since it was found is gone here too."""
    entries = Entry.objects.of(owner).in_bulk([row.found.id for row in merged.shown])
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


def sign(row: Row) -> Sign:
    """What a row says to the question whether memory holds anything."""
    by_vector = row.channel in ("vector", "both")
    return Sign(row.entry.kind in DELIBERATE, row.distance if by_vector else None)


def rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)
