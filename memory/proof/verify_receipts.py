"""The receipts of an owner: are they the chain that they were, and did all that they name exist as of their tick?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from memory.domain.causes import read as cause_of
from memory.domain.chain import sha256
from memory.domain.proof import stored
from memory.domain.receipt import MASKED, Asked, Block, Given, Prompt, Said, address_of, pairs_digest, said_in, salted
from memory.proof.findings import BROKEN, DIFFERS, EXTRA, INDEX, MISSING, Finding, Lines, since
from memory.proof.notes import Notes
from memory.proof.reading import in_turn, rows

TABLE, ENTRIES = "memory_receipt", "memory_receiptentry"
#: `+`: the text as it is there, which need not be a moment or JSON.
RECEIPTS = """
SELECT number, id, owner_id, address, parent, +at, run_id, tick, head, +body, salt, +questions, prefix_salt
FROM memory_receipt
WHERE owner_id = %s AND number > %s ORDER BY number LIMIT %s
"""
COUNT = "SELECT COUNT(*) FROM memory_receipt WHERE owner_id = %s"
NAMED = "SELECT entry, id FROM memory_receiptentry WHERE receipt_id = %s ORDER BY entry"
ADRIFT = "SELECT id FROM memory_receiptentry WHERE receipt_id NOT IN (SELECT id FROM memory_receipt) ORDER BY id"
THERE = "SELECT 1 FROM memory_receipt WHERE id = %s"
AT_TICK = "SELECT address FROM memory_commit WHERE owner_id = %s AND tick = %s"
CAUSES = "SELECT tick, id, cause FROM memory_commit WHERE owner_id = %s AND cause LIKE '%%, receipt %%' ORDER BY tick"
#: In which state an entry was after a commit, and whether a digest was ever said of it.
THEN = "SELECT version, digest FROM was WHERE entry = ? AND tick <= ? ORDER BY tick DESC, rowid DESC LIMIT 1"
EVER = "SELECT 1 FROM named WHERE entry = ? AND digest = ?"
AT_ONCE = 50
SAID = {
    BROKEN: gettext_noop(
        "The chain of receipts is broken at receipt %(number)s: its %(column)s is not what it must be."
    ),
    MISSING: gettext_noop("Receipt %(number)s is gone, though others come after it or name it."),
    DIFFERS: gettext_noop("Receipt %(number)s: “%(column)s” is not what its body or the ledger says."),
}
#: The column of a row, and the word for it in a body.
COLUMNS = {
    "owner_id": "owner",
    "number": "number",
    "parent": "parent",
    "run_id": "run",
    "tick": "tick",
    "head": "head",
}


class Row(NamedTuple):
    """A receipt as it stands in the database."""

    number: int
    id: int
    owner_id: int
    address: str
    parent: str
    at: str
    run_id: str
    tick: int
    head: str
    body: str
    salt: str
    questions: str
    prefix_salt: str


#: How an app says which receipts its rows name: table, row and address, of an owner. Register it in AppConfig.ready.
Namer = Callable[[int], Iterator[tuple[str, int, str]]]
_namers: list[Namer] = []


def register_namer(names: Namer) -> None:
    if names not in _namers:
        _namers.append(names)


def count(owner: int) -> int:
    return int(rows(COUNT, owner)[0][0])


def findings(owner: int, notes: Notes, lines: Lines) -> Iterator[Finding]:
    """Over a chain of commits that is whole, and what the scratch noted of it."""
    return Receipts(owner, notes, lines).findings()


@dataclass
class Receipts:
    """`ticks`: by address, of those that are whole."""

    owner: int
    notes: Notes
    lines: Lines
    ticks: dict[str, int] = field(default_factory=dict)
    #: What the next one may name as its parent: of one that was changed, what it says and what it hashes to.
    _parents: set[str] = field(default_factory=lambda: {""})
    _heads: dict[int, str] = field(default_factory=dict)
    _blocks: dict[tuple[Any, ...], bool] = field(default_factory=dict)

    def findings(self) -> Iterator[Finding]:
        last: Row | None = None
        for row in map(Row._make, in_turn(RECEIPTS, AT_ONCE, self.owner)):
            number = last.number + 1 if last else 1
            if row.number > number:
                yield self._gone(number)
            yield from self._of(row, last)
            last = row
        yield from self._deleted()
        yield from self._names()
        yield from (self.lines.finding(EXTRA, ENTRIES, pk) for (pk,) in rows(ADRIFT))

    # -- one receipt

    def _of(self, row: Row, last: Row | None) -> Iterator[Finding]:
        body = _read(row.body)
        hashed = _hash(row, body)
        if row.number == (last.number + 1 if last else 1) and row.parent not in self._parents:
            yield self._finding(BROKEN, row, "parent")
        self._parents = {row.address, hashed}
        self.ticks |= dict.fromkeys(self._parents, row.tick)
        if hashed != row.address:
            yield self._finding(BROKEN, row, "address")
            return
        for column in _differing(row, body):
            yield self._finding(DIFFERS, row, column)
        try:
            told = said_in(body)
        except (KeyError, TypeError, ValueError, AttributeError):
            yield self._finding(BROKEN, row, "body")
            return
        yield from self._judged(row, told, last)

    def _judged(self, row: Row, told: Said, last: Row | None) -> Iterator[Finding]:
        if self._head(row.tick) != row.head or (last and row.tick < last.tick):
            yield self._finding(DIFFERS, row, "tick")
        if any(each.tick > row.tick or self._head(each.tick) != each.head for each in told.recalls):
            yield self._finding(DIFFERS, row, "body")
        for tick, given in (*((each.tick, each.given) for each in told.recalls), (row.tick, told.read)):
            for each in given:
                if not self._was(each, tick):
                    yield self._finding(DIFFERS, row, "body", entry=each.id)
        if told.block and not self._held(told.block, row.tick):
            yield self._finding(DIFFERS, row, "body")
        if not _asked(row, told.recalls):
            yield self._finding(DIFFERS, row, "questions")
        if row.prefix_salt != "" and not (told.prompt and _is_salt(row.prefix_salt, told.prompt)):
            yield self._finding(DIFFERS, row, "prefix_salt")
        yield from self._indexed(row, told.leaned_on)

    def _indexed(self, row: Row, entries: frozenset[int]) -> Iterator[Finding]:
        there = rows(NAMED, row.id)
        for entry, pk in there:
            if entry not in entries:
                yield self.lines.finding(EXTRA, ENTRIES, pk, "entry")
        for entry in sorted(entries - {entry for entry, _pk in there}):
            yield self.lines.finding(INDEX, ENTRIES, None, "entry", entry=entry)

    def _was(self, given: Given, tick: int) -> bool:
        """Did the ledger say so of the entry, as of that tick? Of one that moved meanwhile: at any time."""
        if given.outside:
            return self.notes.knows(given.id)
        if given.moved:
            return not given.digest or bool(self.notes.rows(EVER, given.id, given.digest))
        return self.notes.rows(THEN, given.id, tick) == [(given.version, given.digest)]

    def _held(self, block: Block, tick: int) -> bool:
        """Next to always the same block as of the receipt before."""
        key = (tick, block)
        if key not in self._blocks:
            self._blocks = {key: self._is_block(block, tick)}
        return self._blocks[key]

    def _is_block(self, block: Block, tick: int) -> bool:
        apart = {each.id: each for each in block.apart}
        pairs = []
        for entry in block.entries:
            if entry in apart:
                if not self._was(apart[entry], tick):
                    return False
                pairs.append((entry, apart[entry].digest))
                continue
            [(_version, digest)] = self.notes.rows(THEN, entry, tick) or [(None, "")]
            pairs.append((entry, digest))
        return pairs_digest(pairs) == block.digest

    def _head(self, tick: int) -> str:
        if tick not in self._heads:
            found = rows(AT_TICK, self.owner, tick) if tick else []
            self._heads[tick] = found[0][0] if found else "" if not tick else "?"
        return self._heads[tick]

    # -- what names receipts, and what is no longer there

    def _names(self) -> Iterator[Finding]:
        for tick, pk, cause in rows(CAUSES, self.owner):
            receipt = cause_of(cause).receipt if isinstance(cause, str) else ""
            if receipt and not self.ticks.get(receipt, tick) < tick:
                yield self._nowhere("memory_commit", pk, receipt)
        for names in _namers:
            for table, pk, address in names(self.owner):
                if address not in self.ticks:
                    yield self._nowhere(table, pk, address)

    def _nowhere(self, table: str, pk: int, address: str) -> Finding:
        line = self.lines.about(table, pk)
        told = _("%(table)s %(row)s names receipt %(receipt)s, which is not there.")
        words = told % {"table": table, "row": pk, "receipt": str(address)[:12]}
        return Finding(MISSING, table, pk, "receipt", line is not None, f"{words} {since(line)}")

    def _deleted(self) -> Iterator[Finding]:
        """The newest: nothing comes after them that would name them."""
        for line in self.lines.left():
            if line.table == TABLE and not rows(THERE, line.row):
                yield self._told(MISSING, line.row, "?", "")

    def _gone(self, number: int) -> Finding:
        return self._told(MISSING, None, number, "number")

    def _finding(self, code: str, row: Row, column: str, *, entry: int | None = None) -> Finding:
        return self._told(code, row.id, row.number, column, entry=entry)

    def _told(self, code: str, pk: int | None, number: Any, column: str, *, entry: int | None = None) -> Finding:
        line = self.lines.about(TABLE, pk) if pk is not None else None
        words = _(SAID[code]) % {"number": number, "column": column}
        return Finding(code, TABLE, pk, column, line is not None, f"{words} {since(line)}", entry)


def _read(text: Any) -> dict[str, Any]:
    """Empty of what is no body, which then is not hashed as it says."""
    try:
        found = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _hash(row: Row, body: dict[str, Any]) -> str:
    """The stored text is canonical already, but where a tool of somebody's wrote it anew."""
    try:
        return row.address if body and sha256(row.body) == row.address else address_of(body)
    except (TypeError, AttributeError, ValueError):
        return ""


