"""What a store of memory is read into: entries beside conversations, whichever system wrote it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from chat.importers.cleaning import mended
from chat.importers.imported import Note, Skipped


@dataclass(frozen=True)
class ReadEntry:
    """`source_id`: what it is known by in its store, so that a second import changes nothing. `name`: for the report.

    `at`: when it was said, where the store knows. `status` empty: as a new entry of its kind.
    """

    source_id: str
    name: str
    kind: str
    text: str
    at: datetime | None = None
    key: str = ""
    project: str = ""
    status: str = ""
    event_at: datetime | None = None


@dataclass(frozen=True)
class ReadEntries:
    """`spoken_for`: pairs of source ids, what speaks and what it speaks for."""

    format: str
    entries: tuple[ReadEntry, ...] = ()
    spoken_for: tuple[tuple[str, str], ...] = ()
    skipped: tuple[Skipped, ...] = ()
    notes: Counter[Note] = field(default_factory=Counter)


class Remembering:
    """Collects the entries of one store."""

    def __init__(self, format: str) -> None:
        self.format = format
        self.entries: list[ReadEntry] = []
        self.skipped: list[Skipped] = []
        self.notes: Counter[Note] = Counter()

    def mended(self, text: str) -> str:
        """The text without what no database takes; how much that was is counted."""
        whole, broken = mended(text)
        if broken:
            self.notes[Note.MENDED] += broken
        return whole

    def skip(self, name: str, reason: str, *, damaged: bool = True) -> None:
        self.skipped.append(Skipped(name, reason, damaged))

    def done(self, spoken_for: Iterable[tuple[str, str]] = ()) -> ReadEntries:
        return ReadEntries(self.format, tuple(self.entries), tuple(spoken_for), tuple(self.skipped), self.notes)
