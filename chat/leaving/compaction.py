"""Take old messages out of a conversation's window: their units into memory, a pointer or a summary in their place.

    window ── plan ── units ── embed, summarise ── one transaction: entries · messages marked · what stands for them
                                                   or none of it, and the history is as it was

The rows stay in the conversation. What was written meanwhile is newer than the cut, and is not touched.
"""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils.translation import gettext as _

from chat.branches import held, sight_of
from chat.domain.compaction import Limits, Plan, plan
from chat.embedding_ahead import Ahead, ahead
from chat.errors import BusyError, DisabledError
from chat.history import conversation_of, latest
from chat.leaving import standing
from chat.leaving.compacting import lease, remembers
from chat.leaving.standing import StandIn
from chat.leaving.units import Units, units_of
from chat.leaving.weighing import limits, weighed
from chat.models import Conversation, Message, State
from chat.notices import COMPACTING, COMPACTION_FAILED, THREAD, tell
from forgesite.errors import ForgeError
from forgesite.lib.embeddings import Door
from memory.folds import job as fold_job
from memory.models import Origin
from memory.remember import Batch, remember_many, unseen

if TYPE_CHECKING:
    from forgesite.models import Account

log = logging.getLogger(__name__)
#: How often it begins anew where somebody changed what it was about to take.
TRIES = 3
ROWS_AT_ONCE = 500


@dataclass(frozen=True)
class Compacted:
    """`removed` and `kept` count messages of the window, `dropped` those of the removed that are in no entry.

    `units` went to memory: `stored` are new entries, `duplicates` were there. `pointer`: what stands for them.
    """

    removed: int
    kept: int
    units: int = 0
    stored: int = 0
    duplicates: int = 0
    dropped: int = 0
    pointer: str = ""


@dataclass(frozen=True)
class Work:
    """A compaction that is ready to be written: nothing more is asked of anybody."""

    talk: Conversation
    plan: Plan
    limits: Limits
    messages: tuple[Message, ...]
    units: Units
    stand_in: StandIn
    door: Ahead | None


def compact(owner: Account, conversation: str = "", *, forced: bool = False, door: Door | None = None) -> Compacted:
    """Where a trigger fires, or `forced`. Nothing to take: nothing is removed. `door`: an embedder other than served.

    Without a conversation it is the one that moved last.

    Raises, with nothing changed: UnknownError, BusyError while another compacts it, DisabledError where nothing of the
    conversation may enter memory, EmbeddingError.
    """
    talk = conversation_of(owner, conversation) if conversation else latest(owner)
    if talk is None:
        return Compacted(0, 0)
    refuse_private(talk)
    with lease(talk):
        return under_lease(owner, talk, forced=forced, door=door)


def refuse_private(talk: Conversation) -> None:
    if talk.temporary:
        raise DisabledError(_("This conversation is temporary: nothing of it enters memory."))
    if not remembers(talk):
        raise DisabledError(_("Memory is off (MEMORY_ENABLED=false): nothing enters it, so nothing is compacted."))


def by_itself(owner: Account, talk: Conversation, *, window: int | None = None) -> None:
    """What the worker does when an exchange was stored. A failure is told to the open pages, and the cap comes after.

    While somebody else compacts it there is nothing to do.
    """
    with lease(talk):
        try:
            if settings.FORGE.COMPACTION_ENABLED and remembers(talk):
                under_lease(owner, talk, model_window=window)
        except (ForgeError, DatabaseError) as error:
            code = getattr(error, "code", "store")
            log.warning("compaction failed conversation=%s why=%s %s", talk.pk, code, error)
            tell(owner, COMPACTION_FAILED, conversation=talk.pk, why=code, message=getattr(error, "message", ""))
        finally:
            standing.cap_window(owner, talk)


def under_lease(
    owner: Account,
    talk: Conversation,
    *,
    forced: bool = False,
    model_window: int | None = None,
    door: Door | None = None,
) -> Compacted:
    """The caller holds the conversation."""
    for _try in range(TRIES):
        window = tuple(sight_of(talk).window())
        in_force = limits(window, model_window)
        planned = plan(weighed(window), in_force, forced=forced)
        if not planned.removed:
            return Compacted(0, len(window))
        tell(owner, COMPACTING, conversation=talk.pk, messages=len(planned.removed))
        work = _prepared(talk, planned, in_force, window, door)
        if done := _written(owner, work):
            return done
    raise BusyError(_("The conversation changed while it was compacted. Nothing was changed; try again."))


