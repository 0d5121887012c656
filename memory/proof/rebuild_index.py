"""Words, vectors and what waits for them, put back as the rows and the chain have them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import DatabaseError, connection, transaction

from memory import vector_channel, word_channel, word_index
from memory.domain.words import indexed
from memory.proof.findings import EXTRA, Finding
from memory.proof.notes import Said
from memory.proof.reading import rows
from memory.proof.verify_index import PENDING, QUEUE, VECTOR, WORDS, digest_of_vectors
from memory.verify import Proof

#: Rows that no entry has, by the table they are in, and their key there.
KEYS = {
    WORDS: "entry_id",
    QUEUE: "entry_id",
    "memory_words_ready": "entry_id",
    PENDING: "entry_id",
    VECTOR: "id",
}
TEXT = "SELECT text FROM memory_entry WHERE id = %s"
PUT_WORDS = """
INSERT INTO memory_words (entry_id, words, neighbours) VALUES (%s, %s, '')
ON CONFLICT (entry_id) DO UPDATE SET words = excluded.words, neighbours = ''
"""
VECTORS = """
SELECT v.id, v.vector, e.version, e.salt, v.version FROM memory_vector v JOIN memory_entry e ON e.id = v.entry_id
WHERE v.entry_id = %s ORDER BY v.id
"""
SET_VECTOR = "UPDATE memory_vector SET part = %s, regime = %s, dim = %s, version = %s WHERE id = %s"
WAIT = """
INSERT INTO memory_vec_pending (entry_id) SELECT %s
WHERE NOT EXISTS (SELECT 1 FROM memory_vec_pending WHERE entry_id = %s)
"""
QUEUE_VECTOR = """
INSERT INTO memory_vec_queue (vector_id) SELECT %s
WHERE NOT EXISTS (SELECT 1 FROM memory_vec_queue WHERE vector_id = %s)
"""


def index(proved: Proof) -> None:
    """Call it when the entries are as they must be."""
    _adrift(proved.findings)
    for pk in _entries(proved.findings, WORDS, QUEUE):
        _refold(pk)
    for pk in _entries(proved.findings, VECTOR, PENDING):
        if said := proved.notes.one(pk):
            _revector(said)
    if any(each.table == "memory_fts" for each in proved.findings):
        word_index.rebuild()
    _reindex([each for each in proved.findings if each.table in ("memory_vec", "memory_vec_state")])


def _adrift(findings: Iterable[Finding]) -> None:
    with connection.cursor() as cursor:
        for each in findings:
            if each.code == EXTRA and each.table in KEYS:
                cursor.execute(f"DELETE FROM {each.table} WHERE {KEYS[each.table]} = %s", [each.row])


def _entries(findings: Iterable[Finding], *tables: str) -> list[int]:
    return sorted({each.entry for each in findings if each.entry and each.table in tables and each.code != EXTRA})


def _refold(pk: int) -> None:
    with connection.cursor() as cursor:
        for (text,) in rows(TEXT, pk):
            cursor.execute(PUT_WORDS, [pk, indexed(text)])
        cursor.execute(word_channel.UNQUEUE, [pk])


def _revector(said: Said) -> None:
    """Those that the chain names stay, or go all together and are waited for."""
    found, regime = rows(VECTORS, said.entry), said.embedded.split("/")[0]
    is_right = bool(found) and digest_of_vectors(found[0][3], regime, [row[1] for row in found]) == said.embedded
    with connection.cursor() as cursor:
        if is_right:
            version = min(found[0][4], found[0][2])
            parts = [(part, regime, len(row[1]) // 4, version, row[0]) for part, row in enumerate(found)]
            cursor.executemany(SET_VECTOR, parts)
            cursor.execute(vector_channel.DONE, [said.entry])
        else:
            cursor.execute(vector_channel.DROP, [said.entry])
            cursor.execute(WAIT, [said.entry, said.entry])


def _reindex(findings: Sequence[Finding]) -> None:
    """Row by row, or all of it anew where vec0 cannot say which rows, or cannot take them out."""
    ids = [each.row for each in findings if each.table == "memory_vec"]
    if not findings or not vector_channel.available():
        return
    try:
        if len(ids) < len(findings) or None in ids:
            raise DatabaseError
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(QUEUE_VECTOR, [(pk, pk) for pk in ids])
            vector_channel.settle()
    except DatabaseError:
        vector_channel.unmake()
