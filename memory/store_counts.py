"""Counts and sizes of the store, for whoever looks after it: of an owner's entries, of the indexes, of the tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import DatabaseError

from forgesite.models import Account
from forgesite.owned import owner_id
from memory import consistency, word_index
from memory.proof.reading import rows

BY_KIND_AND_DAY = """
SELECT kind, status, substr(recorded_at, 1, 10), COUNT(*) FROM memory_entry WHERE owner_id = %s
GROUP BY kind, status, 3
"""
#: Entries of an owner that wait for their vectors, by why.
WAITING = """
SELECT p.why, COUNT(*), MIN(e.id), MAX(p.tries), MIN(p.retry_at)
FROM memory_vec_pending p JOIN memory_entry e ON e.id = p.entry_id
WHERE e.owner_id = %s GROUP BY p.why ORDER BY COUNT(*) DESC, p.why LIMIT 20
"""
COUNTS = f"""
{consistency.COUNTS},
    (SELECT COUNT(*) FROM memory_vector),
    (SELECT COUNT(*) FROM memory_vec_queue),
    (SELECT COUNT(*) FROM memory_words_queue)
"""
#: What fails where an index is broken, or is not made yet. The rowids of vec0 are a plain table, which is counted
#: without the extension.
DOCUMENTS, INDEXED = "SELECT COUNT(*) FROM memory_fts_docsize", "SELECT COUNT(*) FROM memory_vec_rowids"
ALL = f"{COUNTS}, ({DOCUMENTS}), ({INDEXED}), ({word_index.PROBE})"
SIZES = "SELECT name, SUM(pgsize) FROM dbstat WHERE aggregate = TRUE GROUP BY name ORDER BY 2 DESC, name LIMIT 40"
WEEK = timedelta(days=7)


@dataclass(frozen=True)
class Counted:
    """Entries of one kind and status that were recorded on one day, and are there now."""

    kind: str
    status: str
    day: date
    count: int


@dataclass(frozen=True)
class Waiting:
    """`entry`: the first of them. `retry_at`: seconds since 1970, 0 for at once."""

    why: str
    count: int
    entry: int
    tries: int
    retry_at: float


@dataclass(frozen=True)
class Indexes:
    """Of all accounts. `vectors`: parts; `indexed`: of these in the index, None before there is one.

    `vectors_queued`, `words_queued`: changes that the next search brings into the indexes. `documents`: entries that
    the word index holds, None where it cannot be read. `complaint`: what is wrong with that, in SQLite's words.
    """

    counts: consistency.Counts
    vectors: int
    vectors_queued: int
    words_queued: int
    documents: int | None
    indexed: int | None
    complaint: str = ""

    @property
    def words_follow(self) -> bool:
        return self.documents == self.counts.words == self.counts.entries

    @property
    def vectors_follow(self) -> bool:
        return self.indexed == self.vectors


@dataclass(frozen=True)
class Week:
    """Entries that are there now and were recorded in the week that begins on that Monday, and all up to its end."""

    monday: date
    new: int
    total: int


@dataclass(frozen=True)
class Table:
    name: str
    size: int


def counted(owner: Account) -> list[Counted]:
    return [
        Counted(kind, status, date.fromisoformat(day), n)
        for kind, status, day, n in rows(BY_KIND_AND_DAY, owner_id(owner))
    ]


def by_kind(found: Iterable[Counted]) -> dict[str, dict[str, int]]:
    """Kind → status → how many."""
    kinds: dict[str, dict[str, int]] = {}
    for one in found:
        of_kind = kinds.setdefault(one.kind, {})
        of_kind[one.status] = of_kind.get(one.status, 0) + one.count
    return kinds


def waiting(owner: Account) -> list[Waiting]:
    """The twenty commonest reasons."""
    return [Waiting(*row) for row in rows(WAITING, owner_id(owner))]


def indexes() -> Indexes:
    """One query where nothing is wrong."""
    complaint = ""
    try:
        [found] = rows(ALL)
    except DatabaseError:
        [found], complaint = rows(COUNTS), word_index.probe()
        found = (*found, _one(DOCUMENTS), _one(INDEXED))
    vectors, vectors_queued, words_queued, documents, indexed = found[5:10]
    counts = consistency.Counts(*found[:5])
    return Indexes(counts, vectors, vectors_queued, words_queued, documents, indexed, complaint)


def _one(statement: str) -> int | None:
    try:
        return int(rows(statement)[0][0])
    except DatabaseError:
        return None


def by_week(found: Sequence[Counted], most: int = 52) -> list[Week]:
    """Every week since the first entry, those without a new one too; the last `most` of them. Days are UTC's."""
    if not found:
        return []
    new: dict[date, int] = {}
    for one in found:
        monday = one.day - timedelta(days=one.day.weekday())
        new[monday] = new.get(monday, 0) + one.count
    weeks, total, monday = [], 0, min(new)
    while monday <= max(new):
        total += new.get(monday, 0)
        weeks.append(Week(monday, new.get(monday, 0), total))
        monday += WEEK
    return weeks[-most:]


def tables() -> list[Table] | None:
    """What each table and index takes; None where this SQLite cannot say. It reads every page of the file."""
    try:
        return [Table(name, size) for name, size in rows(SIZES)]
    except DatabaseError:
        return None