def _differing(row: Row, body: dict[str, Any]) -> Iterator[str]:
    for column, word in COLUMNS.items():
        if getattr(row, column) != body.get(word, "" if column in ("parent", "head", "run_id") else 0):
            yield column
    at = body.get("at")
    if not isinstance(at, str) or row.at != stored(at):
        yield "at"


def _asked(row: Row, recalls: Sequence[Asked]) -> bool:
    """Are the words beside the body those that were asked, or erased? Without words no salt is kept either."""
    try:
        told = json.loads(row.questions)
    except (ValueError, TypeError):
        return False
    if not told:
        return told == [] and row.salt == ""
    if not isinstance(told, list) or len(told) != len(recalls):
        return False
    return all(_is_asked(row.salt, one, asked) for one, asked in zip(told, recalls, strict=True))


def _is_salt(salt: Any, prompt: Prompt) -> bool:
    return isinstance(salt, str) and sha256(salt) == prompt.salt


def _is_asked(salt: Any, told: Any, asked: Asked) -> bool:
    if not told:
        return True  # erased, and the others of its run are not
    if not isinstance(salt, str) or not isinstance(told, dict):
        return False
    project = [asked.filters["project"]] if "project" in asked.filters else []
    pairs = [(told.get("text"), asked.question)]
    for words, digests in (
        (told.get("aliases", []), asked.aliases),
        (told.get("expanded", []), asked.expanded),
        ([told.get("project", "")] if project else [], project),
    ):
        if len(words) != len(digests):
            return False
        pairs += zip(words, digests, strict=True)
    return all(_is_word(salt, word, digest) for word, digest in pairs)


def _is_word(salt: str, word: Any, digest: str) -> bool:
    """A question that quoted what was forgotten has a mark in its place."""
    return isinstance(word, str) and (salted(salt, word) == digest or not word or MASKED in word)
