"""What the tests of the forgetting pass share: entries that it has something to say of, and what it proposed."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from forgesite.models import Account
from memory import change_log
from memory.models import Entry
from memory.remember import Draft, remember, remember_many
from retention.models import Proposal, Status

THINGS = ("apples", "bricks", "candles", "drills", "eggs", "forks", "gloves", "hats", "inks", "jars", "kites", "lamps")
CAR = "The loan car is ours until {}."


def said(owner: Account, text: str, *, days: float = 0, kind: str = "fact", **draft: object) -> Entry:
    """An entry that was saved so many days ago, and that nobody touched since; with 0, now."""
    entry = remember(owner, Draft(text, kind=kind, **draft), actor="person", cause="test").entry  # type: ignore[arg-type]
    if not days:
        return entry
    at = timezone.now() - timedelta(days=days)
    with change_log.ours():
        Entry.objects.filter(pk=entry.pk).update(said_at=at, recorded_at=at, updated_at=at)
    entry.refresh_from_db()
    return entry


def others(owner: Account) -> None:
    """So that the words of the few are rare, as they are in any memory."""
    texts = [f"Shelf {number} holds the {thing}" for number, thing in enumerate(THINGS)]
    remember_many(owner, [Draft(text, kind="note") for text in texts], actor="person", cause="test")


def over(owner: Account, **more: object) -> Entry:
    """An entry that says of itself that it is over."""
    day = timezone.now() - timedelta(days=20)
    text = CAR.format(f"{day:%B} {day.day}, {day.year}")
    return said(owner, text, days=60, **more)  # type: ignore[arg-type]


def changed(owner: Account) -> tuple[Entry, Entry]:
    return said(owner, "The wifi password is birch-71"), said(owner, "The wifi password is now otter-28")


def proposals(owner: Account, status: str = Status.PROPOSED) -> list[tuple[str, int, int | None]]:
    rows = Proposal.objects.of(owner).filter(status=status).order_by("id")
    return [(row.action, row.memory_id, row.related_id) for row in rows]  # type: ignore[misc]
