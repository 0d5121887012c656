"""A model's window: as set, as the server says, as its name is known for, or a careful guess."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from django.conf import settings

from forgesite.lib import tokens
from forgesite.lib.language_models import ModelDoor

GUESS = 8192
#: Seconds that an answer holds, and that its absence does. A model can be loaded anew with another window.
SAID, UNSAID = 300.0, 10.0
#: Longest wait for it: the turn is not held up by a server that is silent.
PATIENCE = 1.0

_known: dict[tuple[str, str, str], tuple[int | None, float]] = {}


@dataclass(frozen=True)
class Window:
    """Tokens that prompt and answer share. `estimated`: nobody who knows has said so."""

    tokens: int
    estimated: bool


async def window_of(door: ModelDoor) -> Window:
    if settings.FORGE.LLM_CONTEXT:
        return Window(settings.FORGE.LLM_CONTEXT, estimated=False)
    said = await _said(door)
    if said:
        return Window(said, estimated=False)
    return Window(tokens.known_window(door.model) or GUESS, estimated=True)


async def _said(door: ModelDoor) -> int | None:
    key = (door.provider, door.url, door.model)
    said, until = _known.get(key, (None, 0.0))
    if time.monotonic() < until:
        return said
    try:
        async with asyncio.timeout(PATIENCE):
            said = await door.window()
    except TimeoutError:
        said = None
    _known[key] = (said, time.monotonic() + (SAID if said else UNSAID))
    return said


def forget() -> None:
    """For a test: the next server at an address may be another one."""
    _known.clear()
