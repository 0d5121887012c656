"""The words, vectors and index rows of entries, against the entries and the digests of their vectors in the chain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.conf import settings

from memory import vector_channel
from memory.domain.chain import vectors_digest
from memory.domain.parts import parts
from memory.domain.words import indexed
from memory.proof.findings import DIFFERS, INDEX, MISSING, Finding, Lines
from memory.proof.notes import Notes, Said
from memory.proof.reading import AT_ONCE, rows_of

WORDS, QUEUE, PENDING = "memory_words", "memory_words_queue", "memory_vec_pending"
VECTOR = "memory_vector"
ROWS = """
SELECT e.id, e.text, e.salt, e.version, w.words, w.neighbours,
    EXISTS (SELECT 1 FROM memory_words_queue q WHERE q.entry_id = e.id),
    EXISTS (SELECT 1 FROM memory_vec_pending p WHERE p.entry_id = e.id)
FROM memory_entry e LEFT JOIN memory_words w ON w.entry_id = e.id WHERE e.id IN ({ids})
"""
VECTORS = """
SELECT v.entry_id, v.id, v.version, v.part, v.regime, v.dim, v.vector
FROM memory_vector v WHERE v.entry_id IN ({ids}) ORDER BY v.entry_id, v.version, v.part, v.regime
"""


class Row(NamedTuple):
    """An entry, and what the indexes have of it."""

    id: int
    text: Any
    salt: Any
    version: int
    words: Any
    neighbours: Any
    queued: int
    waits: int


class Part(NamedTuple):
    entry: int
    id: int
    version: int
    part: int
    regime: str
    dim: int
    vector: bytes


@dataclass(frozen=True)
class Index:
    """The regime and dimension that the index of vectors is made for; None where there is none that can be read."""

    made_for: tuple[str, int] | None

    @classmethod
    def read(cls) -> Index:
        return cls(vector_channel.made_for() if vector_channel.available() else None)


def findings(notes: Notes, lines: Lines, index: Index) -> Iterator[Finding]:
    """Of every entry that the chain knows."""
    for living in notes.living(AT_ONCE):
        ids = [said.entry for said in living]
        there = {row[0]: Row._make(row) for row in rows_of(ROWS, ids)}
        vectors = map(Part._make, rows_of(VECTORS, ids))
        of = {entry: list(some) for entry, some in groupby(vectors, key=attrgetter("entry"))}
        for said in living:
            if row := there.get(said.entry):
                yield from _words(row, lines)
                yield from _vectors(said, row, of.get(row.id, []), lines, index)


def _words(row: Row, lines: Lines) -> Iterator[Finding]:
    """An entry that waits to be folded has its plain words meanwhile."""
    if row.words is None:
        yield lines.finding(INDEX, WORDS, row.id)
        return
    is_right = isinstance(row.text, str) and row.words == indexed(row.text)
    if not is_right and not (row.queued and row.words == row.text):
        yield lines.finding(INDEX, WORDS, row.id, "words")
    if row.neighbours != "":
        yield lines.finding(INDEX, WORDS, row.id, "neighbours")
    if is_right and row.queued and not lines.about("memory_entry", row.id):
        yield lines.finding(INDEX, QUEUE, row.id)


def _vectors(said: Said, row: Row, found: Sequence[Part], lines: Lines, index: Index) -> Iterator[Finding]:
    beside = _beside(said, row, found, index)
    found = [part for part in found if part.regime not in beside]
    if not found:
        yield from _without(said, row, lines)
        return
    if column := _differs(said, row, found):
        yield lines.finding(DIFFERS, VECTOR, _row_of(found, lines), column, entry=row.id)
    for place, part in enumerate(found):
        for column in _columns(part, place, row, found[0]):
            yield lines.finding(DIFFERS, VECTOR, part.id, column, entry=row.id)
    if row.waits and (found[0].regime, found[0].dim) == (index.made_for or (found[0].regime, found[0].dim)):
        yield lines.finding(INDEX, PENDING, row.id)


def _beside(said: Said, row: Row, found: Sequence[Part], index: Index) -> frozenset[str]:
    """The regimes of whole sets of vectors that wait for the swap to another model: in no index, and named by nobody.

    None of them has the name that the chain knows, or the very vectors that it names.
    """
    of: dict[str, list[Part]] = {}
    for part in found:
        of.setdefault(part.regime, []).append(part)
    named, indexed = said.embedded.split("/")[0], index.made_for[0] if index.made_for else ""
    return frozenset(
        regime
        for regime, parts in of.items()
        if regime not in (named, indexed)
        and not any(_columns(part, place, row, parts[0]) for place, part in enumerate(parts))
        and digest_of_vectors(row.salt, named, [part.vector for part in parts]) != said.embedded
    )


def _without(said: Said, row: Row, lines: Lines) -> Iterator[Finding]:
    """It waits for them, also where a rebuild dropped what was not theirs; or there is nothing in it to embed."""
    if row.waits:
        return
    if said.embedded:
        yield lines.finding(MISSING, VECTOR, None, entry=row.id)
    elif isinstance(row.text, str) and parts(row.text, settings.FORGE.EMBEDDING_MAX_CHARS, 1).texts:
        yield lines.finding(INDEX, PENDING, row.id)


def _differs(said: Said, row: Row, found: Sequence[Part]) -> str:
    """The column by which the vectors are not those that the chain names; empty where they are."""
    regime, blobs = found[0].regime, [part.vector for part in found]
    if digest_of_vectors(row.salt, regime, blobs) == said.embedded:
        return ""
    named = said.embedded.split("/")
    if named[0] != regime and digest_of_vectors(row.salt, named[0], blobs) == said.embedded:
        return "regime"
    return "vector" if named[1:2] == [str(len(found))] else ""


def digest_of_vectors(salt: Any, regime: str, blobs: Sequence[Any]) -> str:
    """What a commit would say of them. Of what is no vector, what none would."""
    return vectors_digest(salt, regime, blobs) if all(isinstance(blob, bytes) for blob in blobs) else "none"


def _row_of(found: Sequence[Part], lines: Lines) -> int:
    """The one that was changed from outside, where a line tells."""
    return next((part.id for part in found if (VECTOR, part.id) in lines.of), found[0].id)


def _columns(part: Part, place: int, row: Row, first: Part) -> list[str]:
    """What no digest says: counts, and at which version they were made."""
    wrong = {
        "part": part.part != place,
        "dim": part.dim * 4 != len(part.vector),
        "version": part.version != first.version or part.version > row.version,
        "regime": part.regime != first.regime,
    }
    return [column for column, is_wrong in wrong.items() if is_wrong]
