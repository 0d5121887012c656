"""What happens to the links of entries that are forgotten, and to the entries at their other ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import Q
from django.utils import timezone

from forgesite.models import Account
from memory.models import LIVE, REPLACING, Entry, Kind, Link, LinkType, Status
from memory.store import Moved

#: A summary goes on resting on what was forgotten, and is stale by it.
KEPT = (LinkType.SOURCE, LinkType.COVERS)


@dataclass
class Parted:
    """`released`: what a forgotten entry spoke for, live again. `archived`: what it replaced, not current again."""

    linked: list[Link] = field(default_factory=list)
    unlinked: list[Link] = field(default_factory=list)
    moved: list[Moved] = field(default_factory=list)
    released: list[int] = field(default_factory=list)
    archived: list[int] = field(default_factory=list)


def parted(owner: Account, ids: Collection[int]) -> Parted:
    """Every standing link of these entries ends, but those that a summary has to them.

    What one of them replaced is replaced by whoever replaced that one; where nobody did, it is archived: a fact that
    was out of date must not come back as current.
    """
    standing = Link.objects.of(owner).standing().filter(Q(entry__in=ids) | Q(other__in=ids)).order_by("id")
    links = list(standing)
    ends = Entry.objects.of(owner).in_bulk({pk for link in links for pk in (link.entry_id, link.other_id)})
    done = Parted(unlinked=[link for link in links if not _stays(link, ids, ends)])
    folded = [link.other_id for link in links if link.type == LinkType.SPEAKS_FOR and link.entry_id in ids]
    done.released = sorted(pk for pk in folded if pk not in ids and pk in ends)
    _replaced(owner, [link for link in links if link.type in REPLACING], ids, ends, done)
    return done


def _stays(link: Link, ids: Collection[int], ends: dict[int, Entry]) -> bool:
    rests = ends.get(link.entry_id) if link.entry_id not in ids else None
    return rests is not None and rests.kind == Kind.SUMMARY and link.type in KEPT


def _replaced(
    owner: Account, links: Sequence[Link], ids: Collection[int], ends: dict[int, Entry], done: Parted
) -> None:
    """Newest first: of several of one key, the newest keeps it."""
    by = {link.other_id: link for link in links}
    freed = [link for link in links if link.entry_id in ids and link.other_id not in ids and link.other_id in ends]
    keys: dict[tuple[str, str], Entry] = {}
    for link in sorted(freed, key=lambda each: -each.other_id):
        other = ends[link.other_id]
        heir, type_ = _heir(link, by, ids, ends)
        if heir is None and other.key:
            heir, type_ = keys.get((other.project, other.key)) or _holder(owner, other, ids), LinkType.VERSION_OF
        if heir is None or heir.pk == other.pk:
            _archive(other, done)
            keys[other.project, other.key] = other
        else:
            done.linked.append(Link(type=type_, entry=heir, other=other))


def _heir(
    link: Link, by: dict[int, Link], ids: Collection[int], ends: dict[int, Entry]
) -> tuple[Entry | None, LinkType]:
    """Who replaced the one that replaced it, and so on, up to one that stays."""
    types, at, seen = {LinkType(link.type)}, link.entry_id, {link.other_id}
    while at in ids and at in by and at not in seen:
        seen.add(at)
        types.add(LinkType(by[at].type))
        at = by[at].entry_id
    type_ = types.pop() if len(types) == 1 else LinkType.SUPERSEDES
    return (None if at in ids or at in seen else ends.get(at)), type_


def _holder(owner: Account, other: Entry, ids: Iterable[int]) -> Entry | None:
    """Who has its key by now."""
    current = Entry.objects.of(owner).holding_keys().filter(project=other.project, key=other.key)
    return current.exclude(pk__in=[*ids, other.pk]).first()


def _archive(other: Entry, done: Parted) -> None:
    done.archived.append(other.pk)
    if other.status in LIVE:
        other.status, other.updated_at = Status.ARCHIVED, timezone.now()
        other.version += 1
        done.moved.append(Moved(other, "archive"))
