"""What the tests of the forgetting pass share: entries of a certain age."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from forgesite.models import Account
from memory import change_log
from memory.models import Entry
from memory.remember import Draft, remember


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
