"""What one conversation of an export adds to what is here already. Nothing is written: a preview ends here."""

from __future__ import annotations

from dataclasses import dataclass

from chat.domain import transcript
from chat.domain.increment import Increment, increment
from chat.domain.transcript import Unit
from chat.import_report import Brought, Counts
from chat.importers.imported import ImportedConversation, ImportedMessage
from chat.models import Conversation
from forgesite.models import Account
from memory.domain.wording import LARGEST, is_degenerate, size
from memory.models import Kind, Origin
from memory.remember import Draft, unseen


@dataclass(frozen=True)
class Known:
    """What earlier imports brought of a conversation. `id` is empty for a new one."""

    id: str = ""
    messages: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Plan:
    """`drafts` are the exchanges that memory does not hold in the very same words."""

    talk: ImportedConversation
    known: Known
    adds: Increment
    drafts: tuple[Draft, ...]
    duplicates: int
    unindexed: int


def plan_of(owner: Account, talk: ImportedConversation, known: Known | None = None) -> Plan:
    """The plan as things stand, or as they would stand with `known`."""
    known = known or known_of(owner, talk)
    said = [transcript.Message(message.role, message.text) for message in talk.messages]
    adds = increment(said, [message.source_id in known.messages for message in talk.messages])
    usable = [_draft(talk, unit) for unit in adds.new if not is_degenerate(unit.text) and size(unit.text) <= LARGEST]
    fresh = unseen(owner, usable)
    unindexed = adds.dropped + len(adds.new) - len(usable)
    return Plan(talk, known, adds, tuple(fresh), len(usable) - len(fresh), unindexed)


def known_of(owner: Account, talk: ImportedConversation) -> Known:
    row = Conversation.objects.of(owner).filter(source=talk.source).first()
    if row is None:
        return Known()
    return Known(row.pk, frozenset(row.messages.exclude(source="").values_list("source", flat=True)))


def known_after(plan: Plan) -> Known:
    return Known(plan.known.id, plan.known.messages | {message.source_id for message in plan.talk.messages})


def _draft(talk: ImportedConversation, unit: Unit) -> Draft:
    return Draft(
        text=unit.text,
        kind=Kind.EXCHANGE,
        origin=Origin.IMPORT,
        said_at=first_of(talk, unit).at,
        source=source_of(talk, unit),
    )


def source_of(talk: ImportedConversation, unit: Unit) -> str:
    """`<format>:<conversation>:<message>`: an exchange is known by what the person said in it."""
    return f"{talk.source}:{first_of(talk, unit).source_id}"


def first_of(talk: ImportedConversation, unit: Unit) -> ImportedMessage:
    return talk.messages[unit.messages[0].ref or 0]


def brought(plan: Plan, id: str) -> Brought:
    """The plan as a report tells it, carried out or not."""
    talk, adds = plan.talk, plan.adds
    fresh = not plan.known.messages
    return Brought(
        id,
        talk.title,
        talk.format,
        new=Counts(int(fresh), len(adds.messages), len(plan.drafts)),
        there=Counts(int(not fresh), len(talk.messages) - len(adds.messages), len(adds.there) + len(adds.grown)),
        completed=len(adds.grown),
        duplicates=plan.duplicates,
        unindexed=plan.unindexed,
        notes=talk.notes,
    )
