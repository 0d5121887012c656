"""The nearest vectors from copies in the memory of this process: a search reads them, and not the file.

It gives the rows and distances that vec0 gives: every row that can be among the nearest (domain/quantised.py) is then
measured from its stored vector, by the same function. vec0 is asked where an owner has few entries, or too many; for
the first scans of a process; while another thread reads; and in a transaction that moved vectors, for nothing is kept
of what may yet be undone.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection

from forgesite.lib.vectors import Vector
from memory import vector_channel
from memory.domain.quantised import bounds
from memory.domain.scope import Scope
from memory.finding import vector_copy
from memory.finding.vector_copy import Copy, Key, Line
from memory.proof.snapshot import snapshot
from memory.vector_channel import Near, Part


@dataclass(frozen=True)
class Limits:
    """`fewest`: with fewer entries vec0 takes 2 ms and less. `bytes`: of all copies of a process together: 210,000
    vectors of 512 numbers, or 110,000 of 1,024. `scans`: so many are left to vec0 first: reading takes as long as six
    of them, and a command that searches once does not pay for it.

    `seconds`: for so long an owner who still searches keeps the place, and one for whom there is none does not ask.
    """

    fewest: int = 2000
    bytes: int = 128 * 2**20
    scans: int = 3
    seconds: float = 600.0


class Copies:
    """Those of one process. Who changes them holds the lock; a copy that is being searched never changes."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._lock = threading.Lock()
        self._held: dict[Key, Copy] = {}
        self._asked: dict[Key, float] = {}
        self._refused: dict[Key, float] = {}
        self._scans: Counter[Key] = Counter()

    def nearest(self, vector: Vector, scope: Scope, states: Sequence[str], budget: int) -> list[Near]:
        """As vector_channel.nearest, to the bit; of equals at the end, those of the smallest ids."""
        with _one_moment() as is_committed:
            made = vector_copy.standing()
            key = Key(str(connection.settings_dict["NAME"]), scope.owner, *made[:2]) if made else None
            if made and key and (copy := self._at(made[2], key, is_committed)):
                return vector_channel.closest(_parts(copy, key, vector, scope, states), budget)
        return vector_channel.nearest(vector, scope, states, budget)

    def copy(self, key: Key, is_committed: bool) -> Copy | None:
        """As it is now; None where vec0 is to be asked. What is not committed is not read."""
        return self._at(vector_copy.last_line(), key, is_committed)

    def _at(self, line: Line | None, key: Key, is_committed: bool) -> Copy | None:
        copy = self._held.get(key)
        self._asked[key] = time.monotonic()
        if line and copy and copy.line == line:
            return copy
        if not line or not is_committed or not (copy or self._is_due(key)) or not self._lock.acquire(blocking=False):
            return None
        try:
            return self._read(key, line)
        finally:
            self._lock.release()

    def forget(self, file: str) -> None:
        """Let go of what was read of a file that goes itself."""
        with self._lock:
            for key in [key for key in self._held if key.file == file]:
                del self._held[key]

    def _is_due(self, key: Key) -> bool:
        self._scans[key] += 1
        refused = time.monotonic() - self._refused.get(key, float("-inf")) < self._limits.seconds
        return self._scans[key] > self._limits.scans and not refused

    def _read(self, key: Key, line: Line) -> Copy | None:
        before = self._held.pop(key, None)
        found = vector_copy.brought_up_to(line, before, key) if before else None
        if found is None:
            entries = vector_copy.entries_of(key.owner)
            if entries < self._limits.fewest or not self._has_room(key, vector_copy.size(entries, key.dim)):
                return None
            found = vector_copy.read(key, line, entries)
        if self._has_room(key, found.nbytes):
            self._held[key] = found
            return found
        return None

    def _has_room(self, key: Key, size: int) -> bool:
        """For so many bytes, if need be in the place of what nobody asked for lately."""
        now = time.monotonic()
        idle = [other for other in self._held if now - self._asked[other] >= self._limits.seconds]
        for other in sorted(idle, key=self._asked.__getitem__):
            if self._taken() + size > self._limits.bytes:
                del self._held[other]
        fits = self._taken() + size <= self._limits.bytes
        if not fits:
            self._refused[key] = now
        return fits

    def _taken(self) -> int:
        return sum(copy.nbytes for copy in self._held.values())


COPIES = Copies()


@contextmanager
def _one_moment() -> Iterator[bool]:
    """Of the store, and whether all of it is committed."""
    connection.ensure_connection()
    if connection.in_atomic_block or connection.connection.in_transaction:
        yield False
        return
    with snapshot():
        yield True


def _parts(copy: Copy, key: Key, vector: Vector, scope: Scope, states: Sequence[str]) -> Callable[[int], list[Part]]:
    found = bounds(copy.rows[: copy.count], copy.places(scope, states), vector)

    def parts(count: int) -> list[Part]:
        return vector_copy.measured(copy.columns[0, found.among(count)], vector, key)[:count]

    return parts
