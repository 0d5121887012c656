"""A folder of Markdown, as `.forge/memory`: facts in `MEMORY.md`, a log for each day, and notes of any other name.

What stands in `MEMORY.md` was chosen as a fact. In a day's log an agent wrote down what it saw (`- [tool:…] …`) and
what it said (`- [decision] …`): an assistant's words are nobody's facts, so these become exchanges, and only what has
no such mark becomes a note. Everything else in such a folder is a note, a section at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import PurePath

from django.utils.translation import gettext as _

from chat.domain.transcript import Message, render
from chat.importers.entries import ReadEntries, ReadEntry, Remembering
from chat.importers.imported import digest
from forgesite.errors import TooLargeError
from memory.models import Kind

FORMAT = "notes_md"
NAME = ".forge/memory"
#: Bytes of one file. A log of a day that an agent worked through was a hundredth of it.
LIMIT = 16 * 1024 * 1024
#: Entries of one file.
MOST = 20_000
#: A longer section is parted at blank lines: one entry for a whole book is near to nothing.
SECTION = 6000

DAY = re.compile(r"(\d{4}-\d\d-\d\d)\.md", re.IGNORECASE)
TIME = re.compile(r"^## ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)[ \t]*$", re.MULTILINE)
SEEN = re.compile(r"^- (?=(?:\[research\])?\[tool:[^\]\n]*\] |\[decision\] )", re.MULTILINE)
HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*)")
ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
#: Of the template that `MEMORY.md` was made from.
TEMPLATE_HEADING, TEMPLATE_WORD = "key facts", "evergreen"


def matches(name: str) -> bool:
    return name.lower().endswith(".md")


def entries(name: str, text: str) -> ReadEntries:
    """By the file's name. A file without a word holds nothing. Raises TooLargeError."""
    into = Remembering(FORMAT)
    text = into.mended(text.replace("\r\n", "\n"))
    file = PurePath(name).name
    for place, (kind, words, at) in enumerate(_found(file, text), 1):
        if place > MOST:
            message = _("%(name)s would be more than %(limit)s entries. Part it into several files.")
            raise TooLargeError(message % {"name": name, "limit": MOST}, detail={"limit": MOST})
        source = f"{file[:100]}:{digest(f'{at}{chr(10)}{words}')}"
        into.entries.append(ReadEntry(source, f"{file} {place}", kind, words, at))
    return into.done()


def _found(file: str, text: str) -> Iterator[tuple[Kind, str, datetime | None]]:
    day = _day(file)
    if day:
        yield from _logged(text, day)
    elif file.lower() == "memory.md":
        yield from ((Kind.FACT, fact, None) for fact in facts(text))
    else:
        yield from ((Kind.NOTE, section, None) for section in sections(text))


def _day(file: str) -> datetime | None:
    named = DAY.fullmatch(file)
    try:
        return datetime.fromisoformat(named[1]).replace(tzinfo=UTC) if named else None
    except ValueError:
        return None


# -- MEMORY.md


def facts(text: str) -> Iterator[str]:
    """Each list item and each paragraph, below the name of its heading. What is indented belongs to what is above."""
    heading = ""
    for part in _parts(_without_comments(text)):
        named = HEADING.fullmatch(part)
        if named:
            plain = part.lstrip().startswith("# ") or named[1].rstrip(" \t#").lower() == TEMPLATE_HEADING
            heading = "" if plain else named[1].rstrip(" \t#")
        elif heading or TEMPLATE_WORD not in part:
            said = ITEM.sub("", part, count=1) if ITEM.match(part) else part
            yield f"{heading}: {said}" if heading else said


def _without_comments(text: str) -> str:
    """One that is not closed is no comment."""
    kept, at = [], 0
    while (begins := text.find("<!--", at)) >= 0 and (ends := text.find("-->", begins)) >= 0:
        kept.append(text[at:begins])
        at = ends + len("-->")
    return "".join([*kept, text[at:]])


def _parts(text: str) -> Iterator[str]:
    """Headings, list items and paragraphs, each with the lines that belong to it. Code is never taken apart."""
    part: list[str] = []
    fence = ""
    for line in text.split("\n"):
        begins = not fence and bool(HEADING.fullmatch(line) or ITEM.match(line) or not line.strip())
        if part and (begins or (not fence and HEADING.fullmatch(part[0]))):
            yield "\n".join(part)
            part = []
        fence = _fence(fence, line)
        if line.strip() or part:
            part.append(line)
    if part:
        yield "\n".join(part).rstrip()


def _fence(open_: str, line: str) -> str:
    """What closes the block of code that the line is in; empty outside of one."""
    found = FENCE.match(line)
    if not open_:
        return found[1] if found else ""
    closes = found and found[1].startswith(open_) and not line.strip().strip(open_[0])
    return "" if closes else open_


# -- the log of a day


def _logged(text: str, day: datetime) -> Iterator[tuple[Kind, str, datetime]]:
    head, *timed = TIME.split(text)
    yield from _observed(head, day)
    for written, body in zip(timed[::2], timed[1::2], strict=True):
        hours, minutes, seconds = map(int, written.split(":"))
        yield from _observed(body, day.replace(hour=hours, minute=minutes, second=seconds))


def _observed(body: str, at: datetime) -> Iterator[tuple[Kind, str, datetime]]:
    noted, *observations = SEEN.split(body)
    for section in sections(noted):
        yield Kind.NOTE, section, at
    for seen in observations:
        yield Kind.EXCHANGE, render([Message("assistant", seen.strip())]), at


# -- any other file


def sections(text: str) -> Iterator[str]:
    """From one heading to the next; a heading with nothing below it stays with what follows."""
    held: list[str] = []
    for section in _headed(text):
        held.append(section)
        if "\n" in section or not HEADING.fullmatch(section):
            yield from _bounded("\n".join(held))
            held = []
    if held:
        yield "\n".join(held)


def _headed(text: str) -> Iterator[str]:
    section: list[str] = []
    fence = ""
    for line in text.split("\n"):
        if not fence and HEADING.fullmatch(line) and "\n".join(section).strip():
            yield "\n".join(section).strip("\n").rstrip()
            section = []
        fence = _fence(fence, line)
        section.append(line)
    if "\n".join(section).strip():
        yield "\n".join(section).strip("\n").rstrip()


def _bounded(section: str) -> Iterator[str]:
    part = ""
    for paragraph in re.split(r"\n\s*\n", section) if len(section) > SECTION else [section]:
        if part and len(part) + len(paragraph) > SECTION:
            yield part
            part = ""
        part = f"{part}\n\n{paragraph}" if part else paragraph
    if part.strip():
        yield part
