"""Finds a model server on this machine, for an owner who has named none."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from forgesite.lib.language_models import ModelDoor, ModelFailedError
from forgesite.lib.model_doors import door
from forgesite.lib.openai_door import first_to_chat

#: For all of them together; where nobody listens, a refusal comes at once.
PATIENCE = 0.9


@dataclass(frozen=True)
class Candidate:
    provider: str
    url: str
    name: str


@dataclass(frozen=True)
class Found:
    """`model`: the one it would answer with; empty while a server is loading it."""

    provider: str
    url: str
    name: str
    model: str = ""


#: In order of preference. Forge's own usual port is not among them.
USUAL = (
    Candidate("llamacpp", "http://127.0.0.1:8080", "llama.cpp"),
    Candidate("ollama", "http://127.0.0.1:11434", "Ollama"),
    Candidate("openai", "http://127.0.0.1:1234", "LM Studio"),
    Candidate("openai", "http://127.0.0.1:8080", "LocalAI"),
    Candidate("openai", "http://127.0.0.1:1337", "Jan"),
    Candidate("openai", "http://127.0.0.1:5001", "KoboldCpp"),
    Candidate("openai", "http://127.0.0.1:5000", "text-generation-webui"),
    Candidate("llamacpp", "http://127.0.0.1:8081", "llama.cpp"),
)


async def find(candidates: Sequence[Candidate] = USUAL) -> Found | None:
    """The first of `candidates` that is a model server with a model to chat with, or that loads one.

    Takes less than a second, whatever listens there. No model is asked to say anything, and no server but a model
    server is taken for one: a page, a health route or JSON of another kind do not do.
    """
    looks = [asyncio.ensure_future(_look(candidate)) for candidate in candidates]
    await asyncio.wait(looks, timeout=PATIENCE) if looks else None
    answered = [look.result() for look in looks if look.done()]
    for look in looks:
        look.cancel()
    await asyncio.gather(*looks, return_exceptions=True)
    return next((found for found in answered if found), None)


async def _look(candidate: Candidate) -> Found | None:
    there = door(candidate.provider, candidate.url, timeout=PATIENCE)
    model = await (_listed(there) if candidate.provider == "openai" else _held(there))
    return None if model is None else Found(candidate.provider, candidate.url, candidate.name, model)


async def _held(there: ModelDoor) -> str | None:
    """By the server's own routes."""
    health = await there.health()
    return health.model if health.ready or health.loading else None


async def _listed(there: ModelDoor) -> str | None:
    try:
        return first_to_chat(await there.models()) or None
    except ModelFailedError:
        return None
