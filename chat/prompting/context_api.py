"""The API's door to the context gauge."""

from __future__ import annotations

from typing import Annotated

from ninja import Query, Router, Schema
from pydantic import Field

from chat.domain.frames import Context
from chat.prompting.context import forecast
from forgesite.auth import Request
from forgesite.schemas import QueryIn, answers

router = Router(tags=["chat"])


class ContextQuery(QueryIn):
    conversation: Annotated[str, Field(max_length=32)] | None = Field(
        None, description="Empty: the one that moved last."
    )


class ContextOut(Schema):
    prompt_tokens: int = Field(description="Of the next prompt, with an empty message.")
    hot_block_tokens: int = Field(description="What the entries at its head take of that.")
    history_tokens: int = Field(description="What the conversation so far takes of it.")
    history_messages: int
    context_limit: int | None = Field(description="The model's window; null: the built-in responder answers.")
    estimated: bool = Field(description="One of these was not counted, or said, by the server.")


@router.get("/context", response=answers(ContextOut, 404), summary="How full the model's window is")
def context(request: Request, query: Query[ContextQuery]) -> Context:
    """Foretold for the next prompt of a conversation. Nobody is asked to count: `estimated` says where that matters."""
    return forecast(request.auth, query.conversation)
