"""What a pass over an account would look at: its entries, what is like what, and what was decided before.

Of all entries only numbers are held, see domain/columns.py. Texts are read some at a time, and once more, in the end,
those of the chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.functions import Substr
from django.utils.translation import gettext as _

from forgesite.models import Account
from memory.models import Entry, Link
from memory.proof.snapshot import snapshot, unmapped
from retention import vectors
from retention.domain import columns
from retention.domain.alike import merged
from retention.domain.candidates import Candidates, chosen, items
from retention.domain.columns import FOREVER, SINGLES, Alike, Ints, Settled, Stamp, Stamps, micros
from retention.domain.items import Row
from retention.domain.neighbours import READ, content, neighbours
from retention.models import Form, Proposal

FIELDS = (
    *("id", "kind", "project", "text", "said_at", "recorded_at", "updated_at", "last_reviewed_at", "event_at"),
    *("pinned", "version", "digest"),
)
#: Between the time that an entry is recorded and the one of its last change: less is no edit.
AN_EDIT = timedelta(seconds=1)
#: Rows and texts that are read at once.
AT_ONCE = 500


@dataclass(frozen=True)
class Found:
    """`notes`: what was not looked at, in sentences fit to show."""

    candidates: Candidates
    notes: tuple[str, ...] = ()


def found(owner: Account, now: datetime) -> Found:
    """Of one moment. Reads only, and no network is used; memory does not grow by more than numbers with the entries."""
    with unmapped(), snapshot():
        stamps = columns.stamps(_stamps(_live(owner).order_by("project", "-id")))
        picked = chosen(
            stamps,
            _alike(owner, stamps),
            settled=settled(owner),
            now=now,
            window=timedelta(days=settings.FORGE.STALE_WINDOW_DAYS),
        )
        rows = {row.id: row for row in map(row_of, _live(owner).filter(pk__in=picked.ids).only(*FIELDS))}
    return Found(items(picked, rows), _not_compared(stamps))


def _live(owner: Account) -> QuerySet[Entry]:
    return Entry.objects.of(owner).live().filter(kind__in=SINGLES)


def _stamps(entries: QuerySet[Entry]) -> Iterator[Stamp]:
    fields = ("id", "kind", "project", "said_at", "recorded_at", "updated_at", "last_reviewed_at")
    for pk, kind, project, *times in entries.values_list(*fields).iterator(chunk_size=AT_ONCE):
        yield Stamp(pk, kind, project, *_ages(*times))


def row_of(entry: Entry) -> Row:
    told_at, fresh_at = _ages(entry.said_at, entry.recorded_at, entry.updated_at, entry.last_reviewed_at)
    return Row(
        id=entry.pk,
        kind=entry.kind,
        project=entry.project,
        text=entry.text,
        said_at=entry.said_at,
        told_at=told_at,
        fresh_at=fresh_at,
        event_at=entry.event_at,
        pinned=entry.pinned,
        version=entry.version,
        digest=entry.digest,
    )


def _ages(
    said: datetime, recorded: datetime, updated: datetime, reviewed: datetime | None
) -> tuple[datetime, datetime]:
    """When its words are from, and when it was last changed or confirmed."""
    told = max(said, updated) if updated - recorded > AN_EDIT else said
    return told, max(updated, reviewed or updated)


def _alike(owner: Account, stamps: Stamps) -> Iterator[Alike]:
    """Within one project. Two that are like by both keys come once, with both."""
    for start, end in _projects(stamps):
        ids = stamps.ids[start:end]
        near = neighbours(map(content, _texts(owner, ids)), len(ids))
        for some in merged(near, vectors.close(ids, settings.FORGE.CONFLICT_FLOOR), len(ids)):
            yield some._replace(ones=some.ones + start, others=some.others + start)


def _projects(stamps: Stamps) -> Iterator[tuple[int, int]]:
    """From where to where each one is."""
    if len(stamps):
        firsts = np.flatnonzero(np.diff(stamps.projects, prepend=-1)).tolist()
        yield from zip(firsts, [*firsts[1:], len(stamps)], strict=True)


def _texts(owner: Account, ids: Ints) -> Iterator[str]:
    """The beginning of each, in their order."""
    for start in range(0, len(ids), AT_ONCE):
        some: Sequence[int] = ids[start : start + AT_ONCE].tolist()
        texts = dict(_live(owner).filter(pk__in=some).values_list("pk", Substr("text", 1, READ)))
        yield from (texts[pk] for pk in some)


def _not_compared(stamps: Stamps) -> tuple[str, ...]:
    told = _("By meaning, the newest %(most)d of %(all)d entries of a project were compared, by words all of them.")
    sizes = [end - start for start, end in _projects(stamps)]
    return tuple(told % {"most": vectors.MOST_COMPARED, "all": size} for size in sizes if size > vectors.MOST_COMPARED)


def settled(owner: Account) -> Settled:
    """What earlier passes judged and when, whatever came of it; and for good, what there is a link between."""
    return columns.settled(_settled(owner))


def _settled(owner: Account) -> Iterator[tuple[int, int, int]]:
    judged = Proposal.objects.of(owner).filter(Q(form=Form.SINGLE) | Q(form=Form.PAIR, related__isnull=False))
    fields = ("form", "memory_id", "related_id", "created_at")
    for form, one, other, at in judged.order_by().values_list(*fields).iterator(chunk_size=AT_ONCE):
        yield one, other if form == Form.PAIR else 0, micros(at)
    ends = Link.objects.of(owner).standing().order_by().values_list("entry", "other")
    for one, other in ends.iterator(chunk_size=AT_ONCE):
        yield one, other, FOREVER
