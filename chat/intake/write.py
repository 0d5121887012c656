"""A few conversations of an export, written: their messages and their entries in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from django.db import transaction
from django.db.models import Max

from chat.branches import held, newest_id
from chat.domain.branches import NOTHING
from chat.domain.increment import Growth
from chat.embedding_ahead import Ahead
from chat.importers.imported import ImportedConversation, ImportedMessage
from chat.intake.plan import Foreseen, Plan, brought, plans_of, source_of
from chat.intake.report import Brought
from chat.models import Conversation, Message, Role
from forgesite.models import Account
from memory.domain.non_answers import is_non_answer
from memory.domain.wording import LARGEST, size
from memory.errors import PersonsEntryError, StaleVersionError
from memory.models import Entry
from memory.remember import Draft, remember_many
from memory.revise import Changes, revise

ACTOR = "import"
ROWS_AT_ONCE = 500


def bring(owner: Account, talks: Sequence[ImportedConversation], door: Ahead | None) -> list[Brought]:
    """Add what is new of them. Several share a transaction, as one for each would cost four times as much."""
    plans = plans_of(owner, talks, Foreseen())
    for plan in plans:
        for growth in plan.adds.grown:
            _complete(owner, plan.talk, growth)
    if not any(plan.adds.messages for plan in plans):
        return [brought(plan, plan.known.id) for plan in plans]
    if door:
        door.prepare([draft.text for plan in plans for draft in plan.drafts])
    return _write(owner, talks, door)


@transaction.atomic
def _write(owner: Account, talks: Sequence[ImportedConversation], door: Ahead | None) -> list[Brought]:
    """The vectors took their time, and another import may have been faster: what counts are the plans made here.

    Whatever they hold that was not embedded ahead is embedded here; it is next to never anything.
    """
    plans = plans_of(owner, talks, Foreseen())
    rows = _conversations(owner, plans)
    said = [message for plan in plans for message in _messages(owner, rows[plan.talk.source], plan)]
    stored = Message.objects.bulk_create(said, batch_size=ROWS_AT_ONCE)
    said_ids = {(message.conversation_id, message.source): message.pk for message in stored}
    drafts = [_placed(plan, draft, rows[plan.talk.source], said_ids) for plan in plans for draft in plan.drafts]
    batch = remember_many(owner, drafts, actor=ACTOR, cause=_cause(talks), door=door)
    waiting = Counter(entry.conversation for entry in batch.waiting)
    ids = {plan.talk.source: rows[plan.talk.source].pk for plan in plans}
    return [replace(brought(plan, ids[plan.talk.source]), waiting=waiting[ids[plan.talk.source]]) for plan in plans]


def _conversations(owner: Account, plans: Sequence[Plan]) -> dict[str, Conversation]:
    """By source: the new ones made, the known ones as new as what they were given."""
    new = {plan.talk.source: _conversation(owner, plan.talk) for plan in plans if not plan.known.id}
    Conversation.objects.bulk_create(new.values(), batch_size=ROWS_AT_ONCE)
    held = Conversation.objects.of(owner).in_bulk([plan.known.id for plan in plans if plan.known.id])
    for plan in plans:
        row = held.get(plan.known.id)
        if row and plan.adds.messages and plan.talk.updated > row.updated_at:
            row.updated_at = plan.talk.updated
            row.save(update_fields=["updated_at"])
    return new | {plan.talk.source: held[plan.known.id] for plan in plans if plan.known.id}


def _conversation(owner: Account, talk: ImportedConversation) -> Conversation:
    return Conversation(
        owner=owner,
        source=talk.source,
        title=talk.title,
        archived=talk.archived,
        created_at=talk.created,
        updated_at=talk.updated,
    )


def _complete(owner: Account, talk: ImportedConversation, growth: Growth) -> None:
    """The entry of an exchange that had not its whole answer, unless a person changed, pinned or put it away meanwhile.

    Done before the messages are stored: after a kill in between, the next import finds it complete and goes on.
    """
    entry = Entry.objects.of(owner).standing().filter(source=source_of(talk, growth.unit)).first()
    if entry is not None and entry.text == growth.before and size(growth.unit.text) <= LARGEST:
        changes = Changes(text=growth.unit.text)
        with suppress(PersonsEntryError, StaleVersionError):
            revise(owner, entry.pk, changes, version=entry.version, actor=ACTOR, cause=_cause([talk]))


def _messages(owner: Account, row: Conversation, plan: Plan) -> list[Message]:
    said = [_message(owner, row, plan.talk.messages[place]) for place in plan.adds.messages]
    if said and plan.known.id:
        said[0].parent = _beside(row)
    return said


def _beside(row: Conversation) -> int | None:
    """What the new messages follow: the last imported one, where the conversation went on here since.

    They become a branch beside what was said here, and that one stays in sight. None where nothing was.
    """
    imported = held(row).exclude(source="").aggregate(last=Max("id"))["last"] or NOTHING
    newest = newest_id(row)
    if imported == newest:
        return None
    Conversation.objects.filter(pk=row.pk, tip=None).update(tip=newest)
    return imported


def _message(owner: Account, row: Conversation, said: ImportedMessage) -> Message:
    return Message(
        owner=owner,
        conversation=row,
        role=said.role,
        content=said.text,
        answered=said.role == Role.USER or not is_non_answer(said.text),
        pinned=said.pinned,
        indexable=said.indexable,
        created_at=said.at,
        source=said.source_id,
    )


def _placed(plan: Plan, draft: Draft, row: Conversation, ids: dict[tuple[str, str], int]) -> Draft:
    """The draft with its place in our thread. If its question came with an earlier import, it names no message."""
    said = draft.source.removeprefix(f"{plan.talk.source}:")
    return replace(draft, conversation=row.pk, message=ids.get((row.pk, said)))


def _cause(talks: Sequence[ImportedConversation]) -> str:
    more = f" +{len(talks) - 1}" if len(talks) > 1 else ""
    return f"import {talks[0].source}{more}"
