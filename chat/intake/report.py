"""What an import did, or in a preview would do: counts, and by name all that was skipped, left out or changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from chat.importers.imported import Note, Skipped
from memory.domain.golden import Comparison


@dataclass(frozen=True)
class Counts:
    """`exchanges` are those of the conversations; `entries`, of any kind, those of stores that hold no conversation."""

    conversations: int = 0
    messages: int = 0
    exchanges: int = 0
    entries: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.conversations + other.conversations,
            self.messages + other.messages,
            self.exchanges + other.exchanges,
            self.entries + other.entries,
        )


@dataclass(frozen=True)
class Brought:
    """One conversation. `id` is empty in a preview of a new one. `new` and `there` part what the export holds.

    `completed`: exchanges known without their whole answer. `duplicates`: exchanges whose very words memory holds
    already. `unindexed`: what stays in the thread and does not enter memory: no answer in it, no word, or too many.
    `forgotten`: exchanges that were forgotten here, and are not brought back.
    `waiting`: new exchanges that their words alone find, until the embedder has answered.
    """

    id: str
    title: str
    format: str
    new: Counts
    there: Counts
    completed: int = 0
    duplicates: int = 0
    unindexed: int = 0
    forgotten: int = 0
    waiting: int = 0
    notes: Counter[Note] = field(default_factory=Counter)

    @property
    def left_out(self) -> tuple[tuple[Note, int], ...]:
        return tuple(self.notes.items())


@dataclass(frozen=True)
class BroughtEntries:
    """The entries of one store. `new` by kind; `there`: known from an earlier import, or in the very same words.

    `spoken_for`: new links to the entries that speak for others. `forgotten` and `waiting` as of a conversation.
    """

    format: str
    new: Counter[str] = field(default_factory=Counter)
    there: int = 0
    spoken_for: int = 0
    forgotten: int = 0
    waiting: int = 0
    skipped: tuple[Skipped, ...] = ()
    notes: Counter[Note] = field(default_factory=Counter)

    @property
    def kinds(self) -> tuple[tuple[str, int], ...]:
        return tuple(sorted(self.new.items()))


@dataclass(frozen=True)
class FileReport:
    """`error`: nothing could be read from it, and nothing was written."""

    name: str
    conversations: tuple[Brought, ...] = ()
    entries: tuple[BroughtEntries, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    mended: int = 0
    error: str = ""

    @property
    def formats(self) -> tuple[str, ...]:
        return tuple(sorted({one.format for one in self.conversations} | {one.format for one in self.entries}))

    @property
    def new(self) -> Counts:
        entries = sum(brought.new.total() for brought in self.entries)
        return sum((brought.new for brought in self.conversations), Counts(entries=entries))

    @property
    def there(self) -> Counts:
        entries = sum(brought.there for brought in self.entries)
        return sum((brought.there for brought in self.conversations), Counts(entries=entries))

    @property
    def notes(self) -> Counter[Note]:
        total = Counter({Note.MENDED: self.mended} if self.mended else {})
        for notes in (*(one.notes for one in self.conversations), *(one.notes for one in self.entries)):
            total += notes
        return total

    @property
    def left_out(self) -> tuple[tuple[Note, int], ...]:
        """The notes for a template, where `.items` of a Counter is the count of the word "items"."""
        return tuple(self.notes.items())


@dataclass(frozen=True)
class Report:
    """`golden`: what became of the golden questions, asked before and after it, of a preview on a copy. None where they
    were not asked; `untold` says which were not, and why."""

    files: tuple[FileReport, ...]
    written: bool
    golden: Comparison | None = None
    untold: str = ""

    @property
    def new(self) -> Counts:
        return sum((file.new for file in self.files), Counts())

    @property
    def there(self) -> Counts:
        return sum((file.there for file in self.files), Counts())

    @property
    def forgotten(self) -> int:
        return sum(one.forgotten for one in self.conversations) + sum(one.forgotten for one in self.entries)

    @property
    def waiting(self) -> int:
        return sum(one.waiting for one in self.conversations) + sum(one.waiting for one in self.entries)

    @property
    def conversations(self) -> tuple[Brought, ...]:
        return tuple(brought for file in self.files for brought in file.conversations)

    @property
    def entries(self) -> tuple[BroughtEntries, ...]:
        return tuple(brought for file in self.files for brought in file.entries)

    @property
    def readable(self) -> bool:
        return any(not file.error for file in self.files)

    @property
    def errors(self) -> tuple[str, ...]:
        return tuple(file.error for file in self.files if file.error)


def with_notes(brought: Iterable[Brought], note: Note) -> list[Brought]:
    """The conversations that a note is about, so that a report can name them."""
    return [one for one in brought if one.notes[note]]
