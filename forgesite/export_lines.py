"""The lines of an export: one shape for each kind of row, and the proofs as they are hashed, so that anybody can."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from django.db.models import QuerySet
from ninja import Schema
from pydantic import Field

from chat.api import ConversationOut, MessageOut
from chat.models import Conversation, Message
from chat.why_api import ReceiptPart, part_of
from forgesite.models import Account
from memory.domain.chain import moment
from memory.models import Commit, Entry, Erasure, Receipt
from memory.schemas import EntryOut, entry_out
from retention.api import ProposalFields, fields_of
from retention.models import Proposal
from traces.api import TraceOut
from traces.models import Run
from traces.records import record

#: Rows that are read at once. One commit of an import states a thousand entries, and a receipt names a hundred.
PAGE, FEW_RECEIPTS, FEW_COMMITS = 500, 100, 10


class EntryLine(EntryOut):
    type: Literal["entry"] = "entry"
    digest: str = Field(
        description="What commits and receipts say of its words: SHA-256 of `salt` and `[content, project, key, "
        "event_words]` as canonical JSON."
    )
    salt: str


class ConversationLine(ConversationOut):
    type: Literal["conversation"] = "conversation"


class MessageLine(MessageOut):
    type: Literal["message"] = "message"
    conversation: str
    place: int | None = Field(
        description="Of a pointer or a summary: the first of the compacted messages that it stands for."
    )


class ProposalLine(ProposalFields):
    type: Literal["proposal"] = "proposal"
    memory: int | None = Field(description="The entry that would change, by its id.")
    related: int | None = Field(description="The other, newer one, by its id.")


class RunLine(TraceOut):
    type: Literal["run"] = "run"


class ReceiptLine(ReceiptPart):
    """Words that are erased stay so: without its salt nobody can try a guess at a digest."""

    type: Literal["receipt"] = "receipt"
    salt: str = Field(
        description="A question in `body` is SHA-256 of this and of its words as canonical JSON; empty where erased."
    )
    prefix_salt: str = Field(description="The same of what the prompt began with.")


class CommitLine(Schema):
    """The line without `type` and `address`, as canonical JSON (compact, sorted keys, UTF-8), hashes to `address`."""

    type: Literal["commit"] = "commit"
    address: str
    v: int
    owner: int
    tick: int
    parent: str
    at: str
    actor: str
    cause: str
    changes: Any = Field(description="Words by salted digest.")


class CertificateLine(Schema):
    """Of an act of forgetting. `report` as canonical JSON hashes to `address`."""

    type: Literal["certificate"] = "certificate"
    address: str
    commit: str
    at: str
    report: Any


SHAPES = (
    *(EntryLine, ConversationLine, MessageLine, ProposalLine),
    *(RunLine, ReceiptLine, CommitLine, CertificateLine),
)


@dataclass(frozen=True)
class Page:
    """Some lines, and the key of the last row that made one; `text` empty where none is left."""

    text: str
    last: Any


@dataclass(frozen=True)
class Kind:
    """The rows of an owner that make lines, and how many of them are read at once."""

    rows: QuerySet[Any]
    line: Callable[[Any], Schema]
    page: int = PAGE

    def after(self, last: Any) -> Page:
        """The next ones; `last` None: the first."""
        left = self.rows.order_by("pk") if last is None else self.rows.order_by("pk").filter(pk__gt=last)
        rows = list(left[: self.page])
        text = "".join(f"{self.line(row).model_dump_json()}\n" for row in rows)
        return Page(text, rows[-1].pk if rows else last)


def kinds(owner: Account) -> tuple[Kind, ...]:
    return (
        Kind(Entry.objects.of(owner), _entry),
        Kind(Conversation.objects.of(owner), _conversation),
        Kind(Message.objects.of(owner), _message),
        Kind(Proposal.objects.of(owner), _proposal),
        Kind(Run.objects.of(owner).prefetch_related("steps"), _run),
        Kind(Receipt.objects.of(owner), _receipt, FEW_RECEIPTS),
        Kind(Commit.objects.of(owner), _commit, FEW_COMMITS),
        Kind(Erasure.objects.of(owner), _certificate),
    )


def pages(owner: Account) -> Iterator[str]:
    """All lines, some at a time; no read stays open while the caller writes them."""
    for kind in kinds(owner):
        page = kind.after(None)
        while page.text:
            yield page.text
            page = kind.after(page.last)


def _entry(entry: Entry) -> Schema:
    return EntryLine(**entry_out(entry).model_dump(), digest=entry.digest, salt=entry.salt)


def _conversation(conversation: Conversation) -> Schema:
    return ConversationLine(**ConversationOut.model_validate(conversation).model_dump())


def _message(message: Message) -> Schema:
    told = MessageOut.model_validate(message).model_dump()
    return MessageLine(**told, conversation=message.conversation_id, place=message.place)


def _proposal(proposal: Proposal) -> Schema:
    told = fields_of(proposal).model_dump()
    return ProposalLine(**told, memory=proposal.memory_id, related=proposal.related_id)


def _run(run: Run) -> Schema:
    return RunLine.model_validate(record(run))


def _receipt(receipt: Receipt) -> Schema:
    return ReceiptLine(**part_of(receipt).model_dump(), salt=receipt.salt, prefix_salt=receipt.prefix_salt)


def _commit(commit: Commit) -> Schema:
    return CommitLine(
        address=commit.address,
        v=commit.form,
        owner=commit.owner_id,
        tick=commit.tick,
        parent=commit.parent,
        at=moment(commit.at) or "",
        actor=commit.actor,
        cause=commit.cause,
        changes=commit.changes,
    )


def _certificate(made: Erasure) -> Schema:
    return CertificateLine(address=made.address, commit=made.commit, at=moment(made.at) or "", report=made.report)
