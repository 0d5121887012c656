"""A page's socket in a test."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from channels.testing import WebsocketCommunicator

from chat.consumers import ChatConsumer
from chat.hub import Hub
from chat.models import Message
from chat.threads import SEARCHERS
from forgesite.models import Account

LAST = ("done", "failed", "stopped")
Wire = dict[str, Any]


class Page:
    def __init__(self, account: Account | None, *, hub: Hub | None = None) -> None:
        application = ChatConsumer.as_asgi(**({"hub": hub} if hub else {}))
        self.socket = WebsocketCommunicator(application, "/ws/chat/")
        self.socket.scope["user"] = account
        self.ready: Wire = {}

    async def open(self) -> Page:
        connected, _subprotocol = await self.socket.connect()
        assert connected
        self.ready = await self.hear()
        return self

    async def say(self, type_: str, **fields: Any) -> None:
        await self.socket.send_json_to({"type": type_, **fields})

    async def hear(self) -> Wire:
        frame: Wire = await self.socket.receive_json_from(timeout=10)
        return frame

    async def until(self, *types: str) -> list[Wire]:
        """The frames up to the first of these types, it too."""
        frames = [await self.hear()]
        while frames[-1]["type"] not in types:
            frames.append(await self.hear())
        return frames

    async def ask(self, text: str, **fields: Any) -> list[Wire]:
        """One whole run."""
        await self.say("send", text=text, **fields)
        return await self.until(*LAST)

    async def close(self, code: int = 1001) -> None:
        await self.socket.disconnect(code=code)


async def asked(owner: Account, text: str, **fields: Any) -> list[Wire]:
    """One whole run on a page of its own."""
    page = await Page(owner).open()
    frames = await page.ask(text, **fields)
    await page.close()
    return frames


async def answer_of(frames: list[Wire]) -> Message:
    """The answer's row, after the run."""
    return await Message.objects.aget(pk=frames[0]["answer_id"])


def text_of(frames: list[Wire]) -> str:
    return "".join(frame["text"] for frame in frames if frame["type"] == "delta")


@contextmanager
def long_searches() -> Iterator[threading.Event]:
    """Other people's searches hold every search thread until the event is set."""
    over = threading.Event()
    jobs = [SEARCHERS.submit(over.wait, 30) for _number in range(SEARCHERS._max_workers)]
    try:
        yield over
    finally:
        over.set()
        for job in jobs:
            job.result()
