"""Vectors of another regime beside those that the index is made for, until they take their place. All of it in SQL.

`memory_vector` is keyed by regime, so that both can stand in it: nothing finds the new ones before the swap, and until
then the old ones are what the ledger names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from django.db import connection

from memory import vector_channel
from memory.vector_channel import Kept

HAS = "SELECT EXISTS (SELECT 1 FROM memory_vector WHERE regime = %s AND dim = %s)"
OLDEST = "SELECT regime, dim FROM memory_vector ORDER BY id LIMIT 1"
OF_REGIME = """
EXISTS (SELECT 1 FROM memory_vector v WHERE v.entry_id = e.id AND v.regime = %s AND v.dim = %s)
"""
COUNTS = f"SELECT COUNT(*), COALESCE(SUM({OF_REGIME}), 0) FROM memory_entry e"
LACKING = f"""
SELECT e.id, e.version, e.text FROM memory_entry e WHERE e.id > %s AND NOT {OF_REGIME} ORDER BY e.id LIMIT %s
"""
TEXTS = "SELECT id, version, text FROM memory_entry WHERE id IN ({ids})"
DROP_OF_ENTRY = "DELETE FROM memory_vector WHERE entry_id = %s AND regime = %s"
#: What has vectors of the new model alone waits for the old one, which may be served again.
STILL_WAITS = f"""
INSERT INTO memory_vec_pending (entry_id) SELECT e.id FROM memory_entry e WHERE e.id = %s AND NOT {OF_REGIME}
AND NOT EXISTS (SELECT 1 FROM memory_vec_pending p WHERE p.entry_id = e.id)
"""
#: Somebody else's program wrote these: nothing names them before they were made again.
DROP_TOUCHED = """
DELETE FROM memory_vector WHERE regime = %s
AND id IN (SELECT row_id FROM memory_change_log WHERE tbl = 'memory_vector')
"""
OWNED = f"""
SELECT e.id FROM memory_entry e WHERE e.owner_id = %s AND {OF_REGIME} ORDER BY e.id
"""
BLOBS = """
SELECT entry_id, CAST(vector AS BLOB) FROM memory_vector WHERE regime = %s AND entry_id IN ({ids})
ORDER BY entry_id, part
"""
NAME = "UPDATE memory_entry SET embedded = %s WHERE id = %s"
DROP_BEFORE = "DELETE FROM memory_vector WHERE entry_id = %s AND regime = %s AND dim = %s"
DROP_OTHERS = "DELETE FROM memory_vector WHERE regime <> %s OR dim <> %s"


class Made(NamedTuple):
    """A regime and its dimension."""

    regime: str
    dim: int


class Text(NamedTuple):
    """An entry's words, as they were when they were read."""

    id: int
    version: int
    text: str


def stored() -> Made | None:
    """What search by meaning rests on: the index's regime, or, before there is an index, that of the oldest vector.

    None where there is no vector of it, and so nothing to lose.
    """
    return stored_beside(vector_channel.made_for())


def stored_beside(made: tuple[str, int] | None) -> Made | None:
    """The same, where it is known already what the index is made for."""
    with connection.cursor() as cursor:
        if made and cursor.execute(HAS, made).fetchone()[0]:
            return Made(*made)
        found = cursor.execute(OLDEST).fetchone()
    return Made(*found) if found else None


def counts(made: Made) -> tuple[int, int]:
    """How many entries there are, and how many of them have vectors of that regime."""
    with connection.cursor() as cursor:
        entries, done = cursor.execute(COUNTS, made).fetchone()
    return int(entries), int(done)


def lacking(made: Made, after: int, limit: int) -> list[Text]:
    """The next entries without vectors of that regime, by their ids."""
    with connection.cursor() as cursor:
        return [Text(*row) for row in cursor.execute(LACKING, [after, *made, limit]).fetchall()]


def keep_beside(rows: Sequence[Kept], before: Made | None) -> None:
    """Store vectors beside the others of their entries. Call it in a transaction that has looked at the texts."""
    entries = [(row.entry, row.regime) for row in rows if row.part == 0]
    with connection.cursor() as cursor:
        cursor.executemany(DROP_OF_ENTRY, entries)
        vector_channel.keep(rows)
        if before:
            cursor.executemany(STILL_WAITS, [(entry, *before) for entry, _regime in entries])


def unchanged(texts: Sequence[Text]) -> frozenset[int]:
    """Those of the entries that still have these words."""
    with connection.cursor() as cursor:
        cursor.execute(TEXTS.format(ids=", ".join(["%s"] * len(texts))), [text.id for text in texts])
        now = {row[0]: Text(*row) for row in cursor.fetchall()}
    return frozenset(text.id for text in texts if now.get(text.id) == text)


def drop_touched(made: Made) -> int:
    """Take away the vectors of that regime that were changed outside Forge. How many there were."""
    with connection.cursor() as cursor:
        return int(cursor.execute(DROP_TOUCHED, [made.regime]).rowcount)


def having(owner: int, made: Made) -> list[int]:
    """The owner's entries with vectors of that regime, oldest first."""
    with connection.cursor() as cursor:
        return [row[0] for row in cursor.execute(OWNED, [owner, *made]).fetchall()]


def blobs(entries: Sequence[int], made: Made) -> dict[int, list[bytes]]:
    """Of each of these entries its vectors of that regime, in order."""
    found: dict[int, list[bytes]] = {}
    with connection.cursor() as cursor:
        cursor.execute(BLOBS.format(ids=", ".join(["%s"] * len(entries))), [made.regime, *entries])
        for entry, blob in cursor.fetchall():
            found.setdefault(entry, []).append(blob)
    return found


def name(named: Iterable[tuple[int, str]]) -> None:
    """Write into the rows what a commit says of their vectors."""
    with connection.cursor() as cursor:
        cursor.executemany(NAME, [(digest, entry) for entry, digest in named])


def drop_before(entries: Iterable[int], before: Made) -> None:
    """Take away the vectors of these entries that were searched until now: they wait, should their model be back."""
    values = [(entry, *before) for entry in entries]
    with connection.cursor() as cursor:
        cursor.executemany(DROP_BEFORE, values)
        cursor.executemany(STILL_WAITS, values)


def drop_others(made: Made) -> None:
    """Take away every vector of another regime. What has none of this one waits, and nothing else does."""
    with connection.cursor() as cursor:
        cursor.execute(DROP_OTHERS, made)
        cursor.execute(vector_channel.EMPTY_PENDING)
        cursor.execute(vector_channel.REFILL_PENDING, made)


def indexed_parts(entries: Iterable[int]) -> dict[int, list[tuple[str, bytes]]]:
    """Of each of these entries its vectors, regime and blob, in order; without those that wait for a swap."""
    made = stored()
    found = vector_channel.parts_of(entries)
    return {entry: [part for part in parts if made is None or part[0] == made.regime] for entry, parts in found.items()}


def batched(ids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    return (ids[start : start + size] for start in range(0, len(ids), size))
