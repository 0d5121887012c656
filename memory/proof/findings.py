"""What a proof finds: one difference each, by table, row and column, fit to show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from memory.change_log import Line

BROKEN, MISSING, EXTRA, FORGOTTEN, DIFFERS = "broken_chain", "missing", "extra", "forgotten", "differs"
INDEX, DERIVED, TOUCHED, RECORDED = "index", "derived", "touched", "recorded"
#: What an adoption or a rebuild must leave as it is.
IMPOSSIBLE, LOST = "impossible", "lost"

#: Tables whose rows have the number of their entry.
BY_ENTRY = ("memory_entry", "memory_words", "memory_words_queue", "memory_vec_pending")
#: What a row of a table is called.
NAMES = {
    "memory_entry": gettext_noop("Entry #%(row)s"),
    "memory_link": gettext_noop("Link %(row)s"),
    "memory_vector": gettext_noop("Vector %(row)s"),
    "memory_commit": gettext_noop("Commit %(row)s"),
    "memory_commitentry": gettext_noop("Line %(row)s of the ledger's index"),
    "memory_textversion": gettext_noop("Text %(row)s"),
    "memory_tombstone": gettext_noop("Tombstone %(row)s"),
    "memory_erasure": gettext_noop("Certificate %(row)s"),
    "memory_refusal": gettext_noop("Refused write %(row)s"),
    "memory_receipt": gettext_noop("Receipt row %(row)s"),
    "memory_receiptentry": gettext_noop("Line %(row)s of the receipts’ index"),
}
SAID = {
    BROKEN: gettext_noop("The chain is broken at commit %(tick)s: its %(column)s is not what it must be."),
    MISSING: gettext_noop("%(what)s is gone, though the ledger says that it is there."),
    EXTRA: gettext_noop("%(what)s is there, though the ledger says nothing of it."),
    FORGOTTEN: gettext_noop("%(what)s was forgotten for good, and is there again."),
    DIFFERS: gettext_noop("%(what)s: “%(column)s” is not what the ledger says."),
    INDEX: gettext_noop("%(what)s: the index does not follow the rows (%(column)s)."),
    DERIVED: gettext_noop("%(what)s: “%(column)s” is not what its links mean, by the ledger itself."),
    TOUCHED: gettext_noop("%(what)s was changed, and is as the ledger says all the same."),
    IMPOSSIBLE: gettext_noop("%(what)s cannot be adopted: %(why)s."),
    LOST: gettext_noop("%(what)s cannot be restored: its words are kept nowhere else."),
    RECORDED: gettext_noop("%(what)s was changed, and commit %(tick)s stated it as it was found."),
}


@dataclass(frozen=True)
class Finding:
    """`outside`: triggers saw the change, so it was made with SQL; else it is damage. No word of an entry is in it.

    `row`: its id, None where it is of a table as a whole, or the row is not there. `column`: empty where it is of the
    whole row. `entry`: which entry it is about, where it is about one.
    """

    code: str
    table: str
    row: int | None
    column: str
    outside: bool
    message: str
    entry: int | None = None


@dataclass
class Lines:
    """The lines of one owner's rows in the change log, and which of them a finding was about."""

    all: list[Line] = field(default_factory=list)
    of: dict[tuple[str, int], Line] = field(default_factory=dict)
    by_entry: dict[tuple[str, int], Line] = field(default_factory=dict)
    met: set[tuple[str, int]] = field(default_factory=set)

    @classmethod
    def read(cls, lines: Iterable[Line]) -> Lines:
        made = cls()
        for line in lines:
            made.all.append(line)
            made.of[line.table, line.row] = line
            if line.entry is not None:
                made.by_entry[line.table, line.entry] = line
        return made

    def about(self, table: str, row: int | None, entry: int | None = None) -> Line | None:
        """The last line of this row; of one that is not there, of a row of that table and entry."""
        line = self.of.get((table, row)) if row is not None else self.by_entry.get((table, entry or 0))
        if line:
            self.met.add((line.table, line.row))
        return line

    def lend(self, table: str, row: int, other: int) -> None:
        """A row that went without a line of its own went as this other one came."""
        if line := self.of.get((table, other)):
            self.of.setdefault((table, row), line)

    def finding(
        self, code: str, table: str, row: int | None, column: str = "", *, entry: int | None = None, **more: Any
    ) -> Finding:
        """`entry`: whose the row is, where the row itself is not there to have a line. `tick`: the commit meant."""
        line = self.about(table, row, entry)
        message = _(SAID[code]) % {"what": _what(table, row, entry), "column": column, **more}
        about = entry or (row if table in BY_ENTRY else None)
        return Finding(code, table, row, column, line is not None, f"{message} {since(line)}", about)

    def of_entry(self, line: Line) -> Line | None:
        """The line of the entry's own row, where this one is of another row of it."""
        return self.of.get(("memory_entry", line.entry)) if line.entry is not None else None

    def left(self) -> list[Line]:
        """Those that no finding was about, in the order in which the rows were last changed."""
        lines = {line.id: line for key, line in self.of.items() if key not in self.met}
        return [lines[key] for key in sorted(lines)]


def _what(table: str, row: int | None, entry: int | None) -> str:
    if row is not None:
        return _(NAMES[table]) % {"row": row} if table in NAMES else f"{table} {row}"
    return _("What %(table)s has of entry #%(entry)s") % {"table": table, "entry": entry} if entry else table


def since(line: Line | None) -> str:
    """Whether somebody changed it, and when, or it is damage."""
    if line is None:
        return _("Nothing was logged: the database is damaged.")
    return _("It was changed outside Forge at %(at)s UTC.") % {"at": line.at[:19]}
