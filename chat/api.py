"""The API's door to conversations: one turn, and the history."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

from django.db.models import QuerySet
from ninja import Query, Router, Schema
from pydantic import Field

from chat import history
from chat.models import Conversation, Message, Role, State
from chat.outcome import complete
from chat.turn import TurnRequest
from forgesite.auth import Request
from forgesite.schemas import LARGEST_ID, In, QueryIn, answers
from forgesite.throttle import counted

router = Router(tags=["chat"])
ConversationId = Annotated[str, Field(max_length=32)]


class ChatIn(In):
    message: str = Field(description="What you say, up to 1 MiB. `!help` lists the commands.")
    conversation: ConversationId | None = Field(None, description="Empty: a new conversation.")
    client_id: Annotated[str, Field(max_length=64)] | None = Field(
        None, description="Your own id of this message: sent twice, it makes one message and one run."
    )
    temporary: bool = False


class ChatError(Schema):
    code: str
    message: str


class ChatStep(Schema):
    tool: str
    state: str
    preview: str


class ChatSaved(Schema):
    entry: Any = Field(description="The entry as it is stored.")
    echo: str
    notes: list[str]


class ChatRefused(Schema):
    rule: str
    text: str
    refusal: int | None = Field(description="POST /memory/refused/{refusal}/save saves it anyway.")
    message: str


class ChatOut(Schema):
    """`ok` false: `error` says why, and `output` holds the text so far."""

    output: str
    ok: bool
    not_answered: str | None
    error: ChatError | None
    run_id: str
    conversation: str
    message_id: int
    steps: list[ChatStep]
    saved: list[ChatSaved]
    refused: list[ChatRefused]
    usage: Any


class ConversationOut(Schema):
    id: str
    title: str
    pinned: bool
    archived: bool
    temporary: bool
    created_at: datetime
    updated_at: datetime
    source: str


class ConversationsQuery(QueryIn):
    q: Annotated[str, Field(max_length=1000)] = Field("", description="Looked for in titles and messages, as typed.")
    archived: bool = False
    limit: Annotated[int, Field(ge=1, le=500)] = 100
    offset: Annotated[int, Field(ge=0, le=10**9)] = 0


class ConversationIn(In):
    title: Annotated[str, Field(max_length=200)] = ""
    temporary: bool = False


class ConversationPatch(In):
    title: Annotated[str, Field(max_length=200)] | None = None
    pinned: bool | None = None
    archived: bool | None = None


class DeletedOut(Schema):
    ok: bool
    id: str


class MessageOut(Schema):
    id: int
    role: Role
    content: str
    state: State
    pinned: bool
    answered: bool
    indexable: bool
    created_at: datetime
    run_id: str


class HistoryQuery(QueryIn):
    conversation: ConversationId | None = Field(None, description="Empty: the one that moved last.")
    limit: Annotated[int, Field(ge=1, le=5000)] = Field(1000, description="The newest so many, oldest first.")
    before: Annotated[int, Field(ge=1, le=LARGEST_ID)] | None = Field(None, description="Only messages before this id.")


class ClearIn(In):
    conversation: ConversationId | None = None
    pinned: bool = Field(False, description="Pinned messages go too.")


class ClearedOut(Schema):
    removed: int


@router.post("/chat", response=answers(ChatOut, 400, 404, 409, 413, 429), throttle=counted, summary="One turn")
async def chat(request: Request, body: ChatIn) -> ChatOut:
    """Runs one turn to its end. 200 whenever a run was recorded: a model's failure is `ok: false` with `error`."""
    asked = TurnRequest(
        owner=request.auth,
        text=body.message,
        conversation=body.conversation or "",
        client_id=body.client_id or "",
        temporary=body.temporary,
        door="api",
    )
    return ChatOut.model_validate(asdict(await complete(asked)))


@router.get("/conversations", response=answers(list[ConversationOut]), summary="List or search conversations")
def conversations(request: Request, query: Query[ConversationsQuery]) -> QuerySet[Conversation]:
    """The newest first, without temporary ones."""
    found = history.conversations(request.auth, query.q, archived=query.archived)
    return found[query.offset : query.offset + query.limit]


@router.post("/conversations", response=answers(ConversationOut), summary="Begin a conversation")
def begin(request: Request, body: ConversationIn) -> Conversation:
    """An empty one. A turn without a conversation begins its own."""
    return history.create_conversation(request.auth, title=body.title, temporary=body.temporary)


@router.get("/conversations/{conversation_id}", response=answers(ConversationOut, 404), summary="One conversation")
def one(request: Request, conversation_id: str) -> Conversation:
    """Without its messages: `/history` has them."""
    return history.conversation_of(request.auth, conversation_id)


@router.patch(
    "/conversations/{conversation_id}", response=answers(ConversationOut, 404), summary="Rename, pin, archive"
)
def change(request: Request, conversation_id: str, body: ConversationPatch) -> Conversation:
    """Only what is sent changes."""
    if body.title is not None:
        history.rename_conversation(request.auth, conversation_id, body.title)
    return history.mark_conversation(request.auth, conversation_id, pinned=body.pinned, archived=body.archived)


@router.delete("/conversations/{conversation_id}", response=answers(DeletedOut, 404), summary="Delete a conversation")
def delete(request: Request, conversation_id: str) -> DeletedOut:
    """With its messages. What memory holds from it stays."""
    history.delete_conversation(request.auth, conversation_id)
    return DeletedOut(ok=True, id=conversation_id)


@router.get("/history", response=answers(list[MessageOut], 404), summary="The messages of a conversation")
def messages(request: Request, query: Query[HistoryQuery]) -> list[Message]:
    """In full, oldest first."""
    thread = history.thread(request.auth, query.conversation)
    return [one for one in thread if query.before is None or one.pk < query.before][-query.limit :]


@router.post("/history/clear", response=answers(ClearedOut, 404), summary="Clear a conversation")
def clear(request: Request, body: ClearIn) -> ClearedOut:
    """Removes its messages; pinned ones stay unless `pinned` is true. What memory holds stays."""
    return ClearedOut(removed=history.clear(request.auth, body.conversation, pinned=body.pinned))
