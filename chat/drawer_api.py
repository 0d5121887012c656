"""The API's door to the drawer: the pinned messages."""

from __future__ import annotations

from typing import Annotated

from ninja import Query, Router, Schema
from pydantic import Field

from chat import drawer
from chat.api import ConversationId, MessageOut
from chat.models import Message
from forgesite.auth import Request
from forgesite.schemas import LARGEST_ID, In, QueryIn, answers

router = Router(tags=["chat"])
MessageId = Annotated[int, Field(ge=1, le=LARGEST_ID)]


class PinnedOut(MessageOut):
    conversation: str
    title: str = Field(description="Of its conversation.")


class DrawerQuery(QueryIn):
    conversation: ConversationId | None = Field(None, description="Empty: of every one but the temporary ones.")


class PinIn(In):
    message_id: MessageId
    partner: bool = Field(True, description="With it the question or the answer beside it in its branch.")


class UnpinIn(In):
    message_id: MessageId
    partner: bool = Field(False, description="Taken and without effect: only the message that is named is unpinned.")


class DrawerOut(Schema):
    ok: bool
    messages: list[int] = Field(description="The messages that were pinned, or unpinned.")
    count: int = Field(description="How many their conversation has in the drawer now.")


@router.get("/drawer", response=answers(list[PinnedOut], 404), summary="The pinned messages")
def messages(request: Request, query: Query[DrawerQuery]) -> list[PinnedOut]:
    """Rows as `/history` has them, on whichever branch they are, in their order, each with its conversation."""
    return [_pinned(row) for row in drawer.drawer(request.auth, query.conversation)]


@router.post("/drawer/pin", response=answers(DrawerOut, 404), summary="Pin a message")
def pin(request: Request, body: PinIn) -> DrawerOut:
    """Question and answer together, unless `partner` is false. What was compacted is in the window again."""
    return _out(drawer.pin(request.auth, body.message_id, partner=body.partner))


@router.post("/drawer/unpin", response=answers(DrawerOut, 404), summary="Unpin a message")
def unpin(request: Request, body: UnpinIn) -> DrawerOut:
    """Only the one that is named."""
    return _out(drawer.unpin(request.auth, body.message_id))


def _pinned(row: Message) -> PinnedOut:
    told = MessageOut.model_validate(row).model_dump()
    return PinnedOut(**told, conversation=row.conversation_id, title=row.conversation.title)


def _out(pinned: drawer.Pinned) -> DrawerOut:
    return DrawerOut(ok=True, messages=[row.pk for row in pinned.messages], count=pinned.count)
