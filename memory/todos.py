"""What is still to be done: open todos, what is due, and a todo that a person closes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from typing import TYPE_CHECKING

from django.db.models import Count, F, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from forgesite.errors import InvalidError
from forgesite.language import zone_of
from memory.errors import NotLiveError
from memory.event_time import FORMATS
from memory.kinds import FALLING_DUE, LIVE, Kind, Status
from memory.models import Entry
from memory.move import archive
from memory.revise import Changes, revise

if TYPE_CHECKING:
    from forgesite.models import Account


@dataclass(frozen=True)
class Waiting:
    """How many todos are open, and how many entries are due by now."""

    open: int = 0
    due: int = 0


def todos(owner: Account) -> list[Entry]:
    """The open todos: those with a time first, the earliest first; the others as they were written down."""
    found = Entry.objects.of(owner).live().filter(kind=Kind.TODO)
    return list(found.order_by(F("event_at").asc(nulls_last=True), "id"))


def due(owner: Account, at: datetime) -> list[Entry]:
    """Todos and prospective entries whose time has come by then, the earliest first."""
    found = Entry.objects.of(owner).live().filter(kind__in=FALLING_DUE, event_at__lte=at)
    return list(found.order_by("event_at", "id"))


def waiting(owner: Account) -> Waiting:
    """Both numbers at once, for a badge."""
    live = Entry.objects.of(owner).live().filter(kind__in=FALLING_DUE)
    counts = live.aggregate(
        open=Count("id", filter=Q(kind=Kind.TODO)), due=Count("id", filter=Q(event_at__lte=timezone.now()))
    )
    return Waiting(**counts)


def done(owner: Account, entry_id: int, *, actor: str, cause: str, version: int | None = None) -> Entry:
    """Close a todo; a prospective entry is put away. One commit, which can be undone.

    Raises UnknownError, InvalidError for any other kind, NotLiveError where it is not open any more, and what jobs may
    not (see people_first.py).
    """
    entry: Entry = Entry.objects.one_of(owner, pk=entry_id)
    if entry.kind not in FALLING_DUE:
        values = {"id": entry.pk, "kind": entry.get_kind_display()}
        raise InvalidError(_("#%(id)d is of the kind “%(kind)s”: only a todo can be done.") % values)
    if entry.is_replaced:
        values = {"id": entry.pk, "by": entry.superseded_by_id}
        raise NotLiveError(_("#%(id)d is not open: #%(by)d has taken its place.") % values)
    if entry.status not in LIVE:
        values = {"id": entry.pk, "state": entry.get_status_display()}
        raise NotLiveError(_("#%(id)d is not open: it is “%(state)s” already.") % values)
    if entry.kind == Kind.PROSPECTIVE:
        return archive(owner, entry_id, actor=actor, cause=cause, version=version)
    return revise(owner, entry_id, Changes(status=Status.CLOSED), version=version, actor=actor, cause=cause)


def when(owner: Account, entry: Entry) -> str:
    """The time that it is due in the owner's zone; the day alone where that is all that is known. Empty: no time."""
    if entry.event_at is None:
        return ""
    at = timezone.localtime(entry.event_at, zone_of(owner.time_zone))
    return str(date_format(at, FORMATS["day" if at.time() == time.min else "minute"]))
