"""Entries that say the same, or nearly: found for a person to decide on, and what they decided to keep.

Of what somebody chose to write down and is live; what was said in conversations is left as it was said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from django.db.models import Count
from numpy.typing import NDArray

from forgesite.models import Account
from memory import vector_channel, word_channel
from memory.commits import NAMED, undone
from memory.domain import alike
from memory.domain.alike import Reason
from memory.domain.causes import KEPT
from memory.domain.words import of_sides
from memory.keys import batched
from memory.models import Commit, Entry, EntryQuerySet, Link, LinkType, Vector
from memory.move import reaffirm_many

#: Two nearly the same are no further apart. As the bundled model has it, eight such pairs in five languages were within
#: 0.52, one sentence of two people was at 0.79, and half of all other pairs are past 1.3.
NEAR = 0.7
#: Entries that are compared, the newest ones, and pairs that are looked at closely, the most alike.
ENTRIES, PAIRS = 10_000, 500
#: Groups that a page shows, and decisions to keep that are remembered.
GROUPS, KEEPING = 25, 5000
#: As many ids as a statement takes; and groups of the same words of which the rows are read.
AT_ONCE, AT_ONCE_SAME = 5000, 500


@dataclass(frozen=True)
class Group:
    """Newest first. `distance`: of the two closest of them; None for the same words, or where no vectors tell."""

    entries: Sequence[Entry]
    distance: float | None = None


@dataclass(frozen=True)
class Same:
    """`total` groups there are, of which the first are `groups`."""

    groups: Sequence[Group]
    total: int


@dataclass(frozen=True)
class Conflict:
    """Two that look alike, and the reason why they are not the same thing said twice."""

    newer: Entry
    older: Entry
    reason: Reason
    distance: float | None


@dataclass(frozen=True)
class Near:
    """`scanned` of `total` entries were compared. `complete` False: not all pairs of those, or of what was found."""

    groups: Sequence[Group]
    conflicts: Sequence[Conflict]
    groups_total: int
    conflicts_total: int
    scanned: int
    total: int
    complete: bool
    by_words_alone: bool


@dataclass(frozen=True)
class Kept:
    """What a person said of entries: all of them are true, each by itself. An edit of one opens the question again."""

    decided: Sequence[tuple[frozenset[int], datetime]] = field(default_factory=tuple)

    def has(self, entries: Collection[Entry]) -> bool:
        ids, edited = {entry.pk for entry in entries}, max(entry.updated_at for entry in entries)
        return any(ids <= kept and edited <= at for kept, at in self.decided)


def keep_all(owner: Account, ids: Sequence[int], *, actor: str) -> tuple[Entry, ...]:
    """They are true, each by itself: confirmed in one commit, which says so, and they are no duplicates any more.

    Raises as `reaffirm_many` does. Undone, they are duplicates again.
    """
    return reaffirm_many(owner, ids, actor=actor, cause=KEPT)


def kept(owner: Account) -> Kept:
    """The newest decisions that stand."""
    rows = Commit.objects.of(owner).filter(cause=KEPT).order_by("-tick")[:KEEPING]
    commits = list(rows.values_list("address", "at", "tick", "changes"))
    if not commits:
        return Kept()
    back = undone(owner, commits[-1][2])
    return Kept(
        [
            (frozenset(change["id"] for change in changes), at)
            for address, at, _tick, changes in commits
            if address[:NAMED] not in back
        ]
    )


def same(owner: Account) -> Same:
    """Groups that say the same, of one kind and event time, the largest first."""
    found = _live(owner).values("sameness", "kind", "event_at").annotate(rows=Count("id")).filter(rows__gt=1)
    names = list(found.order_by("-rows", "sameness").values_list("sameness", "kind", "event_at"))
    decided, looked_at = kept(owner), names[:AT_ONCE_SAME]
    groups: dict[tuple[object, ...], list[Entry]] = {}
    for entry in _live(owner).filter(sameness__in={name[0] for name in looked_at}).order_by("-said_at", "-id"):
        groups.setdefault((entry.sameness, entry.kind, entry.event_at), []).append(entry)
    left = [Group(groups[name]) for name in looked_at if not decided.has(groups[name])]
    return Same(left[:GROUPS], len(names) - len(looked_at) + len(left))


def near(owner: Account) -> Near:
    """Groups that say nearly the same, by words and, where there are any, by vectors; and what may be a conflict."""
    rows = _live(owner).order_by("-id")
    ids = list(rows.values_list("pk", flat=True)[:ENTRIES])
    content = _content(ids)
    found = [(alike.shared(content[a], content[b]), a, b) for a, b in alike.alike(content)]
    found = sorted(found, key=lambda pair: (-pair[0], pair[1:]))
    closest = found[:PAIRS]
    distances = _distances(closest)
    close = [pair for pair in closest if distances.get(pair[1:], 0.0) <= NEAR]
    entries = _entries(owner, {pk for pair in close for pk in pair[1:]})
    told = _told(owner, close, entries, content)
    groups = _groups([(a, b) for a, b, why in told if why is None], entries, distances)
    conflicts = _conflicts([pair for pair in told if pair[2] is not None], entries, distances)
    total = len(ids) if len(ids) < ENTRIES else rows.count()
    return Near(
        groups[:GROUPS],
        conflicts[:GROUPS],
        len(groups),
        len(conflicts),
        len(ids),
        total,
        len(found) == len(closest) and not alike.crowded(content),
        bool(close) and not distances,
    )


def _live(owner: Account) -> EntryQuerySet:
    return Entry.objects.of(owner).live().deliberate()


def _content(ids: Sequence[int]) -> dict[int, frozenset[str]]:
    word_channel.sync()
    return {
        pk: alike.content(of_sides(found.words)[0].split())
        for some in batched(ids, AT_ONCE)
        for pk, found in word_channel.words_of(some).items()
    }


def _entries(owner: Account, ids: Collection[int]) -> dict[int, Entry]:
    found: dict[int, Entry] = {}
    for some in batched(sorted(ids)):
        found |= Entry.objects.of(owner).in_bulk(some)
    return found


def _distances(pairs: Iterable[tuple[float, int, int]]) -> dict[tuple[int, int], float]:
    """Of the closest parts of two; without those of which either has no vectors of the model that is in use."""
    two = [pair[1:] for pair in pairs]
    vectors = _vectors({pk for pair in two for pk in pair})
    return {(a, b): _apart(vectors[a], vectors[b]) for a, b in two if a in vectors and b in vectors}


def _vectors(ids: Collection[int]) -> dict[int, NDArray[np.float32]]:
    made = vector_channel.made_for() or _most_used()
    if made is None:
        return {}
    parts: dict[int, list[bytes]] = {}
    for some in batched(sorted(ids)):
        rows = Vector.objects.filter(entry__in=some, regime=made[0], dim=made[1]).values_list("entry", "vector")
        for entry, vector in rows:
            parts.setdefault(entry, []).append(bytes(vector))
    return {pk: np.frombuffer(b"".join(some), "<f4").reshape(-1, made[1]) for pk, some in parts.items()}


def _most_used() -> tuple[str, int] | None:
    """Before the first search there is no index that would say which model is in use."""
    rows = Vector.objects.values("regime", "dim").annotate(rows=Count("id")).order_by("-rows")
    return rows.values_list("regime", "dim").first()


def _apart(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Of unit vectors: Euclidean, as everywhere."""
    return float(np.sqrt(max(0.0, 2.0 - 2.0 * float((one @ other.T).max()))))


