"""Texts and entries, put back as the chain names them, out of whatever still has their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection

from memory import word_channel
from memory.domain.chain import FIRST, PRESENT, text_digest
from memory.domain.proof import STATED
from memory.domain.sameness import sameness
from memory.proof.findings import DIFFERS, EXTRA, FORGOTTEN, LOST, MISSING, Finding
from memory.proof.notes import Said
from memory.proof.reading import rows, rows_of
from memory.proof.verify_index import digest_of_vectors
from memory.proof.verify_rows import ROWS, Row
from memory.proof.verify_texts import COLUMNS as TEXT_COLUMNS
from memory.proof.verify_texts import NAMED, OF_DIGEST, OF_ENTRIES, WORDS, Text, digest_of
from memory.verify import Proof

ENTRY, TEXT = "memory_entry", "memory_textversion"
OF_ID = f"SELECT {TEXT_COLUMNS} FROM memory_textversion t WHERE t.id = %s"
PUT_TEXT = """
INSERT INTO memory_textversion (owner_id, entry, digest, form, salt, text, project, "key", event_words)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
SET_TEXT = """
UPDATE memory_textversion SET owner_id = %s, entry = %s, digest = %s, form = %s, salt = %s, text = %s, project = %s,
    "key" = %s, event_words = %s WHERE id = %s
"""
COLUMNS = ("id", "owner_id", "address", "sameness", *STATED, *WORDS)
PUT_ENTRY = f"""
INSERT INTO memory_entry ({", ".join(f'"{name}"' for name in COLUMNS)}) VALUES ({", ".join(["%s"] * len(COLUMNS))})
"""
UNNAME = "UPDATE memory_refusal SET saved_as_id = NULL WHERE saved_as_id = %s"
VECTORS = "SELECT id, entry_id, version, part, regime, dim, vector FROM memory_vector WHERE entry_id = %s ORDER BY id"
PUT_VECTOR = """
INSERT INTO memory_vector (id, entry_id, version, part, regime, dim, vector) VALUES (%s, %s, %s, %s, %s, %s, %s)
"""


class Texts:
    """`words`: by digest, those of the entries concerned that are still to be had. `lost`: what none are there of."""

    def __init__(self, proved: Proof) -> None:
        self.proved = proved
        self.words: dict[str, tuple[Any, ...]] = {}
        self.lost: list[Finding] = []
        self.put: list[tuple[int | None, tuple[Any, ...]]] = []
        self.remove: list[int] = []
        for pk in sorted({each.entry for each in proved.findings if each.table in (ENTRY, TEXT) and each.entry}):
            if said := proved.notes.one(pk):
                self._plan(said)
        stray = [row for each in _of(proved, TEXT, EXTRA, FORGOTTEN) for row in rows(OF_ID, each.row)]
        for text in map(Text.read, stray):
            self._drop(text)

    def _plan(self, said: Said) -> None:
        there = {text.id: text for text in map(Text.read, self._there(said))}
        row = [Row.read(each).words for each in rows_of(ROWS, [said.entry])]
        words = {digest_of(each): each for each in (*(text.words for text in there.values()), *row)}
        self.words |= {digest: words[digest] for digest in said.names if digest in words}
        for digest in sorted(said.names):
            text = _best(there.values(), digest)
            if digest in words:
                must = (self.proved.owner.pk, said.entry, digest, PRESENT, *words[digest])
                self.put += [(text.id if text else None, must)] if text is None or _columns(text) != must else []
            else:
                self.lost.append(self.proved.lines.finding(LOST, TEXT, text.id if text else None, entry=said.entry))
            there.pop(text.id if text else 0, None)
        for text in there.values():
            self._drop(text)

    @staticmethod
    def _there(said: Said) -> Iterable[Sequence[Any]]:
        yield from rows_of(OF_ENTRIES, [said.entry])
        for digest in sorted(said.names):
            yield from rows(OF_DIGEST, digest)

    def _drop(self, text: Text) -> None:
        """One that no commit names. What those of the first form name is not known: a wrong one is left, and named."""
        lost = self.proved.lines.finding(LOST, TEXT, text.id, entry=text.entry)
        if text.form == FIRST and self.proved.notes.one(text.entry):
            is_right = text_digest(*text.words[:2]) == text.digest
            self.lost += [] if is_right or lost in self.lost else [lost]
        elif not any(self.proved.notes.rows(NAMED, digest) for digest in (text.digest, text.words_digest)):
            self.remove.append(text.id)

    def apply(self) -> None:
        """What is in nobody's way first: a digest stands in one row alone."""
        with connection.cursor() as cursor:
            cursor.executemany("DELETE FROM memory_textversion WHERE id = %s", [(pk,) for pk in self.remove])
            cursor.executemany(SET_TEXT, [(*must, pk) for pk, must in self.put if pk is not None])
            cursor.executemany(PUT_TEXT, [must for pk, must in self.put if pk is None])


def _best(texts: Iterable[Text], digest: str) -> Text | None:
    """The row of a digest; else one whose words are of it, under another name."""
    found = [text for text in texts if digest in (text.digest, text.words_digest)]
    return min(found, key=lambda text: text.digest != digest, default=None)


def _columns(text: Text) -> tuple[Any, ...]:
    return (text.owner, text.entry, text.digest, text.form, *text.words)


def _of(proved: Proof, table: str, *codes: str) -> list[Any]:
    return [each for each in proved.findings if each.table == table and each.code in codes]


class Entries:
    """`lost`: entries whose words are kept nowhere. They are left alone as they are."""

    def __init__(self, proved: Proof, texts: Texts) -> None:
        self.proved, self.texts = proved, texts
        self.put: dict[int, Said] = {}
        self.lost: list[Finding] = []
        self.remove = [each.row for each in _of(proved, ENTRY, EXTRA, FORGOTTEN)]
        for each in _of(proved, ENTRY, MISSING, DIFFERS):
            said = proved.notes.one(each.row)
            if said and said.digest in texts.words:
                self.put[said.entry] = said
            else:
                self.lost.append(proved.lines.finding(LOST, ENTRY, each.row))

    def apply(self) -> None:
        """All rows go first: what one has taken from another must be free. Vectors that are still right come back."""
        vectors = [row for pk, said in self.put.items() for row in self._vectors(pk, said)]
        with connection.cursor() as cursor:
            cursor.executemany(UNNAME, [(pk,) for pk in self.remove])
            gone = [(pk,) for pk in (*self.remove, *self.put)]
            cursor.executemany("DELETE FROM memory_entry WHERE id = %s", gone)
            cursor.executemany(PUT_ENTRY, [self._row(said) for said in self.put.values()])
            cursor.executemany(PUT_VECTOR, vectors)
        word_channel.refold([(pk, self.texts.words[said.digest][1]) for pk, said in self.put.items()])

    def _row(self, said: Said) -> tuple[Any, ...]:
        words = self.texts.words[said.digest]
        return (said.entry, self.proved.owner.pk, said.address, sameness(words[1]), *said.row, *words)

    def _vectors(self, pk: int, said: Said) -> list[tuple[Any, ...]]:
        found = rows(VECTORS, pk)
        salt, regime = self.texts.words[said.digest][0], said.embedded.split("/")[0]
        is_right = bool(found) and digest_of_vectors(salt, regime, [row[6] for row in found]) == said.embedded
        return found if is_right else []
