"""What the browser says on the socket, parsed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Send:
    """`parent`: the message to follow, 0 for none, None for the one in sight. `retry` and `go_on` name an answer.

    `server` and `model` are for a conversation that this begins.
    """

    client_id: str
    text: str
    conversation: str
    temporary: bool
    parent: int | None = None
    retry: int = 0
    go_on: int = 0
    server: str = ""
    model: str = ""


@dataclass(frozen=True)
class Stop:
    """Of one conversation, or of the one that this socket is at."""

    conversation: str


@dataclass(frozen=True)
class Resume:
    conversation: str
    after: int


@dataclass(frozen=True)
class Ping:
    pass


Request = Send | Stop | Resume | Ping
FRAMES: dict[str, Callable[[dict[str, Any]], Request]] = {
    "send": lambda frame: Send(
        _of(frame, "client_id", str, ""),
        _of(frame, "text", str, "" if frame.get("retry") or frame.get("continue") else None),
        _of(frame, "conversation", str, ""),
        _of(frame, "temporary", bool, False),
        None if frame.get("parent") is None else _of(frame, "parent", int, None),
        _of(frame, "retry", int, 0),
        _of(frame, "continue", int, 0),
        _of(frame, "server", str, ""),
        _of(frame, "model", str, ""),
    ),
    "stop": lambda frame: Stop(_of(frame, "conversation", str, "")),
    "resume": lambda frame: Resume(_of(frame, "conversation", str, None), _of(frame, "after", int, 0)),
    "ping": lambda frame: Ping(),
}


def parse(text: str | None) -> Request:
    """Raises ValueError with what is wrong: no JSON object, an unknown type, a field of the wrong type."""
    try:
        frame = json.loads(text or "")
    except (ValueError, RecursionError):
        raise ValueError("A frame is a JSON object in a text message.") from None
    if not isinstance(frame, dict) or not isinstance(frame.get("type"), str) or frame["type"] not in FRAMES:
        raise ValueError(f"A frame has one of the types {', '.join(FRAMES)}.")
    return FRAMES[frame["type"]](frame)


def _of(frame: dict[str, Any], name: str, kind: type, default: Any) -> Any:
    """The field; its default where it is absent or null, and none is given for what must be there."""
    value = frame.get(name)
    value = default if value is None else value
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"{frame['type']}: {name} is a {'text' if kind is str else kind.__name__}.")
    return value
