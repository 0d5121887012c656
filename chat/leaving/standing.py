"""What stands in the place of messages that left the window: a pointer, a summary, or both. And the hard cap."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction

from chat.branches import held, placed, sight_of
from chat.domain.compaction import cap
from chat.domain.pointer import capped, pointer, summarised, summary, taken_over
from chat.leaving.compacting import remembers
from chat.leaving.summarising import Summary, summarise
from chat.leaving.units import Units
from chat.leaving.weighing import weighed
from chat.models import Conversation, Message, Role, State
from chat.notices import THREAD, tell
from memory.drafts import Draft
from memory.erasing.tombstones import forgotten
from memory.remember import Batch

if TYPE_CHECKING:
    from forgesite.models import Account

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class StandIn:
    """`summary` None: none was asked for. `before`: the earlier ones that it holds, with their words, by id.

    `gone`: the drafts of which nothing is in it, as what they would say was forgotten.
    """

    summary: Summary | None = None
    before: Mapping[int, str] = field(default_factory=dict)
    gone: frozenset[Draft] = frozenset()


def stand_in(talk: Conversation, units: Units) -> StandIn:
    """Asks the conversation's model, where a summary is wanted: no transaction is open then.

    What a person forgot is not told anew from the messages that it came from.
    """
    if settings.FORGE.COMPACTION_STRATEGY == "rag_pointer":
        return StandIn()
    gone = frozenset(forgotten(talk.owner, units.drafts))
    said = [one for draft, unit in zip(units.drafts, units.said, strict=True) if draft not in gone for one in unit]
    if not said:
        return StandIn()
    before = {one.pk: one.content for one in sight_of(talk).pointers() if summarised(one.content)[0]}
    notes = "\n\n".join(summarised(content)[1] for content in before.values())
    return StandIn(summarise(talk, said, notes), before, gone)


def is_stale(talk: Conversation, units: Units, standing: StandIn) -> bool:
    """Was something forgotten since, that its summary may tell?"""
    if standing.summary is None:
        return False
    now = dict(placed(talk).filter(pk__in=standing.before).values_list("pk", "content"))
    return now != standing.before or forgotten(talk.owner, units.drafts) != standing.gone


def put(talk: Conversation, removed: Sequence[int], batch: Batch, units: Units, standing: StandIn) -> str:
    """The caller holds the transaction. What was put, as text."""
    language = talk.owner.language
    ids = tuple(entry.pk for entry in batch.entries)
    texts = []
    if standing.summary is None or settings.FORGE.COMPACTION_STRATEGY == "both":
        texts.append(
            pointer(len(removed), ids, language=language, left_out=units.dropped, known=bool(batch.duplicates))
        )
    if standing.summary:
        texts.append(_summary(len(removed), standing.summary, language))
        _take_over(talk, standing.before, language)
    return _stand(talk, removed, texts)


def _summary(messages: int, made: Summary, language: str) -> str:
    return summary(messages, made.text, language=language, extracts=made.extracts)


def _take_over(talk: Conversation, before: Collection[int], language: str) -> None:
    """What the new summary holds is said once. On other branches the new one may not stand: there the old one stays."""
    if held(talk).filter(parent__isnull=False).exists():
        return
    for one in placed(talk).filter(pk__in=before):
        one.content = taken_over(summarised(one.content)[0], language=language)
        one.save(update_fields=["content"])


def _stand(talk: Conversation, removed: Sequence[int], texts: Sequence[str]) -> str:
    """Before the first of the removed. What memory holds since then joins the prompts of this conversation."""
    for text in texts:
        Message.objects.create(
            owner_id=talk.owner_id,
            conversation=talk,
            role=Role.SYSTEM,
            content=text,
            indexable=False,
            place=removed[0],
        )
    Conversation.objects.filter(pk=talk.pk).update(hot_upto=None)
    return "\n".join(texts)


def cap_window(owner: Account, talk: Conversation) -> int:
    """Cut the window at its hard cap. What goes is in no entry by this, and a pointer says so. How many went."""
    forge = settings.FORGE
    with transaction.atomic():
        window = sight_of(talk).window()
        planned = cap(weighed(window), forge.MEMORY_MAX_HISTORY, forge.MEMORY_HARD_CAP_SLACK)
        if not planned.removed:
            return 0
        for start in range(0, len(planned.removed), 500):
            some = planned.removed[start : start + 500]
            held(talk).filter(pk__in=some).exclude(state=State.RUNNING).update(compacted=True)
        _stand(talk, planned.removed, [capped(len(planned.removed), language=owner.language)])
        tell(owner, THREAD, conversation=talk.pk, removed=len(planned.removed), kept=len(planned.kept), capped=True)
    log.warning(
        "hard cap conversation=%s messages=%d kept=%d cap=%d slack=%d memory=%s",
        talk.pk,
        len(planned.removed),
        len(planned.kept),
        forge.MEMORY_MAX_HISTORY,
        forge.MEMORY_HARD_CAP_SLACK,
        remembers(talk),
    )
    return len(planned.removed)
