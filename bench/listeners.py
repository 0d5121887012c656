"""Many sockets that each ask a streaming server once, and what they heard."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

LAST = ("done", "failed", "stopped")
PATIENCE = 120.0


@dataclass
class Heard:
    """One answer, as it came: seconds of the monotonic clock, and text. `size` counts the characters of all frames."""

    mark: str
    asked: float = 0.0
    deltas: list[tuple[float, str]] = field(default_factory=list)
    frames: int = 0
    size: int = 0
    conversation: str = ""
    last: dict[str, Any] = field(default_factory=dict)
    ended: float = 0.0

    @property
    def text(self) -> str:
        return "".join(text for _at, text in self.deltas)


@asynccontextmanager
async def listeners(count: int, port: int, token: str) -> AsyncIterator[list[ClientConnection]]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    sockets = [
        await connect(f"ws://127.0.0.1:{port}/ws/chat/", additional_headers=headers, max_size=None)
        for _ in range(count)
    ]
    try:
        for socket in sockets:
            await socket.recv()
        yield sockets
    finally:
        await asyncio.gather(*(socket.close() for socket in sockets))


async def send(socket: ClientConnection, mark: str, question: str) -> Heard:
    heard = Heard(mark, time.monotonic())
    await socket.send(json.dumps({"type": "send", "client_id": mark, "text": f"{question} #{mark}#"}))
    return heard


async def hear(socket: ClientConnection, heard: Heard, *, deltas: int | None = None) -> Heard:
    """Up to the last frame of the run, or to so many deltas. Raises TimeoutError when the server goes silent."""
    while not heard.last and (deltas is None or len(heard.deltas) < deltas):
        async with asyncio.timeout(PATIENCE):
            raw = await socket.recv()
        _take(heard, time.monotonic(), str(raw))
    return heard


def _take(heard: Heard, at: float, raw: str) -> None:
    frame = json.loads(raw)
    heard.frames += 1
    heard.size += len(raw)
    heard.conversation = frame.get("conversation") or heard.conversation
    if frame["type"] == "delta":
        heard.deltas.append((at, frame["text"]))
    if frame["type"] in LAST:
        heard.last, heard.ended = frame, at


async def all_at_once(sockets: Sequence[ClientConnection], name: str, question: Callable[[int], str]) -> list[Heard]:
    """Each asks once, a twentieth of a second after the one before it: people do not press a key together."""

    async def one(number: int, socket: ClientConnection) -> Heard:
        await asyncio.sleep(number / 20)
        return await hear(socket, await send(socket, f"{name}-{number}", question(number)))

    return list(await asyncio.gather(*(one(number, socket) for number, socket in enumerate(sockets))))
