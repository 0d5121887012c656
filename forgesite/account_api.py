"""The API's door to what concerns the whole site: its health, one's own account, everything one owns."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from channels.db import database_sync_to_async
from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import JSONL, Router, Schema
from pydantic import AfterValidator, Field

from chat.api import ConversationOut, MessageOut
from chat.models import Conversation, Message
from forgesite import __version__, worker_lock
from forgesite.auth import Request
from forgesite.forms import zones
from forgesite.models import Account, Language
from forgesite.schemas import In, answers, stream_errors
from memory.health import embedding_health, store_health
from memory.models import Entry
from memory.schemas import EntryOut, entry_out

router = Router(tags=["site"])
#: Rows read at a time: an export holds no more than these in memory.
PAGE = 500


class ModelHealth(Schema):
    provider: str
    name: str
    ready: bool


class EmbeddingHealthOut(Schema):
    provider: str
    name: str
    dim: int
    ready: bool
    regime: str = Field(description="The query wrapper and the model, by digest: `wrapper.model`.")
    cutoff: str | None = Field(description="The cutoff in force with where it was measured; null: none.")


class StoreHealthOut(Schema):
    entries: int
    pending: int = Field(description="Entries that have no vector yet.")
    vector: bool | str = Field(description="Whether search by meaning works, or why not.")
    words: bool | str = Field(description="Whether search by words works, or why not.")


class WorkerHealth(Schema):
    alive: bool


class HealthOut(Schema):
    status: Literal["ok", "degraded"]
    version: str
    model: ModelHealth
    embedding: EmbeddingHealthOut
    store: StoreHealthOut
    worker: WorkerHealth


class MeOut(Schema):
    name: str = Field(validation_alias="username")
    language: Language
    time_zone: str
    judge_opt_in: bool


def _zone(name: str) -> str:
    if name not in dict(zones()):
        raise ValueError("no such time zone; say it as Europe/Paris")
    return name


class MeIn(In):
    language: Language | None = None
    time_zone: Annotated[str, AfterValidator(_zone)] | None = None
    judge_opt_in: bool | None = Field(None, description="May the forgetting pass send my entries to the judge?")


class EntryLine(EntryOut):
    type: Literal["entry"] = "entry"


class ConversationLine(ConversationOut):
    type: Literal["conversation"] = "conversation"


class MessageLine(MessageOut):
    type: Literal["message"] = "message"
    conversation: str


@router.get("/health", auth=None, response={200: HealthOut}, summary="Whether Forge runs")
def health(request: HttpRequest) -> HealthOut:
    """Open to all, and without anybody's data. `degraded`: it serves, but a part of it is off."""
    store, embedding, working = store_health(), embedding_health(), worker_lock.alive()
    # Without an embedder by choice, nothing is missing.
    meaning = embedding.provider == "none" or (embedding.ready and store.vector is True)
    whole = working and meaning and store.words is True
    return HealthOut(
        status="ok" if whole else "degraded",
        version=__version__,
        model=ModelHealth(provider="builtin", name="built-in responder (no language model)", ready=True),
        embedding=EmbeddingHealthOut.model_validate(embedding, from_attributes=True),
        store=StoreHealthOut.model_validate(store, from_attributes=True),
        worker=WorkerHealth(alive=working),
    )


@router.get("/me", response=answers(MeOut), summary="Your account")
def me(request: Request) -> Account:
    """Name, language, time zone and consent."""
    return request.auth


@router.patch("/me", response=answers(MeOut), summary="Change your account")
def change_me(request: Request, body: MeIn) -> Account:
    """Only what is sent changes; a null changes nothing."""
    for field, value in body.model_dump(exclude_none=True).items():
        setattr(request.auth, field, value)
    request.auth.save(update_fields=["language", "time_zone", "judge_opt_in"])
    return request.auth


@router.get(
    "/export",
    response=JSONL[EntryLine | ConversationLine | MessageLine],
    openapi_extra={"responses": stream_errors()},
    summary="Everything you own",
)
async def export(request: Request) -> AsyncIterator[Schema]:
    """JSON Lines: your entries, conversations and messages, each kind in the order of its ids."""
    owner = request.auth
    async for entry in _rows(Entry.objects.of(owner)):
        yield EntryLine(**entry_out(entry).model_dump())
    async for conversation in _rows(Conversation.objects.of(owner)):
        yield ConversationLine(**ConversationOut.model_validate(conversation).model_dump())
    async for message in _rows(Message.objects.of(owner)):
        shape = MessageOut.model_validate(message)
        yield MessageLine(**shape.model_dump(), conversation=message.conversation_id)


async def _rows(rows: QuerySet[Any]) -> AsyncIterator[Any]:
    """Page by page, each after the last id of the one before: no read stays open while the client reads."""
    last: Any = None
    while page := await database_sync_to_async(_page)(rows, last):
        for row in page:
            yield row
        last = page[-1].pk


def _page(rows: QuerySet[Any], after: Any) -> list[Any]:
    left = rows.order_by("pk") if after is None else rows.order_by("pk").filter(pk__gt=after)
    return list(left[:PAGE])
