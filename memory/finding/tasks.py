"""The channel `tasks`: open todos, and what else is due; all of them."""

from __future__ import annotations

from datetime import datetime

from memory.domain.scope import Scope
from memory.domain.todo_order import ToDo, in_turn
from memory.finding.recent import of
from memory.kinds import FALLING_DUE, Status


def to_do(where: Scope, now: datetime) -> list[int]:
    """What is due by then first, then the oldest. A kind other than todos and prospective entries has none."""
    rows = of(where).standing().filter(kind__in=FALLING_DUE).values_list("pk", "status", "said_at", "event_at")
    # Not by id: SQLite would go through all rows in that order, instead of the few that the index of states names.
    rows = rows.order_by("said_at", "id")
    return in_turn((ToDo(pk, status == Status.OPEN, said, due) for pk, status, said, due in rows), now)
