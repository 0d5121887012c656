"""The channel `recent`: the newest rows, without those that a summary which still holds stands for."""

from __future__ import annotations

from django.db.models import QuerySet

from memory.domain.scope import HIDDEN, Scope
from memory.kinds import LinkType
from memory.models import Entry, EntryQuerySet, Link


def newest(where: Scope, most: int) -> list[int]:
    """By when they were said. Where everything is asked for, no row is left out."""
    rows = of(where)
    if not set(HIDDEN) <= set(where.states):
        rows = rows.standing().exclude(pk__in=_covered(where.owner))
    return list(rows.order_by("-said_at", "-id").values_list("pk", flat=True)[:most])


def of(where: Scope) -> EntryQuerySet:
    """The owner's rows of the kind and project that are asked for, of every state."""
    asked = {"kind": where.kind} if where.kind else {}
    if where.project is not None:
        asked["project"] = where.project
    rows: EntryQuerySet = Entry.objects.filter(owner=where.owner, **asked)
    return rows


def _covered(owner: int) -> QuerySet[Link, int]:
    speaking = Entry.objects.filter(owner=owner).standing().values("pk")
    links = Link.objects.filter(owner=owner, type=LinkType.COVERS, entry__in=speaking)
    return links.standing().values_list("other", flat=True)
