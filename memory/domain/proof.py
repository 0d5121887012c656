"""What the rows must be, by what the changes of commits say: in the form in which the database holds them."""

from __future__ import annotations

from typing import Any

from memory.domain.states import FORGET, RELATE, STATING, UNRELATE

#: The columns of an entry that a change states, in the order of `row_of`.
STATED = (
    "kind",
    "status",
    "origin",
    "digest",
    "conversation",
    "message",
    "source",
    "said_at",
    "event_at",
    "recorded_at",
    "updated_at",
    "last_reviewed_at",
    "pinned",
    "version",
    "superseded_by_id",
    "superseded_how",
    "stale",
    "embedded",
)
#: What a change must have, by what it does.
STATE_NEEDS = frozenset({"id", "kind", "status", "origin", "words", "said", "recorded", "updated", "version"})
NEEDS = {
    FORGET: frozenset({"id", "entry"}),
    RELATE: frozenset({"id", "type", "other", "link", "digest"}),
    UNRELATE: frozenset({"id", "type", "other", "link"}),
    **dict.fromkeys(STATING, STATE_NEEDS),
}


def stored(moment: str | None) -> str | None:
    """A commit's moment as Django writes it to SQLite: without the fraction where there is none."""
    if moment is None:
        return None
    return f"{moment[:10]} {moment[11:19]}" if moment[19:26] == ".000000" else f"{moment[:10]} {moment[11:26]}"


def said(at: str) -> str:
    """The other way round. Of what is no moment something that is none either."""
    return f"{at[:10]}T{at[11:]}{'' if len(at) > 19 else '.000000'}+00:00"


def is_whole(change: dict[str, Any]) -> bool:
    """Is it one of the present form that says all it must?"""
    needs = NEEDS.get(change.get("do", ""))
    return needs is not None and needs <= change.keys()


def row_of(change: dict[str, Any]) -> tuple[Any, ...]:
    """The columns of the entry that it states."""
    get = change.get
    return (
        change["kind"],
        change["status"],
        change["origin"],
        change["words"],
        get("conversation", ""),
        get("message"),
        get("source", ""),
        stored(change["said"]),
        stored(get("event")),
        stored(change["recorded"]),
        stored(change["updated"]),
        stored(get("reviewed")),
        int(get("pinned", False)),
        change["version"],
        get("by"),
        get("how", ""),
        int(get("stale", False)),
        get("vectors", ""),
    )
