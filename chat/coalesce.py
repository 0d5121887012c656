"""Merges a stream of small frames into few: a person cannot see more than twenty a second."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from chat.domain.frames import Delta, Frame

EVERY = 0.05


async def coalesced(frames: AsyncGenerator[Frame, None], *, every: float = EVERY) -> AsyncGenerator[list[Frame], None]:
    """Batches of what came in, the first at once, the next ones at least `every` seconds apart, the tail at the end.

    Neighbouring deltas become one. Closing this closes `frames`; what `frames` raises is raised here, after what
    it had said before.
    """
    arrived, waiting = asyncio.Event(), list[Frame]()

    async def read() -> None:
        async with aclosing(frames):
            async for frame in frames:
                waiting.append(frame)
                arrived.set()

    reader = asyncio.create_task(read())
    reader.add_done_callback(lambda _reader: arrived.set())
    try:
        while waiting or not reader.done():
            await arrived.wait()
            arrived.clear()
            if waiting:
                batch, waiting[:] = merged(waiting), []
                yield batch
            await asyncio.wait({reader}, timeout=every)
            if waiting:
                arrived.set()
        await reader
    finally:
        reader.cancel()
        await asyncio.wait({reader})


def merged(frames: list[Frame]) -> list[Frame]:
    """The same frames, with neighbouring deltas as one."""
    result: list[Frame] = []
    for frame in frames:
        if isinstance(frame, Delta) and result and isinstance(result[-1], Delta):
            result[-1] = Delta(result[-1].text + frame.text)
        else:
            result.append(frame)
    return result
