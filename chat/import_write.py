"""One conversation of an export, written: its messages and its entries in one transaction."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction

from chat.domain.increment import Growth
from chat.embedding_ahead import Ahead
from chat.import_plan import Plan, brought, plan_of, source_of
from chat.import_report import Brought
from chat.importers.imported import ImportedConversation, ImportedMessage
from chat.models import Conversation, Message, Role
from forgesite.models import Account
from memory.domain.non_answers import is_non_answer
from memory.domain.wording import LARGEST, size
from memory.models import Entry, Status
from memory.remember import Draft, remember_many
from memory.revise import Changes, revise

ACTOR = "import"
ROWS_AT_ONCE = 500


def bring(owner: Account, talk: ImportedConversation, door: Ahead | None) -> Brought:
    """Add what is new of it. A conversation that is all there is only read."""
    plan = plan_of(owner, talk)
    for growth in plan.adds.grown:
        _complete(owner, talk, growth)
    if not plan.adds.messages:
        return brought(plan, plan.known.id)
    # The vectors took their time outside of the transaction, and another import may have been faster: what counts is
    # the plan made inside. Whatever that adds is embedded inside, too; it is next to never anything.
    with transaction.atomic():
        plan = plan_of(owner, talk)
        row, ids = _write_thread(owner, plan)
        drafts = [_placed(draft, row, ids) for draft in plan.drafts]
        remember_many(owner, drafts, actor=ACTOR, cause=_cause(talk), door=door)
    return brought(plan, row.pk)


def _complete(owner: Account, talk: ImportedConversation, growth: Growth) -> None:
    """The entry of an exchange that had not its whole answer, unless a person changed or put it away meanwhile.

    Done before the messages are stored: after a kill in between, the next import finds it complete and goes on.
    """
    entry = Entry.objects.of(owner).filter(source=source_of(talk, growth.unit), status=Status.ACTIVE).first()
    if entry is not None and entry.text == growth.before and size(growth.unit.text) <= LARGEST:
        changes = Changes(text=growth.unit.text)
        revise(owner, entry.pk, changes, version=entry.version, actor=ACTOR, cause=_cause(talk))


def _write_thread(owner: Account, plan: Plan) -> tuple[Conversation, dict[str, int]]:
    """The conversation with its new messages, and their ids by the ids of the export."""
    row = _conversation(owner, plan.talk, plan.known.id)
    rows = [_message(owner, row, plan.talk.messages[place]) for place in plan.adds.messages]
    return row, {message.source: message.pk for message in Message.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)}


def _conversation(owner: Account, talk: ImportedConversation, id: str) -> Conversation:
    if not id:
        return Conversation.objects.create(
            owner=owner,
            source=talk.source,
            title=talk.title,
            archived=talk.archived,
            created_at=talk.created,
            updated_at=talk.updated,
        )
    row: Conversation = Conversation.objects.one_of(owner, id=id)
    if talk.updated > row.updated_at:
        row.updated_at = talk.updated
        row.save(update_fields=["updated_at"])
    return row


def _message(owner: Account, row: Conversation, said: ImportedMessage) -> Message:
    return Message(
        owner=owner,
        conversation=row,
        role=said.role,
        content=said.text,
        answered=said.role == Role.USER or not is_non_answer(said.text),
        created_at=said.at,
        source=said.source_id,
    )


def _placed(draft: Draft, row: Conversation, ids: dict[str, int]) -> Draft:
    """The draft with its place in our thread. If its question came with an earlier import, it names no message."""
    return replace(draft, conversation=row.pk, message=ids.get(draft.source.removeprefix(f"{row.source}:")))


def _cause(talk: ImportedConversation) -> str:
    return f"import {talk.source}"
