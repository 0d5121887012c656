"""The API's door to what concerns the whole site: its health, and one's own account."""

from __future__ import annotations

from typing import Annotated, Literal

from asgiref.sync import async_to_sync
from django.core.cache import cache
from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import AfterValidator, Field

from chat.server_states import default_state
from forgesite import __version__, worker_lock
from forgesite.auth import Request
from forgesite.forms import zones
from forgesite.models import Account, Language
from forgesite.schemas import In, answers
from memory.health import StoreHealth, embedding_health, store_health

router = Router(tags=["site"])
#: Counting and checking a store of 20,000 entries takes 70 ms, and anybody may ask: they share an answer this long.
FRESH_SECONDS = 2
#: The same for a model server, and how long it may take to answer: whoever watches Forge must not wait for it.
MODEL_FRESH_SECONDS, MODEL_PATIENCE = 5, 1.0
BUILTIN = ("builtin", "built-in responder (no language model)", True)


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
    cutoff_state: str = Field(
        description="off · used · untagged: used, and its tag is to be written · stale: off, since measured elsewhere."
    )
    cutoff_note: str = Field(description="What is to be known of the cutoff; empty where there is nothing to say.")
    stored: str = Field(description="The regime that the vectors in store are of; empty where there are none.")
    stored_dim: int


class StoreHealthOut(Schema):
    entries: int
    pending: int = Field(description="Entries that have no vector yet of the model that is served.")
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


@router.get("/health", auth=None, response={200: HealthOut}, summary="Whether Forge runs")
def health(request: HttpRequest) -> HealthOut:
    """Open to all, and without anybody's data. `degraded`: it serves, but a part of it is off."""
    store, embedding, working = _store(), embedding_health(), worker_lock.alive()
    provider, name, ready = _model()
    # Without an embedder by choice, nothing is missing.
    meaning = embedding.provider == "none" or (embedding.ready and store.vector is True)
    whole = working and meaning and store.words is True and ready
    return HealthOut(
        status="ok" if whole else "degraded",
        version=__version__,
        model=ModelHealth(provider=provider, name=name, ready=ready),
        embedding=EmbeddingHealthOut.model_validate(embedding, from_attributes=True),
        store=StoreHealthOut.model_validate(store, from_attributes=True),
        worker=WorkerHealth(alive=working),
    )


def _store() -> StoreHealth:
    known: StoreHealth | None = cache.get("store-health")
    if known is None:
        known = store_health()
        cache.set("store-health", known, FRESH_SECONDS)
    return known


def _model() -> tuple[str, str, bool]:
    """Provider, name and whether it answers."""
    known: tuple[str, str, bool] | None = cache.get("model-health")
    if known is None:
        state = async_to_sync(default_state)(patience=MODEL_PATIENCE)
        known = (
            (state.server.provider, state.health.model or state.server.model, state.health.ready) if state else BUILTIN
        )
        cache.set("model-health", known, MODEL_FRESH_SECONDS)
    return known


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
