"""News for the owner's open pages, written where it happens: in the transaction that made it so.

Worker and web server are different processes, and the database is what they share. news.py reads it on the other side.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from chat.models import Notice

if TYPE_CHECKING:
    from forgesite.models import Account

#: What `what` says: a compaction has begun, the messages of a thread changed, a compaction came to nothing.
COMPACTING, THREAD, COMPACTION_FAILED = "compacting", "thread", "compaction_failed"
#: A page that was closed for so long reads everything anew anyway.
KEPT = timedelta(hours=1)


def tell(owner: Account, what: str, *, conversation: str = "", **detail: Any) -> None:
    """`conversation` empty: for every page of the owner. `detail`: counts and codes, no text of anybody's.

    It counts when the caller's transaction commits. Old news go at the same time.
    """
    now = timezone.now()
    Notice.objects.filter(at__lt=now - KEPT).delete()
    Notice.objects.create(owner=owner, conversation=conversation, what=what, detail=detail, at=now)


def newest() -> int:
    """Of everybody's; 0 where there is none."""
    return Notice.objects.order_by("-id").values_list("id", flat=True).first() or 0


def after(last: int) -> list[Notice]:
    """Everybody's news above an id, oldest first: one look at the end of the table where there are none."""
    return list(Notice.objects.filter(pk__gt=last).order_by("id"))
