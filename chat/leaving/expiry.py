"""Conversations that nobody has spoken in for long: what memory is to keep of them is stored, then they are removed."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from chat.branches import held, tree_of
from chat.domain import transcript
from chat.embedding_ahead import ahead
from chat.errors import BusyError
from chat.leaving.compacting import lease, remembers
from chat.leaving.units import draft_of, fits, spoken
from chat.models import Conversation, Message, Role, State
from forgesite.errors import ForgeError
from memory.drafts import Draft
from memory.models import Origin
from memory.remember import remember_many, unseen

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from forgesite.models import Account

log = logging.getLogger(__name__)
#: Seconds: a run ends well before the queue would stop it, and the next one goes on.
LONGEST = 300.0


def expired(now: datetime) -> QuerySet[Conversation]:
    """Of everybody, oldest first; none with CONVERSATION_RETENTION_DAYS=0.

    What somebody pinned, the conversation or a message of it, does not expire. Where nothing may enter memory because
    memory is off, nothing is removed either; a temporary conversation was never meant to be kept.
    """
    days = settings.FORGE.CONVERSATION_RETENTION_DAYS
    if not days:
        return Conversation.objects.none()
    pinned = Message.objects.filter(conversation=OuterRef("pk"), pinned=True)
    found = Conversation.objects.filter(updated_at__lt=now - timedelta(days=days), pinned=False)
    found = found.filter(~Exists(pinned)).select_related("owner").order_by("updated_at", "id")
    return found if settings.FORGE.MEMORY_ENABLED else found.filter(temporary=True)


@dataclass(frozen=True)
class Expired:
    """`removed` conversations; `more` where the time was over before all of them were looked at."""

    removed: int
    more: bool = False


def expire(longest: float = LONGEST) -> Expired:
    """Remove what has expired, each in a transaction of its own, for so many seconds. What cannot be stored stays."""
    gone, end = 0, time.monotonic() + longest
    for talk in expired(timezone.now()):
        if time.monotonic() >= end:
            return Expired(gone, more=True)
        try:
            with lease(talk):
                gone += _expired(talk.owner, talk)
        except BusyError:
            continue  # tomorrow
        except ForgeError as error:
            log.warning("conversation=%s has expired and stays, as memory took nothing: %s", talk.pk, error.message)
    return Expired(gone)


def _expired(owner: Account, talk: Conversation) -> bool:
    drafts = list(drafts_of(talk)) if remembers(talk) else []
    door = ahead()
    if door:
        door.prepare([draft.text for draft in unseen(owner, drafts)])
    with transaction.atomic():
        still = expired(timezone.now()).filter(pk=talk.pk).exists()
        if not still or held(talk).filter(state=State.RUNNING).exists():
            return False
        batch = remember_many(owner, drafts, actor=Origin.COMPACTION, cause=f"expiry {talk.pk}", door=door)
        messages = held(talk).count()
        Conversation.objects.filter(pk=talk.pk).delete()
    log.info(
        "expiry conversation=%s messages=%d units=%d stored=%d duplicates=%d forgotten=%d temporary=%s",
        *(talk.pk, messages, len(drafts), len(batch.entries), batch.duplicates, batch.forgotten, talk.temporary),
    )
    return True


def drafts_of(talk: Conversation) -> Iterator[Draft]:
    """The exchanges of every branch, each once; of those that memory is given none, the person's own words alone.

    What was compacted before is there already, word for word, and is no second entry.
    """
    rows = {one.pk: one for one in held(talk).order_by("id")}
    at = {pk: one.created_at for pk, one in rows.items()}
    seen: set[str] = set()
    for path in _branches(talk, list(rows)):
        for unit in _units([rows[pk] for pk in path]):
            draft = draft_of(talk, unit, at)
            if draft.text not in seen and fits(draft.text):
                seen.add(draft.text)
                yield draft


def _branches(talk: Conversation, ids: Sequence[int]) -> list[Sequence[int]]:
    found = tree_of(talk)
    if found is None:
        return [ids]
    return [found.path(pk) for pk in found.ids if pk not in found.children]


def _units(messages: Sequence[Message]) -> Iterator[transcript.Unit]:
    cut = transcript.cut([spoken(one) for one in messages])
    yield from cut.units
    commands = {one.pk for one in messages if one.run_id and one.content.lstrip().startswith("!")}
    for out in cut.dropped:
        for one in out.messages:
            if one.role == Role.USER and out.reason in transcript.ANSWERLESS and one.ref not in commands:
                yield transcript.Unit(transcript.render([one]), (one,))
