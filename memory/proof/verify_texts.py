"""The words that commits name by digest: are they there, and those that they were, and no others?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from memory.domain.chain import FIRST, PRESENT, text_digest, words_digest
from memory.proof.findings import DIFFERS, EXTRA, FORGOTTEN, MISSING, Finding, Lines
from memory.proof.notes import Notes, Said
from memory.proof.reading import AT_ONCE, in_turn, rows, rows_of

TABLE = "memory_textversion"
#: What is in a digest of words, in this order.
WORDS = ("salt", "text", "project", "key", "event_words")
COLUMNS = f"t.id, t.owner_id, t.entry, t.digest, t.form, {', '.join(f't.{name}' for name in WORDS)}"
OF_ENTRIES = f"SELECT {COLUMNS} FROM memory_textversion t WHERE t.entry IN ({{ids}}) ORDER BY t.id"
OF_DIGEST = f"SELECT {COLUMNS} FROM memory_textversion t WHERE t.digest = %s"
OF_OWNER = f"""
SELECT {COLUMNS} FROM memory_textversion t WHERE t.owner_id = %s AND t.id > %s ORDER BY t.id LIMIT %s
"""
COUNT = "SELECT COUNT(*) FROM memory_textversion WHERE owner_id = %s"
SAID = "SELECT forgotten IS NULL FROM said WHERE entry = ?"
NAMED = "SELECT entry FROM named WHERE digest = ? AND NOT erased"


class Text(NamedTuple):
    """A text version as it is there. `words`: the columns of WORDS."""

    id: int
    owner: int
    entry: int
    digest: str
    form: int
    words: tuple[Any, ...]
    #: What a commit would say of the words.
    words_digest: str

    @classmethod
    def read(cls, found: Sequence[Any]) -> Text:
        pk, owner, entry, digest, form, *words = found
        return cls(pk, owner, entry, digest, form, tuple(words), digest_of(words))

    @property
    def is_right(self) -> bool:
        return self.form == PRESENT and self.words_digest == self.digest


def digest_of(words: Sequence[Any]) -> str:
    """What a commit would say of them. Empty of what is no text."""
    try:
        return words_digest(*words)
    except (TypeError, ValueError):
        return ""


class Texts:
    """The texts of one owner. `words`: of the entries that were read last, by digest, those that are right."""

    def __init__(self, owner: int, notes: Notes, lines: Lines) -> None:
        self.owner, self.notes, self.lines = owner, notes, lines
        self.words: dict[str, tuple[Any, ...]] = {}
        self._of: dict[int, list[Text]] = {}
        self._seen = 0

    def read(self, entries: Sequence[int]) -> None:
        self._of, self.words = {}, {}
        for text in map(Text.read, rows_of(OF_ENTRIES, entries)):
            self._of.setdefault(text.entry, []).append(text)
            if text.is_right:
                self.words[text.digest] = text.words

    def of(self, said: Said, words: Sequence[Any] | None) -> Iterator[Finding]:
        """`words`: of the entry's row, where it is there."""
        texts = self._of.get(said.entry, [])
        self._seen += sum(text.owner == self.owner for text in texts)
        wanted = set(said.names - {text.digest for text in texts})
        for text in texts:
            for column in self._columns(text, said, words):
                yield self.lines.finding(DIFFERS if column else EXTRA, TABLE, text.id, column, entry=said.entry)
                wanted -= {text.words_digest} if column == "digest" else set()
        for digest in sorted(wanted):
            yield from self._elsewhere(digest, said.entry)

    def _columns(self, text: Text, said: Said, words: Sequence[Any] | None) -> list[str]:
        """What is wrong with it. An empty name: all of it, nobody names it."""
        columns = [] if text.owner == self.owner else ["owner_id"]
        if text.digest not in said.names:
            if text.form == FIRST and text_digest(*text.words[:2]) == text.digest:
                return columns
            return [*columns, "digest" if text.words_digest in said.names else ""]
        if text.words_digest == text.digest:
            return columns if text.form == PRESENT else [*columns, "form"]
        if words is None or digest_of(words) != text.digest:
            return [*columns, "text"]
        return columns + [name for name, must, is_ in zip(WORDS, words, text.words, strict=True) if must != is_]

    def _elsewhere(self, digest: str, entry: int) -> Iterator[Finding]:
        for text in map(Text.read, rows(OF_DIGEST, digest)):
            self._seen += text.owner == self.owner
            yield self.lines.finding(DIFFERS, TABLE, text.id, "entry", entry=entry)
            return
        yield self.lines.finding(MISSING, TABLE, None, entry=entry)

    def extra(self) -> Iterator[Finding]:
        """Those of entries that are not, or are forgotten."""
        if rows(COUNT, self.owner)[0][0] == self._seen:
            return
        for text in map(Text.read, in_turn(OF_OWNER, AT_ONCE, self.owner)):
            said = self.notes.rows(SAID, text.entry)
            if said and said[0][0]:
                continue
            if not self.notes.rows(NAMED, text.digest):
                yield self.lines.finding(FORGOTTEN if said else EXTRA, TABLE, text.id)
