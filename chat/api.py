"""The API's door to conversations: one turn, and the history."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

from django.db.models import QuerySet
from ninja import Query, Router, Schema
from pydantic import Field, model_validator

from chat import history
from chat.branches import Placed
from chat.models import Conversation, Role, State
from chat.outcome import complete
from chat.turn_request import TurnRequest
from forgesite.auth import Request
from forgesite.schemas import LARGEST_ID, In, QueryIn, answers
from forgesite.throttle import counted

router = Router(tags=["chat"])
ConversationId = Annotated[str, Field(max_length=32)]
Id = Annotated[int, Field(ge=0, le=LARGEST_ID)]
AnswerId = Annotated[int, Field(ge=1, le=LARGEST_ID)]
ServerName = Annotated[str, Field(max_length=64)]
ModelName = Annotated[str, Field(max_length=200)]


class ChatIn(In):
    """`message` is required unless `retry` or `continue` names an answer: its question is asked again."""

    message: str = Field("", description="What you say, up to 1 MiB. `!help` lists the commands.")
    conversation: ConversationId | None = Field(None, description="Empty: a new conversation.")
    client_id: Annotated[str, Field(max_length=64)] | None = Field(
        None, description="Your own id of this message: sent twice, it makes one message and one run."
    )
    temporary: bool = False
    parent: Id | None = Field(
        None, description="The message that yours follows; 0 begins the conversation anew. Empty: the branch in sight."
    )
    retry: AnswerId | None = Field(None, description="An answer to be given again, beside the one there is.")
    go_on: AnswerId | None = Field(None, alias="continue", description="An answer that ended early, to be continued.")
    server: ServerName = Field("", description="Who answers in the conversation that this begins: see `/models`.")
    model: ModelName = ""

    @model_validator(mode="after")
    def _says_something(self) -> ChatIn:
        if self.retry is None and self.go_on is None and "message" not in self.model_fields_set:
            raise ValueError("message is required without retry or continue")
        return self


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
    server: str = Field(description="Who answers here, of `/models`; empty: as set.")
    model: str
    hit: int | None = Field(None, description="In a search: the newest message that holds it, on whichever branch.")


class ConversationsQuery(QueryIn):
    q: Annotated[str, Field(max_length=1000)] = Field("", description="Looked for in titles and messages, as typed.")
    archived: bool = False
    limit: Annotated[int, Field(ge=1, le=500)] = 100
    offset: Annotated[int, Field(ge=0, le=10**9)] = 0


class ConversationIn(In):
    title: Annotated[str, Field(max_length=200)] = ""
    temporary: bool = False
    server: ServerName = ""
    model: ModelName = ""


class ConversationPatch(In):
    title: Annotated[str, Field(max_length=200)] | None = None
    pinned: bool | None = None
    archived: bool | None = None
    server: ServerName | None = Field(None, description="Of `/models`; empty: as set. Without a model: its own.")
    model: ModelName | None = None


class DeletedOut(Schema):
    ok: bool
    id: str


class MessageOut(Schema):
    id: int
    role: Role
    content: str
    state: State
    pinned: bool
    compacted: bool = Field(description="Out of the window: the pointer before it says where it went.")
    answered: bool
    indexable: bool
    created_at: datetime
    run_id: str
    model: str = Field(description="The language model that wrote it, if one did.")
    parent: int | None = Field(
        description="The message it follows; 0: it begins the conversation. Null, in an export: the one before it."
    )


class HistoryOut(MessageOut):
    siblings: list[int] = Field(description="Its alternatives, itself included; empty where it has none.")


class HistoryQuery(QueryIn):
    conversation: ConversationId | None = Field(None, description="Empty: the one that moved last.")
    limit: Annotated[int, Field(ge=1, le=5000)] = Field(1000, description="The newest so many, oldest first.")
    before: Annotated[int, Field(ge=1, le=LARGEST_ID)] | None = Field(None, description="Only messages before this id.")
    branch: Annotated[str, Field(pattern=r"^(all|[0-9]{1,18})?$")] = Field(
        "", description="Empty: the branch in sight. A message's id: the branch that holds it. `all`: every message."
    )


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
        parent=body.parent,
        retry=body.retry or 0,
        go_on=body.go_on or 0,
        server=body.server,
        model=body.model,
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
    return history.create_conversation(request.auth, **body.dict())


@router.get("/conversations/{conversation_id}", response=answers(ConversationOut, 404), summary="One conversation")
def one(request: Request, conversation_id: str) -> Conversation:
    """Without its messages: `/history` has them."""
    return history.conversation_of(request.auth, conversation_id)


@router.patch(
    "/conversations/{conversation_id}",
    response=answers(ConversationOut, 404),
    summary="Rename, pin, archive, choose who answers",
)
def change(request: Request, conversation_id: str, body: ConversationPatch) -> Conversation:
    """Only what is sent changes."""
    return history.change_conversation(request.auth, conversation_id, **body.dict())


@router.delete("/conversations/{conversation_id}", response=answers(DeletedOut, 404), summary="Delete a conversation")
def delete(request: Request, conversation_id: str) -> DeletedOut:
    """With its messages. What memory holds from it stays."""
    history.delete_conversation(request.auth, conversation_id)
    return DeletedOut(ok=True, id=conversation_id)


@router.get("/history", response=answers(list[HistoryOut], 404), summary="The messages of a conversation")
def messages(request: Request, query: Query[HistoryQuery]) -> list[HistoryOut]:
    """In full, oldest first, of the branch in sight. `branch` shows another one, or every message there is.

    To edit a message, send `/chat` its `parent`: the edit and what answers it become a branch beside it.
    """
    rows = history.page(
        request.auth,
        query.conversation,
        of=int(query.branch) if query.branch.isdigit() else None,
        every=query.branch == "all",
        before=query.before,
        limit=query.limit,
    )
    return [_history_out(row) for row in rows]


def _history_out(row: Placed) -> HistoryOut:
    told = MessageOut.model_validate(row.message).model_dump()
    return HistoryOut(**told | {"parent": row.parent, "siblings": list(row.siblings)})


@router.post("/history/clear", response=answers(ClearedOut, 404), summary="Clear a conversation")
def clear(request: Request, body: ClearIn) -> ClearedOut:
    """Removes its messages; pinned ones stay unless `pinned` is true. What memory holds stays."""
    return ClearedOut(removed=history.clear(request.auth, body.conversation, pinned=body.pinned))
