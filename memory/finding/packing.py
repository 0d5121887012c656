"""What of a recall fits a budget of bytes and items: whole rows, in order, and never one open todo too few."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import ngettext

from memory.domain import packing
from memory.domain.fence import Datum, shown
from memory.domain.packing import Limits, Piece
from memory.errors import ContextOverflowError
from memory.finding.plain_rows import TASKS
from memory.policies import POLICIES
from memory.recalled import LeftOut, Recalled, Row

#: Characters of an entry that an error shows.
SAID = 200


def size(row: Row) -> int:
    """Bytes of a row as a prompt would show all of it."""
    entry = row.entry
    project = f" in {entry.project}" if entry.project else ""
    head = f"#{entry.pk} {entry.kind}{project}, {entry.said_at:%Y-%m-%d}"
    return len(shown(Datum(head, entry.text)).encode("utf-8", "replace")) + 1


def packed(found: Recalled, size: Callable[[Row], int] = size, limits: Limits | None = None) -> Recalled:
    """Without the rows that do not fit, which are left out by name. `limits` None: those of the recall.

    Raises ContextOverflowError where the open todos that stand first do not fit.
    """
    limits = limits or _limits(found)
    pieces = [Piece(size(row), row.channel == TASKS) for row in found.rows]
    chosen = packing.packed(pieces, limits)
    if chosen.over:
        raise overflow([row for row in found.rows if row.channel == TASKS], limits)
    out = [_left_out(found.rows[place], reason) for place, reason in chosen.skipped]
    return replace(
        found,
        rows=tuple(found.rows[place] for place in chosen.kept),
        left_out=(*out, *found.left_out),
        budgets=found.budgets | {"items": limits.items, "bytes": limits.bytes},
    )


def overflow(todos: Sequence[Row], limits: Limits) -> ContextOverflowError:
    message = ngettext(
        "%(count)d open todo has to be given, and does not fit into %(bytes)d bytes and %(items)d rows: %(ids)s. Close "
        "it, or raise RECALL_MAX_BYTES or RECALL_MAX_ITEMS.",
        "%(count)d open todos have to be given, and do not fit into %(bytes)d bytes and %(items)d rows: %(ids)s. Close "
        "some, or raise RECALL_MAX_BYTES or RECALL_MAX_ITEMS.",
        len(todos),
    )
    ids = ", ".join(f"#{row.entry.pk}" for row in todos)
    values = {"count": len(todos), "bytes": limits.bytes, "items": limits.items, "ids": ids}
    return ContextOverflowError(message % values, detail=listed(todos))


def _limits(found: Recalled) -> Limits:
    """A policy that is packed is given as many rows as were asked for, and its todos even past that.

    Where todos come on top of what was asked, bytes alone are their limit, and they take no row's place: with the
    seventeenth open todo no turn at all would be answered.
    """
    todos = sum(row.channel == TASKS for row in found.rows)
    items, rows, policy = found.budgets["items"], found.budgets["rows"], POLICIES[found.policy]
    if policy.todos == "always":
        items = max(rows, min(todos, items)) if policy.packed else items
    else:
        items += todos
    return Limits(items, found.budgets["bytes"])


def _left_out(row: Row, reason: str) -> LeftOut:
    return LeftOut(row.entry.pk, reason, row.distance, row.score, row.channel, row.rank)


def listed(todos: Sequence[Row]) -> list[dict[str, Any]]:
    """As an error names them: a long text by its beginning."""
    texts = {row.entry.pk: row.entry.text for row in todos}
    return [{"id": pk, "content": text if len(text) <= SAID else f"{text[:SAID]} …"} for pk, text in texts.items()]
