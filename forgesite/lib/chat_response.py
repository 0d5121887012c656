"""The answer to a chat request, from its head to its last byte."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress

import httpx
from httpx_sse import EventSource, ServerSentEvent

from forgesite.lib.chat_chunks import Chunks
from forgesite.lib.language_models import Event

#: Seconds that what follows the end may take: the token counts and `[DONE]`; then the end of the connection.
REST, CLOSING = 2.0, 0.05


def is_page(response: httpx.Response) -> bool:
    return "html" in _kind(response)


def is_json(response: httpx.Response) -> bool:
    return _kind(response).endswith("json")


def source(response: httpx.Response) -> EventSource:
    """Its events, read as UTF-8 whatever its head says, and without the mark that some servers begin with.

    For every answer that is neither a page nor JSON: some servers call their stream plain text, or nothing at all.
    """
    response.headers["content-type"] = "text/event-stream"
    response.encoding = "utf-8-sig"
    return EventSource(response)


async def rest(events: AsyncGenerator[ServerSentEvent, None], chunks: Chunks) -> list[Event]:
    """What follows the end. The answer is whole: nothing that breaks here can make it less."""
    said: list[Event] = []
    with suppress(TimeoutError, httpx.HTTPError):
        async with asyncio.timeout(CLOSING if chunks.done else REST) as limit:
            async for event in events:
                said += chunks.feed(event.data)
                if chunks.done:
                    limit.reschedule(asyncio.get_running_loop().time() + CLOSING)
    return said


def _kind(response: httpx.Response) -> str:
    return str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()
