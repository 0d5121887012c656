"""What the worker does for conversations. Run twice, or again after a kill, a job changes no more."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.conf import settings
from django.utils import timezone, translation

from chat.errors import BusyError
from chat.leaving import expiry
from chat.leaving.compaction import by_itself
from chat.models import Conversation
from forgesite import job
from memory.pruning import prune_questions, prune_refusals
from traces import pruning as traces

log = logging.getLogger(__name__)
#: The jobs below by their dotted names.
EXPIRE, PRUNE = "chat.jobs.expire", "chat.jobs.prune"


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


def prune() -> None:
    """Remove runs and refused writes that are older than they are kept. Receipts stay, without words."""
    forge, now = settings.FORGE, timezone.now()
    runs = questions = refusals = 0
    if forge.TRACE_RETENTION_DAYS:
        before = now - timedelta(days=forge.TRACE_RETENTION_DAYS)
        runs, questions = traces.prune(before), prune_questions(before)
    if forge.REFUSAL_RETENTION_DAYS:
        refusals = prune_refusals(now - timedelta(days=forge.REFUSAL_RETENTION_DAYS))
    log.info("prune runs=%d questions=%d refusals=%d", runs, questions, refusals)


def keep_schedule() -> None:
    """Once a day, where anything goes with time at all."""
    forge = settings.FORGE
    goes = {
        EXPIRE: forge.CONVERSATION_RETENTION_DAYS,
        PRUNE: forge.TRACE_RETENTION_DAYS or forge.REFUSAL_RETENTION_DAYS,
    }
    for path, days in goes.items():
        (job.daily if days else job.never)(path)