def _told(
    owner: Account,
    pairs: Sequence[tuple[float, int, int]],
    entries: Mapping[int, Entry],
    content: Mapping[int, frozenset[str]],
) -> list[tuple[int, int, Reason | None]]:
    """The pairs that nobody decided on, each with what tells the two apart. What happened on two days is two things."""
    known = {frozenset(link) for link in _known(owner, entries.keys())}
    decided = kept(owner)
    told: list[tuple[int, int, Reason | None]] = []
    for _share, a, b in pairs:
        one, other = entries.get(a), entries.get(b)
        if one is None or other is None or frozenset((a, b)) in known or decided.has((one, other)):
            continue
        if one.sameness == other.sameness or (one.event_at and other.event_at and one.event_at != other.event_at):
            continue
        told.append((a, b, alike.reason(one.text, other.text, (content[a], content[b]))))
    return told


def _known(owner: Account, ids: Collection[int]) -> list[tuple[int, int]]:
    """Those that are linked as a conflict already."""
    links = Link.objects.of(owner).standing().filter(type=LinkType.CONFLICTS)
    found: list[tuple[int, int]] = []
    for some in batched(sorted(ids)):
        found += links.filter(entry__in=some).values_list("entry", "other")
    return found


def _groups(
    pairs: Sequence[tuple[int, int]], entries: Mapping[int, Entry], distances: Mapping[tuple[int, int], float]
) -> list[Group]:
    """Whoever is near to one of a group belongs to it: what tells two apart tells all of two groups apart."""
    group_of: dict[int, set[int]] = {}
    for a, b in pairs:
        joined = group_of.get(a, {a}) | group_of.get(b, {b})
        group_of |= dict.fromkeys(joined, joined)
    closest: dict[int, float] = {}
    for pair in pairs:
        if pair in distances:
            first = min(group_of[pair[0]])
            closest[first] = min(distances[pair], closest.get(first, distances[pair]))
    groups = {min(some): some for some in group_of.values()}
    ordered = sorted(groups, key=lambda first: (closest.get(first, 0.0), first))
    return [Group(_newest_first(groups[first], entries), closest.get(first)) for first in ordered]


def _conflicts(
    pairs: Sequence[tuple[int, int, Reason | None]],
    entries: Mapping[int, Entry],
    distances: Mapping[tuple[int, int], float],
) -> list[Conflict]:
    found = []
    for a, b, why in pairs:
        assert why is not None
        newer, older = _newest_first((a, b), entries)
        found.append(Conflict(newer, older, why, distances.get((a, b))))
    return sorted(found, key=lambda each: (alike.REASONS.index(each.reason), each.distance or 0.0, -each.newer.pk))


def _newest_first(ids: Iterable[int], entries: Mapping[int, Entry]) -> list[Entry]:
    return sorted((entries[pk] for pk in ids), key=lambda entry: (entry.said_at, entry.pk), reverse=True)
