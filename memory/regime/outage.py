"""Whether a door answers: since when it does not, and for how long an ordinary turn leaves it alone.

Each process knows what it saw itself. Whatever was asked for in so many words asks the door all the same.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from weakref import WeakKeyDictionary

from django.utils import timezone

from forgesite.lib.embeddings import Door, EmbeddingFailedError, TooLargeToEmbedError

#: A turn waits for one try in so many times its length: a server that hangs costs a turn its timeout once in a while,
#: one that is not running costs nothing and is asked by every turn.
PAUSE, LONGEST_PAUSE = 5.0, 120.0


@dataclass(frozen=True)
class Down:
    """`until`: seconds of `time.monotonic()`."""

    since: datetime
    until: float
    error: EmbeddingFailedError


_down: WeakKeyDictionary[Door, Down] = WeakKeyDictionary()
_answered: WeakKeyDictionary[Door, float] = WeakKeyDictionary()


def behind(door: Door) -> Door:
    """The door itself, where another stands before it."""
    inner: Door = getattr(door, "door", door)
    return inner


def down(door: Door) -> Down | None:
    """None: it answered when it was last asked, or was not asked yet."""
    return _down.get(behind(door))


def paused(door: Door) -> Down | None:
    """What it failed with, while it is too early for an ordinary turn to ask again."""
    known = down(door)
    return known if known and time.monotonic() < known.until else None


def answered_since(door: Door, seconds: float) -> bool:
    """Has it answered within the last so many seconds, and not failed after that?"""
    return down(door) is None and time.monotonic() - _answered.get(behind(door), float("-inf")) < seconds


@contextmanager
def watched(door: Door) -> Iterator[None]:
    """Ask it inside. A text that is too large, or a bad vector, is an answer too."""
    key, began = behind(door), time.monotonic()
    try:
        yield
    except TooLargeToEmbedError:
        _up(key)
        raise
    except EmbeddingFailedError as error:
        now = time.monotonic()
        before = _down.get(key)
        pause = min((now - began) * PAUSE, LONGEST_PAUSE)
        until = max(now + pause, before.until if before else 0)
        _down[key] = Down(before.since if before else timezone.now(), until, error)
        raise
    _up(key)


def _up(key: Door) -> None:
    _down.pop(key, None)
    _answered[key] = time.monotonic()