def _prepared(
    talk: Conversation, planned: Plan, in_force: Limits, window: tuple[Message, ...], door: Door | None
) -> Work:
    """All that takes its time: no transaction is open meanwhile. What memory holds already is embedded by nobody."""
    units = units_of(talk, window, frozenset(planned.removed))
    before = Ahead(door) if door else ahead()
    if before:
        before.prepare([draft.text for draft in unseen(talk.owner, units.drafts)])
    stand_in = standing.stand_in(talk, units)
    return Work(talk, planned, in_force, window, units, stand_in, before)


def _written(owner: Account, work: Work) -> Compacted | None:
    """None: somebody changed what was to be taken, and nothing was written."""
    try:
        with transaction.atomic():
            if standing.is_stale(work.talk, work.units, work.stand_in):
                raise _ChangedError
            _claim(work)
            batch = remember_many(
                owner, work.units.drafts, actor=Origin.COMPACTION, cause=f"compaction {work.talk.pk}", door=work.door
            )
            pointer = standing.put(work.talk, work.plan.removed, batch, work.units, work.stand_in)
            done = _counted(work, batch, pointer)
            tell(owner, THREAD, conversation=work.talk.pk, removed=done.removed, kept=done.kept, stored=done.stored)
    except _ChangedError:
        return None
    _log(work, batch, done)
    fold_job.after_compaction(owner)
    return done


class _ChangedError(Exception):
    """A message that was to be taken is not what it was, or something of it was forgotten."""


def _claim(work: Work) -> None:
    """Mark the messages, if each is what it was when the units were made of it."""
    texts = {one.pk: (one.content, one.indexable, one.answered) for one in work.messages}
    for start in range(0, len(work.plan.removed), ROWS_AT_ONCE):
        some = work.plan.removed[start : start + ROWS_AT_ONCE]
        rows = held(work.talk).filter(pk__in=some, compacted=False, pinned=False).exclude(state=State.RUNNING)
        now = {pk: rest for pk, *rest in rows.values_list("pk", "content", "indexable", "answered")}
        if any(now.get(pk) != list(texts[pk]) for pk in some):
            raise _ChangedError
        rows.update(compacted=True)


def _counted(work: Work, batch: Batch, pointer: str) -> Compacted:
    return Compacted(
        removed=len(work.plan.removed),
        kept=len(work.plan.kept),
        units=len(work.units.drafts),
        stored=len(batch.entries),
        duplicates=batch.duplicates,
        dropped=work.units.dropped,
        pointer=pointer,
    )


def _log(work: Work, batch: Batch, done: Compacted) -> None:
    """Each message is counted once (kept + dropped), and so is each unit (stored + duplicates + forgotten)."""
    ids = sorted(entry.pk for entry in batch.entries)
    tokens = {row.id: row.tokens for row in weighed(work.messages)}
    facts = {
        "conversation": work.talk.pk,
        "messages": done.removed,
        "kept": done.removed - done.dropped,
        "dropped": done.dropped,
        "units": done.units,
        "stored": done.stored,
        "duplicates": done.duplicates,
        "forgotten": batch.forgotten,
        "first": ids[0] if ids else "-",
        "last": ids[-1] if ids else "-",
        "left_out": ",".join(f"{why}:{count}" for why, count in sorted(work.units.why.items())) or "-",
        "strategy": settings.FORGE.COMPACTION_STRATEGY,
        "triggers": ",".join(work.plan.triggers),
        "window": f"{len(work.messages)}->{done.kept}",
        "tokens": f"{sum(tokens.values())}->{sum(tokens[pk] for pk in work.plan.kept)}",
        "pinned": sum(one.pinned for one in work.messages),
        "below_keep_recent": work.plan.below_keep_recent,
        **{f"limit_{name}": value for name, value in asdict(work.limits).items()},
    }
    log.info("compaction %s", " ".join(f"{name}={value}" for name, value in facts.items()))
