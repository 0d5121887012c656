"""The ledger's index, which says what entries a commit is of, against the commits themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db import connection

from memory.domain.chain import FIRST
from memory.ledger import LINKING, touched
from memory.proof.findings import BROKEN, DIFFERS, EXTRA, MISSING, Finding, Lines
from memory.proof.reading import rows

TABLE = "memory_commitentry"
OF_OWNER = """
SELECT t.id, t.commit_id, t.position, t.entry, +t.states, c.owner_id, c.tick
FROM memory_commit c CROSS JOIN memory_commitentry t ON t.commit_id = c.id
WHERE c.owner_id = %s ORDER BY c.tick, t.position, t.entry
"""
ADRIFT = """
SELECT t.id, t.commit_id, t.position, t.entry, +t.states, e.owner_id, NULL
FROM memory_commitentry t LEFT JOIN memory_commit c ON c.id = t.commit_id
LEFT JOIN memory_entry e ON e.id = t.entry
WHERE c.id IS NULL ORDER BY t.id
"""
IS_THERE = "SELECT EXISTS (SELECT 1 FROM memory_commit WHERE id = %s)"
#: What a line says: position, entry, and whether it is stated there.
Said = tuple[int, int, int]


class Line(NamedTuple):
    """A row of the index. `owner`: the commit's; of one without a commit the entry's, if that is there."""

    id: int
    commit: int
    position: int
    entry: int
    states: int
    owner: int | None
    tick: int | None

    @property
    def said(self) -> Said:
        return self[2:5]


class Due(NamedTuple):
    """A row that is not there."""

    commit: int
    said: Said


def adrift() -> list[Line]:
    """The rows, of everybody, whose commit is not there: it was cut off, or the row names the wrong one."""
    return [Line._make(row) for row in rows(ADRIFT)]


def due(changes: Sequence[dict[str, Any]]) -> list[Said]:
    """What the index must have of a commit of the present form, in order."""
    return sorted(
        (position, entry, int(change["do"] not in LINKING))
        for position, change in enumerate(changes)
        for entry in touched(change)
    )


class Touches:
    """The index of one owner's chain, compared commit by commit, in order."""

    def __init__(self, owner: int, lines: Lines) -> None:
        self.missing: list[Due] = []
        self.extra: list[Line] = []
        self._lines = lines
        self._groups = self._read(owner)
        self._next = next(self._groups, None)

    @staticmethod
    def _read(owner: int) -> Iterator[tuple[int, list[Line]]]:
        with connection.cursor() as cursor:
            cursor.execute(OF_OWNER, [owner])
            for tick, some in groupby(cursor, key=itemgetter(6)):
                yield tick, [Line._make(row) for row in some]

    def compare(self, commit: int, tick: int, form: int, changes: Sequence[dict[str, Any]]) -> None:
        there = self._of(tick)
        if form == FIRST:  # it names no ids: only how many entries it is of can be told
            self._differ(commit, there, [(position, 0, 0) for position in range(len(changes))], (0, 2))
        else:
            self._differ(commit, there, due(changes), (0, 1, 2))

    def _of(self, tick: int) -> list[Line]:
        while self._next and self._next[0] < tick:
            self._next = next(self._groups, None)
        return self._next[1] if self._next and self._next[0] == tick else []

    def _differ(self, commit: int, there: Sequence[Line], wanted: Sequence[Said], told: Sequence[int]) -> None:
        tell = itemgetter(*told)
        if [tell(row.said) for row in there] == [tell(said) for said in wanted]:
            return
        is_, must = {tell(row.said) for row in there}, {tell(said) for said in wanted}
        self.missing += [Due(commit, said) for said in wanted if tell(said) not in is_]
        self.extra += [row for row in there if tell(row.said) not in must]

    def pairs(self, adrift: Sequence[Line]) -> list[tuple[Line | None, Due | None]]:
        """What is there, and what must be. A row that is like one that is missing in all but one column is that one."""
        found: list[tuple[Line | None, Due | None]] = []
        missing = list(self.missing)
        for row in (*self.extra, *adrift):
            pair = next((each for each in missing if _column(each, row)), None)
            if pair:
                missing.remove(pair)
            if pair or row.tick is not None:
                found.append((row, pair))
        return [*found, *((None, each) for each in missing)]

    def findings(self, adrift: Sequence[Line]) -> list[Finding]:
        return [self._finding(row, due) for row, due in self.pairs(adrift)]

    def _finding(self, row: Line | None, due: Due | None) -> Finding:
        if row is None:
            return self._lines.finding(MISSING, TABLE, None, entry=due.said[1] if due else None)
        return self._lines.finding(DIFFERS if due else EXTRA, TABLE, row.id, _column(due, row) if due else "")

    def cut(self, adrift: Sequence[Line], next_tick: int) -> Finding | None:
        """Is the chain cut off at its end? Then rows of its index are adrift that are missing nowhere, or a line says
        that a commit was deleted."""
        loose = [row for row in adrift if not any(_column(each, row) for each in self.missing)]
        gone = [row for (table, row), line in self._lines.of.items() if table == "memory_commit" and _is_gone(row)]
        if not loose and not gone:
            return None
        return self._lines.finding(BROKEN, "memory_commit", (gone or [loose[0].commit])[0], "tick", tick=next_tick)


def _column(due: Due, row: Line) -> str:
    """The only column in which they differ; empty where there is more than one."""
    pairs = zip(("commit_id", "position", "entry", "states"), (due.commit, *due.said), row[1:5], strict=True)
    columns = [column for column, must, is_ in pairs if must != is_]
    return columns[0] if len(columns) == 1 else ""


def _is_gone(commit: int) -> bool:
    return not rows(IS_THERE, commit)[0][0]
