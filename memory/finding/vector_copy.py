"""A copy of one owner's vectors, each number in eight bits, and what moved in the index since it was read.

Whoever drains the queue of the index adds a line to `memory_vec_moved` for each vector. A line has a number and a
random mark: where the last line that was read is not there any more, or another, all is read anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from forgesite.lib.vectors import STORED, Vector, packed
from memory.domain.quantised import Places, Quantised, quantised, room, write
from memory.domain.scope import Scope
from memory.proof.snapshot import unmapped
from memory.vector_channel import SHOWN, STATE, Part

#: So much more room than rows, and for so many rows at least: what was taken out is cleared away when it is used up.
SPARE, LEAST_SPARE = 8, 1024
READ_AT_ONCE = 250
#: The state of a row that was taken out; no text has this number.
GONE = -1

LAST = "SELECT id, mark FROM memory_vec_moved ORDER BY id DESC LIMIT 1"
STANDING = f"SELECT s.regime, s.dim, l.id, l.mark FROM ({STATE}) s LEFT JOIN ({LAST}) l"
MOVED = "SELECT id, mark, vector_id FROM memory_vec_moved WHERE id >= %s ORDER BY id"
ENTRIES = "SELECT COUNT(*) FROM memory_entry WHERE owner_id = %s"
#: A vector of another length than its row says is no copy's: vec0 refuses it.
COLUMNS = f"v.id, e.id, e.kind, e.project, {SHOWN}, v.vector"
SOUND = "e.owner_id = %s AND v.regime = %s AND v.dim = %s AND length(v.vector) = 4 * v.dim ORDER BY e.id"
ROWS = f"SELECT {COLUMNS} FROM memory_entry e JOIN memory_vector v ON v.entry_id = e.id WHERE {SOUND}"
#: In this order: SQLite would begin with all entries of the owner.
AMONG = f"""
SELECT {COLUMNS} FROM json_each(%s) j CROSS JOIN memory_vector v ON v.id = j.value
CROSS JOIN memory_entry e ON e.id = v.entry_id WHERE {SOUND}
"""
MEASURED = """
SELECT entry_id, vec_distance_l2(vector, %s) FROM memory_vector
WHERE id IN (SELECT value FROM json_each(%s)) AND regime = %s AND dim = %s
"""


class Codes(dict[str, int]):
    """A number for each text; one that is new gets the next."""

    def __missing__(self, text: str) -> int:
        self[text] = len(self)
        return self[text]


class Key(NamedTuple):
    """Whose vectors: in which file, of which owner, in which regime."""

    file: str
    owner: int
    regime: str
    dim: int


class Line(NamedTuple):
    """The last one that was read."""

    id: int
    mark: int


@dataclass(frozen=True)
class Copy:
    """The vectors of an owner as they were at a line.

    `columns` (vector, entry, kind and project of each row) and `rows` have more room than the `count` that are written:
    a later copy writes there, and nothing that this one counts. `states` does change, and each copy has its own. Texts
    stand as numbers, in `codes`.
    """

    line: Line
    count: int
    columns: NDArray[np.int64]
    states: NDArray[np.int64]
    rows: Quantised
    codes: Codes = field(default_factory=Codes)

    @property
    def nbytes(self) -> int:
        return self.rows.nbytes + self.columns.nbytes + self.states.nbytes

    def places(self, scope: Scope, states: Sequence[str]) -> Places:
        """Of the rows of this kind and project that are in one of these states."""
        wanted = np.isin(self.states, [self.codes[state] for state in states if state in self.codes])
        for column, text in zip(self.columns[2:, : self.count], (scope.kind or None, scope.project), strict=True):
            if text is not None:
                wanted &= column == self.codes.get(text, GONE)
        return np.flatnonzero(wanted)


def size(entries: int, dim: int) -> int:
    """Bytes that the copy of so many entries takes, where each has one vector."""
    return (entries + max(entries // SPARE, LEAST_SPARE)) * (dim + 6 * 8)


def entries_of(owner: int) -> int:
    with connection.cursor() as cursor:
        return int(cursor.execute(ENTRIES, [owner]).fetchone()[0])


def last_line() -> Line | None:
    """None where somebody emptied the table."""
    with connection.cursor() as cursor:
        found = cursor.execute(LAST).fetchone()
    return Line(*found) if found else None


def standing() -> tuple[str, int, Line | None] | None:
    """What the index is made for, and the last line, in one query; None before there is an index."""
    with connection.cursor() as cursor:
        found = cursor.execute(STANDING).fetchone()
    return found and (str(found[0]), int(found[1]), None if found[2] is None else Line(*found[2:]))


def read(key: Key, line: Line, entries: int) -> Copy:
    """All of it, as it is at that line; `entries`: about how many there are."""
    spare = entries + max(entries // SPARE, LEAST_SPARE)
    states = np.empty(0, dtype=np.int64)
    copy = Copy(line, 0, np.empty((4, spare), dtype=np.int64), states, room(spare, key.dim))
    with unmapped():
        for some in _rows(ROWS, *key[1:]):
            copy = _with(copy, some)
    return copy


def brought_up_to(line: Line, copy: Copy, key: Key) -> Copy | None:
    """With what moved until that line, the last one; None where it is too far behind, or of another history."""
    with connection.cursor() as cursor:
        lines = cursor.execute(MOVED, [copy.line.id]).fetchall()
    if not lines or Line(*lines[0][:2]) != copy.line:
        return None
    moved = sorted({vector for _id, _mark, vector in lines[1:]})
    states = copy.states.copy()
    states[np.isin(copy.columns[0, : copy.count], moved)] = GONE
    copy = replace(copy, line=line, states=states)
    for some in _rows(AMONG, str(moved), *key[1:]):
        copy = _with(copy, some)
    return copy


def measured(ids: NDArray[np.int64], vector: Vector, key: Key) -> list[Part]:
    """Entry and distance of each of these vectors that is still there, nearest first."""
    with connection.cursor() as cursor:
        cursor.execute(MEASURED, [packed(vector), str(ids.tolist()), key.regime, key.dim])
        parts = [(row[0], float(row[1])) for row in cursor.fetchall() if row[1] is not None]
    return sorted(parts, key=lambda part: (part[1], part[0]))


def _rows(statement: str, *values: str | int) -> Iterator[list[tuple[Any, ...]]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        while some := cursor.fetchmany(READ_AT_ONCE):
            yield some


def _with(copy: Copy, some: Sequence[tuple[Any, ...]]) -> Copy:
    vectors = np.frombuffer(b"".join(row[5] for row in some), dtype=STORED).reshape(len(some), -1)
    sound = np.isfinite(vectors).all(axis=1)  # vec0 has no distance for the others
    ids, entries, *texts, _blobs = zip(*some, strict=True)
    numbers = [ids, entries, *([copy.codes[text] for text in column] for column in texts)]
    fresh = np.array(numbers, dtype=np.int64)[:, sound]
    copy = _with_room(copy, fresh.shape[1])
    end = copy.count + fresh.shape[1]
    copy.columns[:, copy.count : end] = fresh[:4]
    write(copy.rows, copy.count, quantised(vectors[sound].astype(np.float32, copy=False)))
    return replace(copy, count=end, states=np.concatenate([copy.states, fresh[4]]))


def _with_room(copy: Copy, more: int) -> Copy:
    """For so many rows; elsewhere, and without those that are gone, where there is none."""
    if copy.count + more <= len(copy.rows):
        return copy
    left = np.flatnonzero(copy.states != GONE)
    spare = len(left) + more
    spare += max(spare // SPARE, LEAST_SPARE)
    columns, rows = np.empty((4, spare), dtype=np.int64), room(spare, copy.rows.whole.shape[1])
    columns[:, : len(left)] = copy.columns[:, left]
    write(rows, 0, copy.rows[left])
    return replace(copy, count=len(left), columns=columns, rows=rows, states=copy.states[left])
