"""How the model servers are, asked in a bounded time."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from forgesite import model_servers as servers
from forgesite.errors import InvalidError
from forgesite.lib.language_models import ModelDoor, ModelFailedError, ModelHealth
from forgesite.model_servers import DEFAULT, Server

#: Longest wait for one server, in seconds.
PATIENCE = 3.0
SILENT = ModelHealth(ready=False, detail="timeout")


@dataclass(frozen=True)
class ServerState:
    """`health.model` answers where none is named; `models` are those to choose from."""

    server: Server
    url: str
    health: ModelHealth
    models: tuple[str, ...] = ()


async def states() -> list[ServerState]:
    """Of every server, all asked at once. Never raises."""
    await servers.look()
    return list(await asyncio.gather(*(state_of(server) for server in servers.servers())))


async def default_state(*, patience: float = PATIENCE) -> ServerState | None:
    """Of the server of `LLM_PROVIDER`; None: the built-in responder answers. Never raises."""
    await servers.look()
    first = next((server for server in servers.servers() if server.name == DEFAULT), None)
    return await state_of(first, models=False, patience=patience) if first else None


async def state_of(server: Server, *, models: bool = True, patience: float = PATIENCE) -> ServerState:
    """Never raises."""
    try:
        door = servers.door_to(server)
    except InvalidError as error:
        return ServerState(server, server.url, ModelHealth(ready=False, detail=error.message))
    asked = [asyncio.ensure_future(door.health()), asyncio.ensure_future(_models(door) if models else _nothing())]
    await asyncio.wait(asked, timeout=patience)
    for task in asked:
        task.cancel()
    health, names = await asyncio.gather(*asked, return_exceptions=True)
    return ServerState(
        server,
        door.url,
        health if isinstance(health, ModelHealth) else SILENT,
        tuple(names) if isinstance(names, list) else (),
    )


async def _models(door: ModelDoor) -> list[str]:
    try:
        return await door.models()
    except ModelFailedError:
        return []  # its health says why


async def _nothing() -> list[str]:
    return []
