"""What a pass over an account would look at: its entries, what is like what, and what was decided before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from django.conf import settings
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from forgesite.models import Account
from memory.models import Entry, Link
from retention import vectors
from retention.domain.candidates import SINGLES, Candidates, Decided, Likeness, Two, candidates
from retention.domain.items import Row
from retention.domain.neighbours import content, neighbours
from retention.models import Form, Proposal

FIELDS = (
    *("id", "kind", "project", "text", "said_at", "recorded_at", "updated_at", "last_reviewed_at", "event_at"),
    *("pinned", "version", "digest"),
)
#: Between the time that an entry is recorded and the one of its last change: less is no edit.
AN_EDIT = timedelta(seconds=1)


@dataclass(frozen=True)
class Found:
    """`notes`: what was not looked at, in sentences fit to show."""

    candidates: Candidates
    notes: tuple[str, ...] = ()


def found(owner: Account, now: datetime) -> Found:
    """Reads only. No network is used."""
    entries = Entry.objects.of(owner).live().filter(kind__in=SINGLES).order_by("project", "-id")
    rows: list[Row] = []
    likenesses: list[Likeness] = []
    notes: list[str] = []
    for _project, some in groupby(_rows(entries), key=lambda row: row.project):
        of_project = list(some)
        rows += of_project
        likenesses += _alike(of_project)
        notes += _not_compared(of_project)
    looked_at = candidates(
        rows,
        likenesses,
        decided=decided(owner),
        linked=_linked(owner),
        now=now,
        window=timedelta(days=settings.FORGE.STALE_WINDOW_DAYS),
    )
    return Found(looked_at, tuple(notes))


def _rows(entries: QuerySet[Entry]) -> Iterator[Row]:
    return (row_of(entry) for entry in entries.only(*FIELDS).iterator())


def row_of(entry: Entry) -> Row:
    edited = entry.updated_at - entry.recorded_at > AN_EDIT
    return Row(
        id=entry.pk,
        kind=entry.kind,
        project=entry.project,
        text=entry.text,
        said_at=entry.said_at,
        told_at=max(entry.said_at, entry.updated_at) if edited else entry.said_at,
        fresh_at=max(entry.updated_at, entry.last_reviewed_at or entry.updated_at),
        event_at=entry.event_at,
        pinned=entry.pinned,
        version=entry.version,
        digest=entry.digest,
    )


def _alike(rows: list[Row]) -> Iterator[Likeness]:
    """Within one project. Two that are like by both keys come once, with both."""
    by_words = {like.two: like for like in neighbours([content(row.id, row.text) for row in rows])}
    for like in vectors.close([row.id for row in rows], settings.FORGE.CONFLICT_FLOOR):
        known = by_words.pop(like.two, None)
        yield Likeness(like.one, like.other, like.cosine, known.words if known else 0.0)
    yield from by_words.values()


def _not_compared(rows: list[Row]) -> list[str]:
    if len(rows) <= vectors.MOST_COMPARED:
        return []
    told = _("By meaning, the newest %(most)d of %(all)d entries of a project were compared, by words all of them.")
    return [told % {"most": vectors.MOST_COMPARED, "all": len(rows)}]


def decided(owner: Account) -> Decided:
    """When earlier passes judged what, whatever came of it."""
    judged = Proposal.objects.of(owner).exclude(form="")
    singles = judged.filter(form=Form.SINGLE).values_list("memory").annotate(at=Max("created_at")).order_by()
    pairs = judged.filter(form=Form.PAIR, related__isnull=False).values_list("memory", "related")
    last: dict[Two, datetime] = {}
    for one, other, at in pairs.annotate(at=Max("created_at")).order_by():
        two = frozenset((one, other))
        last[two] = max(at, last.get(two, at))
    return Decided(dict(singles), last)


def _linked(owner: Account) -> set[Two]:
    standing = Link.objects.of(owner).standing().values_list("entry", "other")
    return {frozenset(ends) for ends in standing}
