"""What an export is read into, whichever product wrote it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from chat.domain.title import title_of
from chat.importers.cleaning import mended, without_citations, without_thinking


class Note(TextChoices):
    """What was left out of a conversation, or had to be changed in it; counted, so that the report can say so."""

    BRANCH = "side_branch", _("messages of side branches left out")
    HIDDEN = "hidden", _("hidden and system messages left out")
    TOOL = "tool", _("tool calls and their output left out")
    THINKING = "thinking", _("thinking blocks left out")
    BLANK = "blank", _("blank messages left out")
    ATTACHMENT = "attachment", _("attachments kept by name or text")
    CITATION = "citation", _("citation marks left out")
    MENDED = "mended", _("unreadable characters replaced by �")
    NO_SENDER = "no_sender", _("messages without a sender taken as the assistant's")
    NO_DATE = "no_date", _("messages without a date given a neighbour's")
    POINTER = "pointer", _("pointers to compacted messages left out")
    SUMMARY = "summary", _("summaries left out")
    REPEATED = "repeated", _("messages that stood there twice in a row left out")
    DAMAGED = "damaged", _("damaged messages left out")
    BLOCK = "block", _("whole transcripts in one entry (`resplit` cuts them)")


class DamagedError(Exception):
    """One conversation that cannot be read. The others of its file can."""


@dataclass(frozen=True)
class Skipped:
    """A conversation or an entry that could not be read, or holds nothing, and why."""

    name: str
    reason: str
    damaged: bool = True


@dataclass(frozen=True)
class Head:
    """What a conversation says of itself. All but the format may be missing."""

    format: str
    source_id: str = ""
    title: str = ""
    created: datetime | None = None
    updated: datetime | None = None
    archived: bool = False


@dataclass(frozen=True)
class Said:
    """`indexable` false: the exchange that it belongs to is to stay out of memory."""

    source_id: str
    role: str
    text: str
    at: datetime | None
    pinned: bool = False
    indexable: bool = True


@dataclass(frozen=True)
class ReadConversation:
    """As the export has it. `notes` says what is not in `said`, or was changed in it."""

    head: Head
    said: tuple[Said, ...]
    notes: Counter[Note]


@dataclass(frozen=True)
class ImportedMessage:
    source_id: str
    role: str
    text: str
    at: datetime
    pinned: bool = False
    indexable: bool = True


@dataclass(frozen=True)
class ImportedConversation:
    """Ready to be stored: with an id, a title, and a date on everything."""

    format: str
    source_id: str
    title: str
    created: datetime
    updated: datetime
    archived: bool
    messages: tuple[ImportedMessage, ...]
    notes: Counter[Note]

    @property
    def source(self) -> str:
        return f"{self.format}:{self.source_id}"


ROLES = {"user": "user", "human": "user", "assistant": "assistant", "model": "assistant", "system": "system"}
#: The longest part of an id that is kept as it is; a longer one is named by its digest.
ID_LENGTH = 80


class Gathering:
    """Collects the messages of one conversation, and counts what is left out on the way."""

    def __init__(self) -> None:
        self.said: list[Said] = []
        self.notes: Counter[Note] = Counter()
        self._seen: Counter[str] = Counter()

    def leave(self, note: Note, count: int = 1) -> None:
        if count:
            self.notes[note] += count

    def say(
        self,
        sender: str,
        text: str,
        at: datetime | None,
        source_id: str = "",
        *,
        pinned: bool = False,
        indexable: bool = True,
    ) -> None:
        """One message; its text mended, an assistant's thinking and citation marks left out. Blank ones are counted."""
        role = ROLES.get(sender.lower(), "")
        if not role:
            self.leave(Note.NO_SENDER, 1 if text.strip() else 0)
        text = self._cleaned(text, role or "assistant")
        if not text.strip():
            self.leave(Note.BLANK)
            return
        name = self._id(source_id, role, text)
        self.said.append(Said(name, role or "assistant", text, at, pinned, indexable))

    def _cleaned(self, text: str, role: str) -> str:
        text, broken = mended(text)
        self.leave(Note.MENDED, broken)
        if role != "assistant":
            return text
        text, thoughts, calls = without_thinking(text)
        text, marks = without_citations(text)
        self.leave(Note.THINKING, thoughts)
        self.leave(Note.TOOL, calls)
        self.leave(Note.CITATION, marks)
        return text

    def _id(self, given: str, role: str, text: str) -> str:
        """The export's own id; else one made of what was said, so that a longer export gives the same ones again."""
        name = short_id(given) or digest(f"{role}\n{text}")
        self._seen[name] += 1
        return name if self._seen[name] == 1 else f"{name}~{self._seen[name]}"

    def done(self, head: Head) -> ReadConversation:
        return ReadConversation(head, tuple(self.said), self.notes)


def short_id(given: str) -> str:
    plain = mended(given)[0].strip()
    return plain if len(plain) <= ID_LENGTH else digest(plain)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def dated(read: ReadConversation, otherwise: datetime) -> ImportedConversation:
    """With no date missing: a message takes the one before it, or after it, or the conversation's, or the file's
    (`otherwise`). Without a title it is called by the first words of the person, without an id by its first message's.
    """
    head = read.head
    known = [said.at for said in read.said if said.at]
    latest = next(iter(known), None) or head.created or head.updated or otherwise
    messages: list[ImportedMessage] = []
    for said in read.said:
        latest = said.at or latest
        message = ImportedMessage(said.source_id, said.role, said.text, latest, said.pinned, said.indexable)
        messages.append(message)
    missing = len(messages) - len(known)
    return ImportedConversation(
        head.format,
        short_id(head.source_id) or next((message.source_id for message in messages), ""),
        " ".join(mended(head.title)[0].split())[:200] or _title_of(messages),
        head.created or next((message.at for message in messages), latest),
        head.updated or latest,
        head.archived,
        tuple(messages),
        read.notes + Counter({Note.NO_DATE: missing} if missing else {}),
    )


def _title_of(messages: Iterable[ImportedMessage]) -> str:
    return title_of(next((message.text for message in messages if message.role == "user"), ""))
