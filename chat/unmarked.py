"""What a model says, without the lines that fence memory in its prompt."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from chat.domain.frames import Delta, Frame, Unsaid
from chat.domain.unmarked import Unmarked


async def unmarked(frames: AsyncGenerator[Frame, None]) -> AsyncGenerator[Frame, None]:
    """The same frames. Closing this closes `frames`."""
    text = Unmarked()
    async with aclosing(frames):
        async for frame in frames:
            if isinstance(frame, Delta):
                if shown := text.more(frame.text):
                    yield Delta(shown)
                continue
            rest = text.rest()
            if rest and not isinstance(frame, Unsaid):
                yield Delta(rest)
            yield frame
    if rest := text.rest():
        yield Delta(rest)
