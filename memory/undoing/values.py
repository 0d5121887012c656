"""What undoing a commit takes, as values, and what can stand in its way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memory.domain.states import State
from memory.models import Entry, Link, TextVersion

Code = Literal["moved", "erased", "nothing_to_undo", "key_taken"]


class HinderedError(Exception):
    """`entry` is what stands in the way; `by` the tick of the commit that came in between, or the entry, if known."""

    def __init__(self, code: Code, entry: int = 0, by: int = 0) -> None:
        super().__init__(code)
        self.code, self.entry, self.by = code, entry, by


@dataclass(frozen=True)
class Back:
    """An entry as it is now, and how it was; `state` None: it was not there, and is to be taken back."""

    entry: Entry
    state: State | None = None
    words: TextVersion | None = None

    @property
    def new_text(self) -> str | None:
        return self.words.text if self.words and self.words.text != self.entry.text else None


@dataclass(frozen=True)
class Plan:
    """`again`: links that the commit ended. `ended`: those that it made."""

    back: tuple[Back, ...]
    again: tuple[Link, ...]
    ended: tuple[Link, ...]
