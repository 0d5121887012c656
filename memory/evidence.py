"""What an entry rests on outside memory: the message that it was said in, as the app that keeps messages tells it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from forgesite.models import Account


@dataclass(frozen=True)
class Quote:
    """A message of the owner's: its words, and its place."""

    conversation: str
    message: int
    text: str
    title: str = ""


#: The owner's message with this id; None where it is gone, or not theirs.
Reader: TypeAlias = Callable[[Account, int], Quote | None]
_readers: list[Reader] = []


def register_reader(read: Reader) -> None:
    """How the app that keeps messages tells one. Call it in AppConfig.ready."""
    if read not in _readers:
        _readers.append(read)


def quote(owner: Account, message: int | None) -> Quote | None:
    """None where the entry names no message, or nobody has it (any more)."""
    if message is None:
        return None
    return next((found for read in _readers if (found := read(owner, message))), None)
