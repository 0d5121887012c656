"""Open todos that rest on what is replaced: they rest on what replaces it too, so that none is left behind with it."""

from __future__ import annotations

from collections.abc import Collection

from forgesite.models import Account
from memory.models import Commit, Entry, Kind, Link, LinkType
from memory.people_first import PERSON
from memory.relate import relate


def resting(owner: Account, entries: Collection[int]) -> dict[int, list[int]]:
    """By entry, the open todos that name it as their source, oldest first. One query."""
    open_todos = Entry.objects.of(owner).live().filter(kind=Kind.TODO).values("pk")
    rests = Link.objects.of(owner).standing().filter(type=LinkType.SOURCE, other__in=entries, entry__in=open_todos)
    found: dict[int, list[int]] = {}
    for other, todo in rests.order_by("entry").values_list("other", "entry"):
        found.setdefault(other, []).append(todo)
    return found


def carry(owner: Account, older: int, newer: int, *, cause: str) -> None:
    """A commit each, after the one that replaces. Call it in that transaction."""
    for todo in resting(owner, [older]).get(older, ()):
        if todo != newer:
            relate(owner, todo, LinkType.SOURCE, newer, actor=PERSON, cause=cause)


def made_by(owner: Account, first: str, *, cause: str) -> list[str]:
    """The commits of a decision, the last one first: `first`, and those after it that give `cause`. None where it made
    none."""
    if not first:
        return []
    tick = Commit.objects.one_of(owner, address=first).tick
    later = Commit.objects.of(owner).filter(tick__gt=tick, cause=cause).order_by("-tick")
    return [*later.values_list("address", flat=True), first]
