"""The API's door to the model servers: which there are, and what each could answer with."""

from __future__ import annotations

from ninja import Router, Schema
from pydantic import Field

from chat.model_errors import in_brief
from chat.server_states import ServerState, states
from forgesite.auth import Request
from forgesite.model_servers import DEFAULT
from forgesite.schemas import answers

router = Router(tags=["chat"])


class ModelChoice(Schema):
    server: str
    model: str


class ModelServerOut(Schema):
    name: str = Field(description="What a conversation's `server` calls it.")
    provider: str
    url: str
    ready: bool
    loading: bool = Field(description="It is loading its model, and will answer by itself.")
    model: str = Field(description="Answers where no model is named.")
    models: list[str] = Field(description="Those to choose from; empty where the server does not say.")
    detail: str = Field(description="Why it is not ready.")


class ModelsOut(Schema):
    default: ModelChoice | None = Field(description="Who answers without a choice; null: the built-in responder.")
    servers: list[ModelServerOut]


@router.get("/models", response=answers(ModelsOut), summary="The model servers and their models")
async def models(request: Request) -> ModelsOut:
    """All servers are asked at once, for at most three seconds. One that does not answer is listed as not ready."""
    shown = [_shown(state) for state in await states()]
    first = next((server for server in shown if server.name == DEFAULT), None)
    default = ModelChoice(server=first.name, model=first.model) if first else None
    return ModelsOut(default=default, servers=shown)


def _shown(state: ServerState) -> ModelServerOut:
    server, health = state.server, state.health
    return ModelServerOut(
        name=server.name,
        provider=server.provider,
        url=state.url,
        ready=health.ready,
        loading=health.loading,
        model=server.model or health.model,
        models=list(state.models),
        detail=in_brief(health.detail),
    )
