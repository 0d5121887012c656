"""What a `!` command is: what it takes, what it is about, and the function that does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chat.progress import Progress, Said
from traces.recorder import StepRecord

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

#: What a command is given: the run, what follows its name, and the step that records it.
Does = Callable[[Progress, str, StepRecord], Said]


@dataclass(frozen=True)
class Order:
    """`takes` is what follows the name; `about` one line of `!help`."""

    takes: str
    about: _StrOrPromise
    do: Does
    writes: bool = False


class MisusedError(Exception):
    """What followed the command is not what it takes: it is answered with its usage."""


def number(rest: str) -> int:
    """The id of an entry or a message, with or without `#`. Raises MisusedError."""
    digits = rest.removeprefix("#")
    if not (digits.isascii() and digits.isdigit()):
        raise MisusedError
    return int(digits)


def nothing(rest: str) -> None:
    """Raises MisusedError where something follows a command that takes nothing: it would be lost in silence."""
    if rest:
        raise MisusedError
