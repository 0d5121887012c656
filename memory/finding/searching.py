"""One search of memory: what each channel finds of a text, in the policy's order, and what of it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.conf import settings
from django.utils.translation import gettext as _

from forgesite.errors import InvalidError
from forgesite.lib.embeddings import Door
from forgesite.models import Account
from forgesite.owned import owner_id
from memory import embedding
from memory.domain.across import weighed_across
from memory.domain.cutoff import admits
from memory.domain.nothing import Sign, Subject, is_near, nothing, subject, tells
from memory.domain.scope import REPLACED, scope, state_shown
from memory.domain.union import Cut, Merged, Shown
from memory.domain.wording import clean
from memory.drafts import known_kind
from memory.finding.across import placed, shares
from memory.finding.by_meaning import ByMeaning
from memory.finding.channels import Channels, found_by, ordered
from memory.finding.packing import packed
from memory.models import DELIBERATE, Commit, Entry
from memory.past.search import then
from memory.past.searched import Now, Searched
from memory.policies import POLICIES, Asked
from memory.proof.snapshot import snapshot
from memory.recalled import Head, LeftOut, Query, Recalled, Row

MOST_ROWS = 64
#: A search whose rows a write overtook is made again, so often.
AGAIN = 1


@dataclass(frozen=True)
class Read:
    """What was found, with the entries that are shown, as they were after the commit `head`."""

    channels: Channels
    merged: Merged
    entries: Mapping[int, Entry]
    head: Head


def search(owner: Account, query: Query, *, door: Door | None = None) -> Recalled:
    """As `recall`, for the text as it is: no other name of anything is searched, and nothing in other words.

    Raises ContextOverflowError where the policy guarantees open todos and they do not fit.
    """
    name = checked(query)
    policy = POLICIES[name].in_force()
    text = clean(query.text).text.strip()
    where = scope(owner_id(owner), wanted_kind(query), query.project, everything=query.everything)
    asked = Asked(text, where, policy)
    if not text:
        return Recalled((), (), True, None, None, name, (), "", query=query, budgets=budgets(asked, query))
    searched: Searched = then(owner, query.as_of, where) if query.as_of else Now(owner)
    read = read_at_once(owner, searched, asked, query, door)
    near, words = read.channels.near, read.channels.words
    left_out = tuple(_left_out(row) for row in sorted(read.merged.cut, key=_nearest_first))
    about = subject(text, words.frequencies, words.total)
    about = weighed_across(about) if near.across else about
    covered = shares(about, words)
    rows = tuple(_judged(row, covered.get(row.entry.pk, 0.0), near, about) for row in shown(read.entries, read.merged))
    telling = [row.tells for row in rows] + not_shown(rows, near, covered, about)
    found = Recalled(
        rows=rows,
        left_out=left_out,
        nothing=nothing(telling, [*covered.values()], about) if policy.asks else not rows,
        nearest=next((row for row in left_out if row.reason == "cutoff"), None),
        cutoff=near.cutoff,
        policy=name,
        notices=(*searched.notices(), *near.notices, *words.notices, *_of_todos_alone(asked)),
        degraded=near.degraded,
        text=text,
        query=query,
        candidates=read.channels.counts,
        budgets=budgets(asked, query),
        regime=near.regime,
        cutoff_named=near.named,
        head=read.head,
    )
    return packed(found) if packs(query, name) else found


def packs(query: Query, policy: str) -> bool:
    """Do the rows of this search have to fit a budget? Those of a prompt are packed by who builds it."""
    return query.most_bytes is not None or (POLICIES[policy].packed and not query.for_prompt)


def read_at_once(owner: Account, searched: Searched, asked: Asked, query: Query, door: Door | None) -> Read:
    """The rows and the head are of one moment; where a commit came while they were looked for, they are once more."""
    for again in range(AGAIN + 1):
        before = head_of(owner)
        served = door or (embedding.served() if asked.policy.vectors else None)
        found = found_by(owner, searched, asked, query, served)
        channels = replace(found, near=placed(asked.text, found.near, found.words, searched, served))
        merged = ordered(searched, asked, query, channels)
        with snapshot():
            entries = searched.entries([row.found.id for row in merged.shown])
            read = Read(channels, merged, _still_shown(entries, asked, query), head_of(owner))
        if read.head == before or again == AGAIN:
            break
    return read


def _still_shown(entries: Mapping[int, Entry], asked: Asked, query: Query) -> dict[int, Entry]:
    """Without what was replaced, retracted or made stale since it was found, even by a write that came that late."""
    states = {*asked.where.states, *(() if query.for_prompt else (REPLACED,))}
    return {pk: row for pk, row in entries.items() if state_shown(row.status, row.superseded_how, row.stale) in states}


def head_of(owner: Account) -> Head:
    newest = Commit.objects.of(owner).order_by("-tick").values_list("tick", "address").first()
    return Head(*newest) if newest else Head()


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
    """As in force; `items` and `bytes` where the rows are packed, by a search or for a prompt."""
    forge, budget = settings.FORGE, asked.policy.budgets(query.top_k)
    said = {"rows": budget.vector, "words": budget.words, "candidates": forge.RECALL_CANDIDATES}
    if asked.policy.packed or query.for_prompt or query.most_bytes is not None:
        said |= {"items": forge.RECALL_MAX_ITEMS, "bytes": query.most_bytes or forge.RECALL_MAX_BYTES}
    return said


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


def _nearest_first(cut: Cut) -> tuple[bool, float, int]:
    return cut.distance is None, cut.distance or 0.0, cut.id


def _judged(row: Row, share: float, found: ByMeaning, about: Subject) -> Row:
    """Nothing that was replaced tells anything."""
    admitted = row.distance is not None and admits(found.reach, row.distance)
    sign = Sign(row.entry.kind in DELIBERATE, row.distance if admitted else None)
    stands = row.entry.pk == found.standing
    told = not row.entry.is_replaced and (stands or tells(sign, share, found.near, about))
    return replace(row, tells=told, near=told and (stands or is_near(sign, share, found.near, about)))


def not_shown(rows: Sequence[Row], found: ByMeaning, covered: Mapping[int, float], about: Subject) -> list[bool]:
    """Of each row that vectors admit and the budget leaves out: is it near, even if it is no more than an exchange?"""
    shown = {row.entry.pk for row in rows}
    rest = [(row.id, Sign(False, rounded(row.distance))) for row in found.rows if row.id not in shown]
    admitted = [(pk, sign) for pk, sign in rest if sign.distance is not None and admits(found.cutoff, sign.distance)]
    return [is_near(sign, covered.get(pk, 0.0), found.near, about) for pk, sign in admitted]


def _of_todos_alone(asked: Asked) -> tuple[str, ...]:
    if asked.policy.asks or asked.policy.plain:
        return ()
    return (_("Only open todos and what is due were looked for: this is a partial view of memory."),)


def rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)
