"""The API's door to compaction."""

from __future__ import annotations

from ninja import Router, Schema
from pydantic import Field

from chat.api import ConversationId
from chat.leaving import compaction
from forgesite.auth import Request
from forgesite.schemas import In, answers
from forgesite.throttle import counted

router = Router(tags=["chat"])


class CompactIn(In):
    conversation: ConversationId | None = Field(None, description="Empty: the one that moved last.")


class CompactedOut(Schema):
    removed: int = Field(description="Messages that left the window. They stay in the conversation.")
    kept: int = Field(description="Messages that are in it.")
    units: int = Field(description="Exchanges among the removed that memory was given.")
    stored: int = Field(description="New entries.")
    duplicates: int = Field(description="Exchanges that memory holds word for word already.")
    dropped: int = Field(description="Removed messages that are in no entry: marked, without an answer, or too large.")


@router.post(
    "/compact", response=answers(CompactedOut, 404, 409, 429, 502), throttle=counted, summary="Compact a conversation"
)
def compact(request: Request, body: CompactIn) -> CompactedOut:
    """Moves all but the newest messages into memory now, whatever its size. Pinned ones stay.

    409 `busy`: a job compacts it; `disabled`: it is temporary, or memory is off. 502: nothing was changed.
    """
    done = compaction.compact(request.auth, body.conversation or "", forced=True)
    return CompactedOut.model_validate(done, from_attributes=True)
