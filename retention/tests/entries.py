"""What the tests of the forgetting pass share: entries of a certain age."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from forgesite.models import Account
from memory import change_log
from memory.models import Entry
from memory.remember import Draft, remember, remember_many

THINGS = ("apples", "bricks", "candles", "drills", "eggs", "forks", "gloves", "hats", "inks", "jars", "kites", "lamps")


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
