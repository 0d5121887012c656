"""What a commit says of a row."""

from __future__ import annotations

from typing import Any

from memory.domain.chain import moment
from memory.domain.states import MOMENTS, NAMES, State
from memory.models import Entry


def state_of(entry: Entry) -> State:
    """The row as a commit states it."""
    said: dict[str, Any] = {name: getattr(entry, name) for name in NAMES if name != "superseded_by"}
    said |= {name: moment(said[name]) for name in MOMENTS}
    return State(superseded_by=entry.superseded_by_id, **said)
