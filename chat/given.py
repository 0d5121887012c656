"""What a recall gave and left out, as the `recalled` frame, the trace and the page's chips show it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from chat.domain.frames import Recalled as RecalledFrame
from chat.progress import Progress
from memory.recall import LeftOut, Recalled, Row
from traces.recorder import StepRecord, preview

#: Rows that a search shows, but that cover too little of what was asked to be given as an answer.
NOTHING = "nothing"
#: Rows of which the prompt holds the words already, and rows that it has no room for.
SAVED, PROMPT = "saved", "prompt"


def without(found: Recalled, ids: Collection[int], reason: str) -> Recalled:
    """The same find, with some of its rows left out."""
    gone = tuple(LeftOut(row.entry.pk, reason, row.distance) for row in found.rows if row.entry.pk in ids)
    rows = tuple(row for row in found.rows if row.entry.pk not in ids)
    return replace(found, rows=rows, left_out=(*gone, *found.left_out))


def given_frame(found: Recalled) -> RecalledFrame:
    dropped = [*(_left_out(LeftOut(row.entry.pk, NOTHING, row.distance)) for row in _unfit(found))]
    return RecalledFrame(
        tuple(_row(row) for row in given(found)), (*dropped, *(_left_out(row) for row in found.left_out))
    )


def keep_in(progress: Progress, step: StepRecord, found: Recalled) -> None:
    """The chips of an answer, drawn again after a reload; and the texts that the answer may come to quote."""
    progress.given |= {row.entry.pk: row.entry.text for row in given(found)}
    nearest = found.nearest and _left_out(found.nearest)
    step.detail |= {
        "entries": [_row(row) for row in given(found)],
        "nearest": nearest,
        "cutoff": found.cutoff,
        "policy": found.policy,
        "degraded": found.degraded,
    }
    if any(row.reason in (SAVED, PROMPT) for row in found.left_out):
        step.detail["left_out"] = [_left_out(row) for row in found.left_out]


def given(found: Recalled) -> tuple[Row, ...]:
    """The rows that an answer may lean on."""
    return () if found.nothing else found.rows


def _unfit(found: Recalled) -> tuple[Row, ...]:
    return found.rows if found.nothing else ()


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
