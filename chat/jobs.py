"""What the worker does for conversations. Run twice, or again after a kill, a job changes no more."""

from __future__ import annotations

import logging

from django.conf import settings
from django.utils import timezone, translation

from chat.errors import BusyError
from chat.leaving import expiry
from chat.leaving.compaction import by_itself
from chat.models import Conversation
from forgesite import job

log = logging.getLogger(__name__)
#: The job below by its dotted name.
EXPIRE = "chat.jobs.expire"


def compact(owner: int, conversation: str, window: int | None = None) -> None:
    """The window of a conversation, where it asks for it. One that is gone, or is compacted just now, is left alone.

    `window`: tokens of its model's, where a server has said so.
    """
    talk = Conversation.objects.filter(owner=owner, pk=conversation).select_related("owner").first()
    if talk is None:
        return
    with translation.override(talk.owner.language):
        try:
            by_itself(talk.owner, talk, window=window)
        except BusyError as error:
            log.info("compaction left to another conversation=%s: %s", conversation, error.message)


def expire() -> int:
    """Remove the conversations that have expired, with what memory keeps of them stored. How many."""
    done = expiry.expire()
    if done.more:
        # Not under the key of this run, which still counts as waiting.
        job.enqueue(EXPIRE, key=f"{EXPIRE} {timezone.now():%H:%M:%S}")
    return done.removed


def keep_schedule() -> None:
    """Once a day, where conversations expire at all."""
    if settings.FORGE.CONVERSATION_RETENTION_DAYS:
        job.daily(EXPIRE)
    else:
        job.never(EXPIRE)
