"""What a commit says of an entry: every column that is no mere index, as it was after the change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

#: A change names a field by this word; what is empty is left out.
NAMES = {
    "kind": "kind",
    "status": "status",
    "origin": "origin",
    "digest": "words",
    "conversation": "conversation",
    "message": "message",
    "source": "source",
    "said_at": "said",
    "event_at": "event",
    "recorded_at": "recorded",
    "updated_at": "updated",
    "last_reviewed_at": "reviewed",
    "pinned": "pinned",
    "version": "version",
    "superseded_by": "by",
    "superseded_how": "how",
    "stale": "stale",
    "embedded": "vectors",
}
#: The columns of a state that hold a moment.
MOMENTS = ("said_at", "event_at", "recorded_at", "updated_at", "last_reviewed_at")
#: What `do` of a change may be. All but the first three state an entry as it is afterwards: `follow` what a change of
#: links did to it, `embed` vectors that came later than the text, `adopt` what was changed outside Forge.
FORGET, RELATE, UNRELATE = "forget", "relate", "unrelate"
CREATE, REVISE, FOLLOW, EMBED, ADOPT = "create", "revise", "follow", "embed", "adopt"
STATING = frozenset(
    {CREATE, REVISE, FOLLOW, EMBED, ADOPT, "archive", "restore", "retract", "reaffirm", "undo", "mask", "baseline"}
)


@dataclass(frozen=True)
class State:
    """An entry's row without its words, which `digest` stands for. Moments in ISO 8601, UTC, with microseconds."""

    kind: str
    status: str
    origin: str
    digest: str
    said_at: str
    recorded_at: str
    updated_at: str
    version: int
    conversation: str = ""
    message: int | None = None
    source: str = ""
    event_at: str | None = None
    last_reviewed_at: str | None = None
    pinned: bool = False
    superseded_by: int | None = None
    superseded_how: str = ""
    stale: bool = False
    embedded: str = ""


EMPTY = (None, "", False)


def as_change(do: str, pk: int, state: State, **more: Any) -> dict[str, Any]:
    """The change of a commit that leaves an entry in this state."""
    said = {word: getattr(state, name) for name, word in NAMES.items()}
    return {"do": do, "id": pk, **{word: value for word, value in said.items() if value not in EMPTY}, **more}


def from_change(change: dict[str, Any]) -> State:
    """Raises TypeError where the change states no entry."""
    given = {name: change[word] for name, word in NAMES.items() if word in change}
    return State(**given)


def states_an_entry(change: dict[str, Any]) -> bool:
    """Also of a change as the first form of commits wrote it: False."""
    return "version" in change and "words" in change
