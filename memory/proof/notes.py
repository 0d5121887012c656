"""What a chain says, noted in a scratch while it is replayed, and read back in order of entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from memory.domain.chain import entry_address
from memory.domain.proof import STATED, row_of
from memory.domain.states import ADOPT, FORGET, RELATE, UNRELATE

SAY = f"""
INSERT INTO said (entry, address, adopted, {", ".join(STATED)}) VALUES (?, ?, ?{", ?" * len(STATED)})
ON CONFLICT (entry) DO UPDATE SET adopted = COALESCE(excluded.adopted, adopted),
{", ".join(f"{name} = excluded.{name}" for name in STATED)}
"""
BURY = """
INSERT INTO said (entry, address, forgotten, forgotten_at) VALUES (?, ?, ?, ?)
ON CONFLICT (entry) DO UPDATE SET forgotten = excluded.forgotten, forgotten_at = excluded.forgotten_at
"""
WAS = "INSERT INTO was (entry, tick, version, digest) VALUES (?, ?, ?, ?)"
NAME = "INSERT INTO named (entry, digest) VALUES (?, ?) ON CONFLICT DO NOTHING"
ERASE = "UPDATE named SET erased = 1 WHERE entry = ? AND digest = ?"
LINK = "INSERT OR REPLACE INTO link (id, type, entry, other, digest, since) VALUES (?, ?, ?, ?, ?, ?)"
UNLINK = "UPDATE link SET until = ? WHERE id = ?"
ONE = f"SELECT forgotten, entry, address, {', '.join(STATED)} FROM said WHERE entry = ?"
AT_ADDRESS = "SELECT entry FROM said WHERE address = ? AND forgotten IS NULL"
ONE_LINK = "SELECT type, entry, other, digest, since, until FROM link WHERE id = ?"
LIVING = f"""
SELECT entry, address, {", ".join(STATED)} FROM said
WHERE entry > ? AND forgotten IS NULL ORDER BY entry LIMIT ?
"""
NAMED = "SELECT entry, digest FROM named WHERE entry BETWEEN ? AND ? AND NOT erased"
#: Changes that are noted together.
AT_ONCE = 1000


@dataclass(frozen=True)
class Said:
    """An entry as the chain says it is: `row` has the columns of STATED. `names`: digests of all its words, then and
    now, that are not erased."""

    entry: int
    address: str
    row: tuple[Any, ...]
    names: frozenset[str]

    @property
    def columns(self) -> dict[str, Any]:
        return dict(zip(STATED, self.row, strict=True))

    @property
    def digest(self) -> str:
        return str(self.row[DIGEST])

    @property
    def embedded(self) -> str:
        return str(self.row[EMBEDDED])


class SaidLink(NamedTuple):
    """A link as the chain says it is: the columns of its row."""

    type: str
    entry_id: int
    other_id: int
    digest: str
    since: int
    until: int | None


DIGEST, EMBEDDED = STATED.index("digest"), STATED.index("embedded")


class Notes:
    """Over the connection to a scratch."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self._said: dict[int, list[Any]] = {}
        self._was: list[tuple[int, int, int | None, str]] = []
        self._named: list[tuple[int, str]] = []
        self._rest: list[tuple[str, tuple[Any, ...]]] = []

    def take(self, tick: int, commit: str, at: str, changes: Sequence[dict[str, Any]]) -> None:
        """Note the changes of the next commit, which are whole."""
        for position, change in enumerate(changes):
            do = change["do"]
            if do == RELATE:
                row = (change["link"], change["type"], change["id"], change["other"], change["digest"], tick)
                self._rest.append((LINK, row))
            elif do == UNRELATE:
                self._rest.append((UNLINK, (tick, change["link"])))
            elif do == FORGET:
                self._rest.append((BURY, (change["id"], change["entry"], commit, at)))
                self._was.append((change["id"], tick, None, ""))
            else:
                self._state(change, tick, commit, position)
        if len(self._named) + len(self._rest) >= AT_ONCE:
            self.flush()

    def _state(self, change: dict[str, Any], tick: int, commit: str, position: int) -> None:
        entry, row = change["id"], row_of(change)
        known = self._said.get(entry)
        address = known[1] if known else change.get("entry") or entry_address(commit, position)
        adopted = tick if change["do"] == ADOPT else known[2] if known else None
        self._said[entry] = [entry, address, adopted, *row]
        self._was.append((entry, tick, change["version"], change["words"]))
        self._named.append((entry, change["words"]))
        self._rest += [(ERASE, (entry, digest)) for digest in change.get("erased", ())]

    def flush(self) -> None:
        """Write what was taken. What is erased or ended was named or made before."""
        self.connection.executemany(SAY, self._said.values())
        self.connection.executemany(WAS, self._was)
        self.connection.executemany(NAME, self._named)
        for statement, rows in groupby(self._rest, key=itemgetter(0)):
            self.connection.executemany(statement, [row for _statement, row in rows])
        self._said, self._was, self._named, self._rest = {}, [], [], []

    def living(self, at_once: int) -> Iterator[list[Said]]:
        """The entries that were not forgotten, by id, so many at a time."""
        for rows in self.by_key(LIVING, at_once):
            names: dict[int, set[str]] = {}
            for entry, digest in self.rows(NAMED, rows[0][0], rows[-1][0]):
                names.setdefault(entry, set()).add(digest)
            yield [Said(row[0], row[1], row[2:], frozenset(names.get(row[0], ()))) for row in rows]

    def one(self, entry: int) -> Said | None:
        """How the chain says that this one is; None of one that it does not know, or that is forgotten."""
        for forgotten, *row in self.rows(ONE, entry):
            if forgotten is None:
                names = self.rows(NAMED, entry, entry)
                return Said(row[0], row[1], tuple(row[2:]), frozenset(digest for _entry, digest in names))
        return None

    def knows(self, entry: int) -> bool:
        """Also of one that is forgotten."""
        return bool(self.rows(ONE, entry))

    def at(self, address: str) -> list[int]:
        """The entry at an address."""
        return [entry for (entry,) in self.rows(AT_ADDRESS, address)]

    def link(self, pk: int) -> SaidLink | None:
        return next((SaidLink(*row) for row in self.rows(ONE_LINK, pk)), None)

    def by_key(self, statement: str, at_once: int) -> Iterator[list[tuple[Any, ...]]]:
        """By the first column, so many rows at a time. The statement's values: past which, how many."""
        last = 0
        while rows := self.rows(statement, last, at_once):
            yield rows
            last = rows[-1][0]

    def each(self, statement: str) -> Iterator[tuple[Any, ...]]:
        yield from self.connection.execute(statement)

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the scratch answers."""
        found: list[tuple[Any, ...]] = self.connection.execute(statement, values).fetchall()
        return found
