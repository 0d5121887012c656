"""What the conversations of an export add to what is here already. Nothing is written: a preview ends here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from chat.domain import transcript
from chat.domain.increment import Increment, increment
from chat.domain.transcript import Unit
from chat.importers import forge_export
from chat.importers.imported import ImportedConversation, ImportedMessage
from chat.intake.report import Brought, Counts
from chat.models import Conversation, Message
from forgesite.models import Account
from memory.domain.wording import LARGEST, is_degenerate, size
from memory.erasing.tombstones import forgotten
from memory.known import Known as Seen
from memory.models import Kind, Origin
from memory.remember import Draft, unseen


@dataclass(frozen=True)
class Known:
    """What earlier imports brought of a conversation. `id` is empty for a new one."""

    id: str = ""
    messages: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Plan:
    """`drafts` are the exchanges that memory does not hold in the very same words, and of which none was forgotten."""

    talk: ImportedConversation
    known: Known
    adds: Increment
    drafts: tuple[Draft, ...]
    duplicates: int
    unindexed: int
    forgotten: int = 0


@dataclass
class Foreseen:
    """What plans not carried out yet will have brought: conversations by source, the words of exchanges, entries."""

    known: dict[str, Known] = field(default_factory=dict)
    texts: set[str] = field(default_factory=set)
    entries: Seen = field(default_factory=Seen)


def plans_of(owner: Account, talks: Sequence[ImportedConversation], foreseen: Foreseen) -> list[Plan]:
    """A plan for each, as things will stand after the ones before it. The database is asked for all at once."""
    foreseen.known |= known_of(owner, [talk.source for talk in talks if talk.source not in foreseen.known])
    foreseen.known |= _own(owner, talks)
    outlines = [_outline(talk, foreseen) for talk in talks]
    drafts = [draft for outline in outlines for draft in outline.drafts]
    gone = {draft.source for draft in forgotten(owner, drafts)}
    unknown = unseen(owner, [draft for draft in drafts if draft.source not in gone])
    fresh = {draft.source for draft in unknown if draft.text not in foreseen.texts}
    foreseen.texts.update(draft.text for draft in unknown)
    return [_of_the_fresh(outline, fresh, gone) for outline in outlines]


def known_of(owner: Account, sources: Sequence[str]) -> dict[str, Known]:
    """By source, also of those that nothing is known of."""
    ids = dict(Conversation.objects.of(owner).filter(source__in=sources).values_list("source", "id"))
    messages = Message.objects.of(owner).filter(conversation__in=ids.values()).exclude(source="")
    said: defaultdict[str, set[str]] = defaultdict(set)
    for conversation, message in messages.values_list("conversation_id", "source"):
        said[conversation].add(message)
    return {source: Known(ids.get(source, ""), frozenset(said[ids.get(source, "")])) for source in sources}


def _own(owner: Account, talks: Sequence[ImportedConversation]) -> dict[str, Known]:
    """Of those that were exported here and are here still: as they are, whatever was taken out of them since."""
    exported = {talk.source_id: talk for talk in talks if talk.format == forge_export.FORMAT}
    here = Conversation.objects.of(owner).filter(pk__in=exported).values_list("pk", flat=True)
    return {exported[pk].source: Known(pk, frozenset(said.source_id for said in exported[pk].messages)) for pk in here}


def _outline(talk: ImportedConversation, foreseen: Foreseen) -> Plan:
    known = foreseen.known[talk.source]
    said = [transcript.Message(message.role, message.text, message.indexable) for message in talk.messages]
    adds = increment(said, [message.source_id in known.messages for message in talk.messages])
    usable = [_draft(talk, unit) for unit in adds.new if not is_degenerate(unit.text) and size(unit.text) <= LARGEST]
    after = known.messages | {message.source_id for message in talk.messages}
    foreseen.known[talk.source] = Known(known.id, after)
    return Plan(talk, known, adds, tuple(usable), 0, adds.dropped + len(adds.new) - len(usable))


def _of_the_fresh(outline: Plan, fresh: set[str], gone: set[str]) -> Plan:
    drafts = tuple(draft for draft in outline.drafts if draft.source in fresh)
    buried = sum(draft.source in gone for draft in outline.drafts)
    return replace(outline, drafts=drafts, duplicates=len(outline.drafts) - len(drafts) - buried, forgotten=buried)


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
        forgotten=plan.forgotten,
        notes=talk.notes,
    )
