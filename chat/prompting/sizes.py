"""How many tokens texts have: as the server counts them, where it does, else an estimate that is on the safe side.

A server is asked once for all that is new, and not once a text: what it says of the whole is shared out. A text is
counted and estimated once, however often it is in a prompt.
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
#: Characters that the event loop may estimate itself: a few milliseconds.
BRIEF = 20_000
MOST_KNOWN = 50_000

#: (server and model, or empty for the estimate, digest of the text) → tokens.
_known: dict[tuple[str, bytes], int] = {}
_mute: dict[str, float] = {}


@dataclass(frozen=True)
class Sizes:
    tokens: tuple[int, ...]
    estimated: bool


async def sizes(door: ModelDoor, texts: Sequence[str]) -> Sizes:
    """One number a text, without what a template adds."""
    name, digests = f"{door.url} {door.model}", [_digest(text) for text in texts]
    guesses = await _guessed(digests, texts)
    new = {
        digest: (text, guess)
        for digest, text, guess in zip(digests, texts, guesses, strict=True)
        if (name, digest) not in _known
    }
    if new and not await _learn(door, name, new):
        return Sizes(tuple(guesses), estimated=True)
    counted = (_known.get((name, digest), guess) for digest, guess in zip(digests, guesses, strict=True))
    return Sizes(tuple(counted), estimated=False)


async def known(door: ModelDoor, texts: Sequence[str]) -> Sizes:
    """As `sizes`, and nobody is asked: what the server has not counted yet is estimated, and that is said."""
    name, digests = f"{door.url} {door.model}", [_digest(text) for text in texts]
    guesses = await _guessed(digests, texts)
    counted = [_known.get((name, digest)) for digest in digests]
    tokens = (guess if count is None else count for count, guess in zip(counted, guesses, strict=True))
    return Sizes(tuple(tokens), estimated=None in counted)


async def estimated(texts: Sequence[str]) -> tuple[int, ...]:
    """Without asking anybody."""
    return tuple(await _guessed([_digest(text) for text in texts], texts))


async def _guessed(digests: Sequence[bytes], texts: Sequence[str]) -> list[int]:
    known = {digest: _known[("", digest)] for digest in digests if ("", digest) in _known}
    new = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in known}
    if sum(map(len, new.values())) > BRIEF:
        guesses = await asyncio.to_thread(_estimates, [*new.values()])
    else:
        guesses = _estimates([*new.values()])
    found = dict(zip(new, guesses, strict=True))
    _keep("", found)
    known |= found  # and not from the table: another turn may have emptied it meanwhile
    return [known[digest] for digest in digests]


def _estimates(texts: Sequence[str]) -> list[int]:
    return [estimate(text) for text in texts]


async def _learn(door: ModelDoor, name: str, new: dict[bytes, tuple[str, int]]) -> bool:
    """Have the server count what is new. False: it does not."""
    if time.monotonic() < _mute.get(name, 0.0):
        return False
    total = await count(door, "\n".join(text for text, _guess in new.values()))
    if total is None:
        _mute[name] = time.monotonic() + MUTE
        return False
    shares = shared(total, [guess for _text, guess in new.values()])
    _keep(name, dict(zip(new, shares, strict=True)))
    return True


async def count(door: ModelDoor, text: str) -> int | None:
    """As the server says it; None where it does not, or not soon enough."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await door.count(text)
    except TimeoutError:
        return None


def _keep(name: str, found: dict[bytes, int]) -> None:
    if len(_known) + len(found) > MOST_KNOWN:
        _known.clear()
    _known.update({(name, digest): tokens for digest, tokens in found.items()})


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def shared(total: int, weights: Sequence[int]) -> list[int]:
    """A number shared out by weight, each share rounded up."""
    whole = sum(weights) or 1
    return [-(-total * weight // whole) for weight in weights]


def forget() -> None:
    """For a test: the next server at an address may be another one."""
    _known.clear()
    _mute.clear()
