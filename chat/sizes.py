"""How many tokens texts have: as the server counts them, where it does, else an estimate that is on the safe side.

A server is asked once for all that is new, and not once a text: what it says of the whole is shared out.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from forgesite.lib.language_models import ModelDoor
from forgesite.lib.tokens import estimate

#: What a template puts around a message.
AROUND = 8
#: A server that has not counted is asked again after so many seconds.
MUTE = 60.0
#: Longest wait for a count: the estimate is always at hand.
PATIENCE = 2.0
MOST_KNOWN = 20_000

_known: dict[tuple[str, bytes], int] = {}
_mute: dict[str, float] = {}


@dataclass(frozen=True)
class Sizes:
    tokens: tuple[int, ...]
    estimated: bool


def estimated(texts: Sequence[str]) -> Sizes:
    return Sizes(tuple(estimate(text) for text in texts), estimated=True)


async def sizes(door: ModelDoor, texts: Sequence[str]) -> Sizes:
    """One number a text, without what a template adds."""
    name = f"{door.url} {door.model}"
    keys = [(name, blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()) for text in texts]
    new = {key: text for key, text in zip(keys, texts, strict=True) if key not in _known}
    if new and not await _learn(door, name, new):
        return estimated(texts)
    # A turn that ran meanwhile may have emptied the table.
    found = (_known.get(key) or estimate(text) for key, text in zip(keys, texts, strict=True))
    return Sizes(tuple(found), estimated=False)


async def _learn(door: ModelDoor, name: str, new: dict[tuple[str, bytes], str]) -> bool:
    if time.monotonic() < _mute.get(name, 0.0):
        return False
    total = await _counted(door, "\n".join(new.values()))
    if total is None:
        _mute[name] = time.monotonic() + MUTE
        return False
    if len(_known) + len(new) > MOST_KNOWN:
        _known.clear()
        return False  # what the others of these texts had is gone with it
    _known.update(zip(new, shared(total, [estimate(text) for text in new.values()]), strict=True))
    return True


async def _counted(door: ModelDoor, text: str) -> int | None:
    try:
        async with asyncio.timeout(PATIENCE):
            return await door.count(text)
    except TimeoutError:
        return None


def shared(total: int, weights: Sequence[int]) -> list[int]:
    """A number shared out by weight, each share rounded up."""
    whole = sum(weights) or 1
    return [-(-total * weight // whole) for weight in weights]


def forget() -> None:
    """For a test: the next server at an address may be another one."""
    _known.clear()
    _mute.clear()
