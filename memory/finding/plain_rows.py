"""Rows that are found without a question: the newest ones, open todos, procedures. Each is a channel of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime, timedelta

from django.utils import timezone

from forgesite.models import Account
from memory.domain.scope import Scope
from memory.finding import procedures, recent, tasks
from memory.models import Entry

RECENT, TASKS, PROCEDURES = "recent", "tasks", "procedures"


def found(channel: str, where: Scope, most: int) -> list[int]:
    """Of now, in the channel's order. `most` is no limit for todos: none of them is dropped."""
    return CHANNELS[channel](where, most)


def ages(owner: Account, ids: Collection[int]) -> dict[int, float]:
    """In days, as of now: since what an entry tells of happened, or else since it was said."""
    now = timezone.now()
    rows = Entry.objects.of(owner).filter(pk__in=list(ids)).values_list("pk", "event_at", "said_at")
    return {pk: days(event or said, now) for pk, event, said in rows.order_by("pk")}


def days(date: datetime, now: datetime) -> float:
    """None below 0: what is yet to come is not old."""
    return max(0.0, (now - date) / timedelta(days=1))


CHANNELS: dict[str, Callable[[Scope, int], list[int]]] = {
    RECENT: recent.newest,
    TASKS: lambda where, _most: tasks.to_do(where, timezone.now()),
    PROCEDURES: procedures.newest,
}
