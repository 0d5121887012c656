"""When a conversation is compacted: an exchange that was stored asks for it, and one at a time holds it for that."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.branches import sight_of
from chat.domain.compaction import triggers
from chat.errors import BusyError
from chat.leaving.weighing import lengths, limits, weighed
from chat.models import Conversation
from forgesite import job

if TYPE_CHECKING:
    from chat.progress import Progress

log = logging.getLogger(__name__)
#: The job by its dotted name.
COMPACT = "chat.jobs.compact"


@contextmanager
def lease(talk: Conversation) -> Iterator[None]:
    """Hold a conversation while it is compacted. Raises BusyError while somebody else does.

    Older than any job may get, a lease is nobody's: its holder was killed.
    """
    now = timezone.now()
    free = Q(compacting_since=None) | Q(compacting_since__lt=now - timedelta(seconds=settings.JOB_TIMEOUT))
    if Conversation.objects.filter(free, pk=talk.pk).update(compacting_since=now) != 1:
        raise BusyError(_("This conversation is being compacted already. Wait for its end."))
    try:
        yield
    finally:
        Conversation.objects.filter(pk=talk.pk, compacting_since=now).update(compacting_since=None)


def remembers(talk: Conversation) -> bool:
    """May anything of it enter memory?"""
    return settings.FORGE.MEMORY_ENABLED and not talk.temporary


def maybe(progress: Progress) -> None:
    """Queue a compaction where the window of the conversation asks for one. Called when an exchange was stored.

    One query that reads no text (.5 ms); where lengths alone do not settle it, as from some 2,000 characters on, the
    window is read (3 ms for 80 messages; a text is weighed once a process).
    """
    talk = Conversation.objects.of(progress.owner).filter(pk=progress.begun.conversation).first()
    model = progress.model
    window = model.window.tokens if model and not model.window.estimated else None
    if talk is not None and due(talk, window):
        job.enqueue(COMPACT, key=f"compact {talk.pk}", owner=talk.owner_id, conversation=talk.pk, window=window)


def due(talk: Conversation, model_window: int | None = None) -> bool:
    """Is it to be compacted, or its window to be cut at its hard cap? `model_window`: tokens, as its server says."""
    forge = settings.FORGE
    compacts = forge.COMPACTION_ENABLED and remembers(talk)
    messages = min(forge.MEMORY_MAX_HISTORY, forge.COMPACTION_THRESHOLD if compacts else forge.MEMORY_MAX_HISTORY)
    tokens = forge.COMPACTION_TOKEN_THRESHOLD if compacts else float("inf")
    if not lengths(talk).may_exceed(messages, tokens):
        return False
    window = sight_of(talk).window()
    capped = len(window) > forge.MEMORY_MAX_HISTORY
    return capped or (compacts and bool(triggers(weighed(window), limits(window, model_window))))
