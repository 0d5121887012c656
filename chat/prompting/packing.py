"""What of a recall a prompt is given: the rows that fit, as long as the prompt shows them."""

from __future__ import annotations

from dataclasses import replace
from datetime import time, tzinfo

from chat.prompting import given
from memory.domain.fence import Datum, shown
from memory.finding import packing
from memory.recall import Recalled, Row


def packed(found: Recalled) -> Recalled:
    """Raises ContextOverflowError where the open todos do not fit."""
    return packing.packed(found, size)


def size(row: Row) -> int:
    """Bytes that the row takes between the lines of a fence."""
    return len(shown(given.datum(row)).encode("utf-8", "replace")) + 1


def due_datum(row: Row, zone: tzinfo) -> Datum:
    """A todo, with when it is due in the reader's zone; the day alone where no hour is known."""
    datum = given.datum(row)
    if row.entry.event_at is None:
        return datum
    due = row.entry.event_at.astimezone(zone)
    when = f"{due:%Y-%m-%d}" if due.time() == time.min else f"{due:%Y-%m-%d %H:%M}"
    return replace(datum, head=f"{datum.head}, due {when}")
