"""A file of `.forge/sessions`: what was said in one task, with the calls of tools between, and perhaps a summary."""

from __future__ import annotations

from dataclasses import dataclass

from chat.importers.imported import DamagedError, Gathering, Head, Note, ReadConversation
from chat.importers.shape import Fields, Json, items, moment, text

FORMAT = "session_json"
NAME = ".forge/sessions"


@dataclass(frozen=True)
class _Turn:
    role: str
    words: str
    calls: int


def matches(value: Json) -> bool:
    return isinstance(value, dict) and "task_id" in value and "messages" in value


def conversation(value: Fields) -> ReadConversation:
    """The summary stands for messages that are no longer in the file. A model wrote it, and nothing says from what."""
    into = Gathering()
    into.leave(Note.SUMMARY, 1 if text(value, "summary") else 0)
    turns = [turn for item in items(value, "messages") if (turn := _turn(into, item))]
    for turn in _once_each(into, turns):
        _say(into, turn)
    return into.done(
        Head(
            FORMAT,
            text(value, "task_id"),
            created=moment(value.get("created_at")),
            updated=moment(value.get("updated_at")),
        )
    )


def _turn(into: Gathering, item: Json) -> _Turn | None:
    """None for what is no message, and for an assistant's turn with neither words nor calls."""
    try:
        role, words = _role(item), _words(item)
        calls = len(items(item, "tool_calls"))
    except DamagedError:
        into.leave(Note.DAMAGED)
        return None
    if role == "assistant" and not words.strip() and not calls:
        into.leave(Note.BLANK)
        return None
    return _Turn(role, words, calls)


def _role(item: Json) -> str:
    role = item.get("role") if isinstance(item, dict) else None
    if not isinstance(role, str):
        raise DamagedError("role")
    return role.lower()


def _words(item: Fields) -> str:
    """The text; of a list of parts, those that are text."""
    content = item.get("content")
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        raise DamagedError("content")
    return "\n".join(text(part, "text") for part in content if isinstance(part, dict))


def _once_each(into: Gathering, turns: list[_Turn]) -> list[_Turn]:
    """A recovered task often repeats its last turn. Turns of tools are never taken for repeated."""
    kept: list[_Turn] = []
    for turn in turns:
        plain = not turn.calls and turn.role != "tool"
        if plain and kept and kept[-1] == turn:
            into.leave(Note.REPEATED)
        else:
            kept.append(turn)
    return kept


def _say(into: Gathering, turn: _Turn) -> None:
    into.leave(Note.TOOL, turn.calls + (turn.role == "tool"))
    if turn.role == "system":
        into.leave(Note.HIDDEN)
    elif turn.role != "tool" and (turn.words.strip() or not turn.calls):
        into.say(turn.role, turn.words, None)
