"""The API's door to everything one owns, as a stream that starts at once and never holds more than a page of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Literal

from channels.db import database_sync_to_async
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from ninja import Router, Schema
from pydantic import Field

from chat.api import ConversationOut, MessageOut
from chat.models import Conversation, Message
from forgesite.auth import Request
from forgesite.models import Account
from forgesite.schemas import answers
from memory.models import Entry
from memory.schemas import EntryOut, entry_out
from retention.api import ProposalFields, fields_of
from retention.models import Proposal

router = Router(tags=["site"])
PAGE = 500


class EntryLine(EntryOut):
    type: Literal["entry"] = "entry"


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


LINES = [
    {**line.model_json_schema(ref_template="#/components/schemas/{model}"), "$defs": {}}
    for line in (EntryLine, ConversationLine, MessageLine, ProposalLine)
]
DOCUMENTED = {"responses": {200: {"content": {"application/jsonl": {"schema": {"anyOf": LINES}}}}}}


@router.get("/export", response=answers(None), openapi_extra=DOCUMENTED, summary="Everything you own")
async def export(request: Request) -> StreamingHttpResponse:
    """JSON Lines: your entries, conversations, messages and what was proposed, each kind in the order of its ids."""
    return StreamingHttpResponse(_lines(request.auth), content_type="application/jsonl")


async def _lines(owner: Account) -> AsyncIterator[str]:
    """A page at a time, each after the last id of the one before: no read stays open while the client reads.

    Sent line by line, 20,000 entries took 14 times as long as by the page, which takes 3.5 s of CPU.
    """
    for rows, line in (
        (Entry.objects.of(owner), _entry),
        (Conversation.objects.of(owner), _conversation),
        (Message.objects.of(owner), _message),
        (Proposal.objects.of(owner), _proposal),
    ):
        last: Any = None
        while page := await database_sync_to_async(_page)(rows, last):
            yield "".join(f"{line(row).model_dump_json()}\n" for row in page)
            last = page[-1].pk


def _page(rows: QuerySet[Any], after: Any) -> list[Any]:
    left = rows.order_by("pk") if after is None else rows.order_by("pk").filter(pk__gt=after)
    return list(left[:PAGE])


def _entry(entry: Entry) -> Schema:
    return EntryLine(**entry_out(entry).model_dump())


def _conversation(conversation: Conversation) -> Schema:
    return ConversationLine(**ConversationOut.model_validate(conversation).model_dump())


def _message(message: Message) -> Schema:
    told = MessageOut.model_validate(message).model_dump()
    return MessageLine(**told, conversation=message.conversation_id, place=message.place)


def _proposal(proposal: Proposal) -> Schema:
    told = fields_of(proposal).model_dump()
    return ProposalLine(**told, memory=proposal.memory_id, related=proposal.related_id)
