"""How a conversation is cut into units: the one set of rules that import, compaction and resplit share.

A unit is one user turn plus what answered it. Two paths lead to it and give the same units: from messages
(`units`), and from text (`split`), because an older store holds whole transcripts as text. The text form is one
`role: content` line a message. A content line that would itself read as the start of a message is written with a
backslash before it, which `parse` takes away again: so `parse(render(messages))` loses no boundary. Marks
(`indexable`, `answered`, `kept_out`) are the one thing that text cannot carry; a message without a role is carried as
the first one only.

messages ── indexable ── groups ── answered ── rendered
            blank, pointer,        marked,
            summary                all replies empty-handed
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from chat.domain.pointer import is_pointer, is_summary
from memory.domain.non_answers import is_non_answer

ROLES = ("user", "assistant", "system")

#: Reasons for which a whole unit is left out though a person said something in it.
ANSWERLESS = ("marked", "not_answered")

_PREFIX = re.compile(rf"({'|'.join(ROLES)}): ")
_TO_ESCAPE = re.compile(rf"^(?=\\*(?:{'|'.join(ROLES)}): )", re.MULTILINE)
_ESCAPED = re.compile(rf"^\\(?=\\*(?:{'|'.join(ROLES)}): )")

#: An envelope whose content is shorter than both is left as it is: a bare `{"tool": …, "content": "ok"}` says nothing.
ENVELOPE_WORDS, ENVELOPE_CHARS = 8, 40


@dataclass(frozen=True)
class Message:
    """What one side said. `indexable` false keeps its whole unit out of memory; `ref` is the caller's own handle.

    `answered` false: it is known that this reply is none, and it alone is left out; so is one that is `kept_out`.
    """

    role: str
    content: str
    indexable: bool = True
    answered: bool = True
    kept_out: bool = False
    ref: int | None = None


@dataclass(frozen=True)
class Unit:
    text: str
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class Dropped:
    """What the rules leave out, and which: `blank`, `pointer`, `summary`, `marked` or `not_answered`."""

    reason: str
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class Cut:
    """A conversation, cut: every message is in exactly one unit or was dropped."""

    units: tuple[Unit, ...]
    dropped: tuple[Dropped, ...]


# -- text form


def render(messages: Iterable[Message]) -> str:
    """One `role: content` line a message; without a role, no prefix. `parse` is its inverse."""
    return "\n".join(_rendered(message) for message in messages)


def _rendered(message: Message) -> str:
    if not message.role:
        return _escaped(message.content)
    first, newline, rest = message.content.partition("\n")
    return f"{message.role}: {first}{newline}{_escaped(rest)}"


def _escaped(lines: str) -> str:
    return _TO_ESCAPE.sub(r"\\", lines)


def parse(text: str) -> list[Message]:
    """The messages of a rendered transcript. Text before the first prefix is one message without a role."""
    bodies: list[tuple[str, list[str]]] = [("", [])]
    for line in text.split("\n"):
        prefix = _PREFIX.match(line)
        if prefix:
            bodies.append((prefix[1], [line[prefix.end() :]]))
        else:
            bodies[-1][1].append(_ESCAPED.sub("", line))
    head, *rest = (Message(role, "\n".join(lines)) for role, lines in bodies)
    return [head, *rest] if head.content.strip() else rest


# -- the pipeline


def cut(messages: Sequence[Message]) -> Cut:
    """The units of a conversation and what was left out of them, by the rules above."""
    kept, dropped = indexable(messages)
    groups_kept, unanswered = answered(groups(kept))
    return Cut(tuple(Unit(render(group), group) for group in groups_kept), (*dropped, *unanswered))


def units(messages: Sequence[Message]) -> list[Unit]:
    return list(cut(messages).units)


def blocks(messages: Sequence[Message]) -> list[str]:
    """The texts of the units: what memory is given."""
    return [unit.text for unit in units(messages)]


def split(text: str) -> list[str]:
    """A transcript's text cut anew. A text that is one unit already comes back as it is."""
    return blocks(parse(text))


def split_dropped(text: str) -> tuple[Dropped, ...]:
    """What `split` leaves out of the same text."""
    return cut(parse(text)).dropped


def indexable(messages: Iterable[Message]) -> tuple[list[Message], list[Dropped]]:
    """Messages with something to say, envelopes unwrapped. Unwrapping comes first: an envelope may hold a pointer."""
    kept: list[Message] = []
    dropped: list[Dropped] = []
    for message in map(_unwrapped, messages):
        if reason := _says_nothing(message):
            dropped.append(Dropped(reason, (message,)))
        else:
            kept.append(message)
    return kept, dropped


def _says_nothing(message: Message) -> str:
    """A summary that a person pasted is theirs; a pointer says nothing, whoever sent it.

    A reply that says itself that it is no answer is left to `answered`: there it takes its question along.
    """
    reply = message.role != "user"
    found = {
        "blank": not message.content.strip(),
        "pointer": is_pointer(message.content),
        "summary": reply and is_summary(message.content),
        "marked": reply and message.kept_out and not is_non_answer(message.content),
        "not_answered": reply and not message.answered and not is_non_answer(message.content),
    }
    return next((reason for reason, holds in found.items() if holds), "")


def groups(messages: Iterable[Message]) -> list[tuple[Message, ...]]:
    """A new group at every user message. What comes before the first one is a group of its own."""
    found: list[list[Message]] = []
    for message in messages:
        if message.role == "user" or not found:
            found.append([])
        found[-1].append(message)
    return [tuple(group) for group in found]


def answered(found: Iterable[tuple[Message, ...]]) -> tuple[list[tuple[Message, ...]], list[Dropped]]:
    """Groups that may enter memory. One without any reply (cut mid-exchange) may; one with only empty replies not."""
    kept: list[tuple[Message, ...]] = []
    dropped: list[Dropped] = []
    for group in found:
        reason = _why_not(group)
        if reason:
            dropped.append(Dropped(reason, group))
        else:
            kept.append(group)
    return kept, dropped


def _why_not(group: Sequence[Message]) -> str:
    if not all(message.indexable for message in group):
        return "marked"
    replies = [message.content for message in group if message.role != "user"]
    return "not_answered" if replies and all(map(is_non_answer, replies)) else ""


# -- envelopes of the systems before us


def _unwrapped(message: Message) -> Message:
    """What a model wrapped as `{"tool": …, "content": …}` is that content. What a person typed stays as typed."""
    content = message.content if message.role == "user" else unwrapped(message.content)
    return message if content == message.content else replace(message, content=content)


def unwrapped(content: str) -> str:
    """What is inside of the envelopes that a model put around its words, where they say enough."""
    while (inner := _inside(content)) is not None:
        content = inner
    return content


def _inside(content: str) -> str | None:
    stripped = content.strip()
    if not (stripped.startswith("{") and stripped.endswith("}")):
        return None
    try:
        envelope = json.loads(stripped, strict=False)
    except (ValueError, RecursionError):
        return None
    inner = envelope.get("content")
    if not isinstance(envelope.get("tool"), str) or not isinstance(inner, str) or _broken(inner):
        return None
    return inner if len(inner.split()) >= ENVELOPE_WORDS or len(inner.strip()) >= ENVELOPE_CHARS else None


def _broken(text: str) -> bool:
    """Half a character, as an escape in JSON can hold: no database takes it."""
    return any("\ud800" <= character <= "\udfff" for character in text)
