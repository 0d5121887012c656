"""What a recall gave and left out, as the `recalled` frame, the trace and the page's chips show it."""

from __future__ import annotations

from typing import Any

from chat.domain.frames import Recalled as RecalledFrame
from memory.recall import LeftOut, Recalled, Row
from traces.recorder import StepRecord, preview


def given_frame(found: Recalled) -> RecalledFrame:
    return RecalledFrame(tuple(_row(row) for row in found.rows), tuple(_left_out(row) for row in found.left_out))


def keep_in(step: StepRecord, found: Recalled) -> None:
    """The chips of an answer, drawn again after a reload."""
    step.detail = {
        "entries": [_row(row) for row in found.rows],
        "nearest": _left_out(found.nearest) if found.nearest else None,
        "cutoff": found.cutoff,
        "policy": found.policy,
        "degraded": found.degraded,
    }


def _row(row: Row) -> dict[str, Any]:
    entry = row.entry
    return {
        "id": entry.pk,
        "kind": entry.kind,
        "project": entry.project,
        "channel": row.channel,
        "distance": row.distance,
        "score": row.score,
        "rank": row.rank,
        "preview": preview(entry.text),
    }


def _left_out(row: LeftOut) -> dict[str, Any]:
    return {"id": row.id, "reason": row.reason, "distance": row.distance}
