"""Entries, row by row and column by column, against what the chain says, and the words that it names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from memory.domain.proof import STATED
from memory.domain.sameness import sameness
from memory.proof.findings import DIFFERS, EXTRA, FORGOTTEN, MISSING, Finding, Lines
from memory.proof.notes import Notes, Said
from memory.proof.reading import AT_ONCE, in_turn, rows, rows_of
from memory.proof.verify_texts import WORDS, Texts, digest_of

TABLE = "memory_entry"
#: `+`: as it is there, whatever its column should hold.
ROWS = f"""
SELECT e.id, e.owner_id, e.address, e.sameness,
    {", ".join(f"+e.{name}" for name in STATED)}, {", ".join(f"e.{name}" for name in WORDS)}
FROM memory_entry e WHERE e.id IN ({{ids}})
"""
HOLDER = "SELECT id FROM memory_entry WHERE address = %s"
COUNT = "SELECT COUNT(*) FROM memory_entry WHERE owner_id = %s"
IDS = "SELECT id FROM memory_entry WHERE owner_id = %s AND id > %s ORDER BY id LIMIT %s"
SAID = "SELECT forgotten IS NULL FROM said WHERE entry = ?"


class Row(NamedTuple):
    """An entry as it is there: the columns of STATED, and those of WORDS."""

    id: int
    owner: int
    address: str
    sameness: str
    stated: tuple[Any, ...]
    words: tuple[Any, ...]

    @classmethod
    def read(cls, found: Sequence[Any]) -> Row:
        pk, owner, address, same, *rest = found
        return cls(pk, owner, address, same, tuple(rest[: len(STATED)]), tuple(rest[len(STATED) :]))


class Entries:
    """The entries of one owner."""

    def __init__(self, owner: int, notes: Notes, lines: Lines) -> None:
        self.owner, self.notes, self.lines = owner, notes, lines
        #: Rows that the chain knows and that are this owner's.
        self.known = 0

    def findings(self) -> Iterator[Finding]:
        texts = Texts(self.owner, self.notes, self.lines)
        for living in self.notes.living(AT_ONCE):
            ids = [said.entry for said in living]
            there = {row[0]: Row.read(row) for row in rows_of(ROWS, ids)}
            texts.read(ids)
            for said in living:
                row = there.get(said.entry)
                yield from texts.of(said, row.words if row else None)
                yield from self._gone(said) if row is None else self._of(said, row, texts)
        yield from texts.extra()
        yield from self._extra()

    def _gone(self, said: Said) -> Iterator[Finding]:
        """A row that another one replaced leaves no line of its own: OR REPLACE tells no trigger."""
        for (holder,) in rows(HOLDER, said.address):
            self.lines.lend(TABLE, said.entry, holder)
        yield self.lines.finding(MISSING, TABLE, said.entry)

    def _of(self, said: Said, row: Row, texts: Texts) -> Iterator[Finding]:
        self.known += row.owner == self.owner
        columns = [name for name, must, is_ in zip(STATED, said.row, row.stated, strict=True) if must != is_]
        columns += [] if row.owner == self.owner else ["owner_id"]
        columns += [] if row.address == said.address else ["address"]
        columns += self._words(said, row, texts)
        for column in columns:
            yield self.lines.finding(DIFFERS, TABLE, row.id, column)

    @staticmethod
    def _words(said: Said, row: Row, texts: Texts) -> list[str]:
        kept = texts.words.get(said.digest)
        if kept is None:  # the text version is gone or wrong: the row's own words can still be the right ones
            return [] if digest_of(row.words) == said.digest else ["text"]
        columns = [name for name, must, is_ in zip(WORDS, kept, row.words, strict=True) if must != is_]
        return columns if row.sameness == sameness(kept[1]) else [*columns, "sameness"]

    def _extra(self) -> Iterator[Finding]:
        if rows(COUNT, self.owner)[0][0] == self.known:
            return
        for (pk,) in in_turn(IDS, AT_ONCE, self.owner):
            said = self.notes.rows(SAID, pk)
            if not said or not said[0][0]:
                yield self.lines.finding(FORGOTTEN if said else EXTRA, TABLE, pk)
