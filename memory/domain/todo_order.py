"""In which order open todos are given: what is due first, the longest due of all, then the oldest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class ToDo:
    """An open todo, or a prospective entry. `due` None: no time is known."""

    id: int
    open: bool
    said_at: datetime
    due: datetime | None


def in_turn(found: Iterable[ToDo], now: datetime) -> list[int]:
    """All that are open, and what else is due by now."""
    rows = [(row.due if row.due is not None and row.due <= now else None, row) for row in found]
    due = sorted((at, row.id) for at, row in rows if at is not None)
    rest = sorted((row.said_at, row.id) for at, row in rows if at is None and row.open)
    return [pk for _at, pk in (*due, *rest)]
