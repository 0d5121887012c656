"""What `/export` of a Forge gave, line by line: its conversations as threads, and its entries as entries.

Read are the lines of entries, conversations and messages. The others are passed over: proposals are a judge's of that
store, and runs, receipts, commits and certificates prove what was done there. They are of another chain than the one
here, name entries by other numbers, and stay provable in the file itself. Exports of before there were such lines are
read alike.

Exchanges that were remembered there come as entries, so the messages that they were made of (`compacted`) make no
others: what was forgotten of them stays so. A replaced entry comes retracted, its key to the one that stands. Of links
only `speaks_for` is told. Temporary conversations are left out.
"""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from chat.domain.pointer import is_pointer, is_summary
from chat.importers.cleaning import mended
from chat.importers.entries import ReadEntries, ReadEntry, Remembering
from chat.importers.imported import DamagedError, Gathering, Head, Note, ReadConversation, Skipped
from chat.importers.reading import Document
from chat.importers.shape import Fields, moment, text, words
from chat.importers.tree import path
from memory.models import How, Kind, Status

FORMAT = "forge"
NAME = "export.jsonl"
ENTRY, CONVERSATION, MESSAGE = "entry", "conversation", "message"
TYPES = frozenset({ENTRY, CONVERSATION, MESSAGE, "proposal", "run", "receipt", "commit", "certificate"})
#: What every line of each type names itself by.
NAMED = frozenset({"id", "address", "run_id"})
#: What would need sources that are not told.
AS_NOTE = frozenset({Kind.SUMMARY, Kind.PROCEDURE})
STATUSES = frozenset({Status.ARCHIVED, Status.RETRACTED, Status.CLOSED})


def matches(document: Document) -> bool:
    """By its first line, whatever comes after it. Another product's list, all on one line, is not parsed for it."""
    line = next(io.BytesIO(document.data.removeprefix(codecs.BOM_UTF8).lstrip()), b"")
    if not line.startswith(b"{"):
        return False
    try:
        first = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("type") in TYPES and bool(NAMED & first.keys())


def read(document: Document) -> tuple[Iterator[ReadConversation | ReadEntries | Skipped], int]:
    """And how many unreadable characters were replaced. A line that cannot be read is named, the others are read."""
    whole, replaced = document.text()
    found: dict[str, list[Fields]] = {ENTRY: [], CONVERSATION: [], MESSAGE: []}
    damaged: list[Skipped] = []
    for number, line in enumerate(whole.split("\n"), 1):
        if not line.strip():
            continue
        value = _parsed(line)
        if value is None:
            damaged.append(Skipped(_("line %(number)d") % {"number": number}, _("it is no JSON object")))
        elif value.get("type") in found:
            found[value["type"]].append(value)
    return _read(found, damaged), replaced


def _parsed(line: str) -> Fields | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _read(
    found: dict[str, list[Fields]], damaged: Sequence[Skipped]
) -> Iterator[ReadConversation | ReadEntries | Skipped]:
    of: dict[str, list[Fields]] = {}
    for message in found[MESSAGE]:
        of.setdefault(text(message, "conversation"), []).append(message)
    for talk in found[CONVERSATION]:
        yield _conversation(talk, of.get(text(talk, "id"), []))
    yield entries(found[ENTRY])
    yield from damaged


# -- conversations


def _conversation(talk: Fields, messages: Sequence[Fields]) -> ReadConversation | Skipped:
    name = text(talk, "title", "id")
    if talk.get("temporary") is True:
        return Skipped(name, _("it was temporary"), damaged=False)
    into = Gathering()
    try:
        for message in _branch(into, messages):
            _say(into, message)
    except DamagedError as error:
        return Skipped(name, str(error))
    created, updated = moment(talk.get("created_at")), moment(talk.get("updated_at"))
    head = Head(FORMAT, text(talk, "id"), text(talk, "title"), created, updated, talk.get("archived") is True)
    return into.done(head) if into.said else Skipped(name, _("it holds no words"), damaged=False)


def _branch(into: Gathering, messages: Sequence[Fields]) -> list[Fields]:
    """The messages up to the last one; without what stands for others. Whose parent is not told follows the one before
    it."""
    of: dict[str, Fields] = {}
    parents: dict[str, str | None] = {}
    stands_for: dict[str, str | None] = {}
    last: str | None = None
    for message in messages:
        pk, parent = text(message, "id"), message.get("parent")
        follows = last if parent is None else text(message, "parent") if parent else None
        follows = stands_for.get(follows, follows) if follows else None
        if _stands_for_others(message):
            into.leave(Note.POINTER)
            stands_for[pk] = follows
            continue
        of[pk], parents[pk], last = message, follows, pk
    found = path(parents, None)
    into.leave(Note.BRANCH, len(of) - len(found))
    return [of[pk] for pk in found]


def _stands_for_others(message: Fields) -> bool:
    said = words(message, "content")
    return message.get("place") is not None or is_pointer(said) or is_summary(said)


def _say(into: Gathering, message: Fields) -> None:
    marked = message.get("indexable") is False or message.get("answered") is False
    into.say(
        text(message, "role"),
        words(message, "content"),
        moment(message.get("created_at")),
        text(message, "id"),
        pinned=message.get("pinned") is True,
        indexable=not (marked or message.get("compacted") is True),
    )


# -- entries


def entries(lines: Sequence[Fields]) -> ReadEntries:
    into, named = Remembering(FORMAT), _named(lines)
    spoken: list[tuple[str, str]] = []
    read: dict[str, ReadEntry] = {}
    for line in lines:
        entry = _entry(into, line)
        if entry is None or entry.source_id in read:
            continue
        if len(named[text(line, "id")]) > 1:
            entry = replace(entry, name=f"{entry.name} ({entry.source_id[:8]})")
        read[entry.source_id] = entry
        by = named.get(text(line, "superseded_by"), set())
        if len(by) == 1 and line.get("superseded_how") == How.FOLD:
            spoken.append((next(iter(by)), entry.source_id))
    into.entries += read.values()
    return into.done(spoken)


def _named(lines: Sequence[Fields]) -> dict[str, set[str]]:
    """The entries of each number. Of several stores in one file a number names several, and what it is meant to name
    is not guessed."""
    named: dict[str, set[str]] = {}
    for line in lines:
        named.setdefault(text(line, "id"), set()).add(_address(line))
    return named


def _entry(into: Remembering, line: Fields) -> ReadEntry | None:
    name, address = f"#{text(line, 'id')}", _address(line)
    kind, said = line.get("kind"), line.get("content")
    if not address or not isinstance(kind, str) or not isinstance(said, str):
        into.skip(name, _("its kind or its words are no text"))
        return None
    if line.get("summary_stale") is True:
        into.skip(name, _("it is a summary of what was changed since"), damaged=False)
        return None
    replaced = line.get("superseded_how") == How.REPLACED
    kept = kind if kind in Kind.values and kind not in AS_NOTE else Kind.NOTE
    return ReadEntry(
        source_id=address,
        name=name,
        kind=kept,
        text=into.mended(said),
        at=moment(line.get("said_at")),
        key="" if replaced else into.mended(text(line, "key")),
        project=into.mended(text(line, "project")),
        status=Status.RETRACTED if replaced else _status(kept, line.get("status")),
        event_at=moment(line.get("event_at")),
    )


def _address(line: Fields) -> str:
    return mended(text(line, "address"))[0]


def _status(kind: str, status: Any) -> str:
    found = status if isinstance(status, str) and status in STATUSES else ""
    return "" if found == Status.CLOSED and kind != Kind.TODO else found
