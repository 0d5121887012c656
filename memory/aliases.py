"""Other names of subjects, accepted by a person: a question that has one of the two searches the other too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forgesite.models import Account


@dataclass(frozen=True)
class Widened:
    """The question as it is searched, and the names that came to it."""

    text: str
    aliases: tuple[str, ...] = ()


def widened(owner: Account, text: str) -> Widened:
    """The text itself where nothing in it has another name."""
    return Widened(text)
