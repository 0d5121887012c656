"""What a recall gave and left out, as the `recalled` frame, the trace and the page's chips show it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from chat.domain.frames import Recalled as RecalledFrame
from chat.domain.quoting import clip
from chat.progress import Progress
from memory.domain.fence import Datum, harmless
from memory.given.gathered import NOTHING as NOTHING
from memory.given.gathered import Found
from memory.hot_block import NONE as NO_BLOCK
from memory.hot_block import HotBlock
from memory.models import Entry
from memory.recall import LeftOut, Recalled, Row
from traces.recorder import StepRecord, preview

#: Characters of an entry that a prompt shows.
SHOWN = 2000
#: Rows of which the prompt holds the words already, and rows that it has no room for.
SAVED, PROMPT = "saved", "prompt"
#: Rows that the hot block holds: an entry is in a prompt at most once.
HOT = "hot"
#: What a prompt leaves out of a recall, by its own rules or by those of packing.
OF_PROMPT = (SAVED, PROMPT, HOT, "items", "bytes")


def without(found: Recalled, ids: Collection[int], reason: str) -> Recalled:
    """The same find, with some of its rows left out."""
    gone = tuple(
        LeftOut(row.entry.pk, reason, row.distance, row.score, row.channel, row.rank)
        for row in found.rows
        if row.entry.pk in ids
    )
    rows = tuple(row for row in found.rows if row.entry.pk not in ids)
    return replace(found, rows=rows, left_out=(*gone, *found.left_out))


def given_frame(found: Recalled, hot: HotBlock = NO_BLOCK) -> RecalledFrame:
    dropped = [*(_left_out(LeftOut(row.entry.pk, NOTHING, row.distance)) for row in _unfit(found))]
    return RecalledFrame(
        tuple(_row(row) for row in given(found)),
        (*dropped, *(_left_out(row) for row in found.left_out)),
        hot_block(hot),
    )


def hot_block(hot: HotBlock) -> dict[str, Any] | None:
    """What a prompt held of it; None where there was nothing to hold."""
    if not (hot.text or hot.left_out):
        return None
    return {"entries": len(hot.ids), "left_out": hot.left_out, "tokens": hot.tokens, "complete": hot.complete}


def head(entry: Entry) -> str:
    """What a prompt says of an entry before its text."""
    project = f" in {entry.project}" if entry.project else ""
    return f"#{entry.pk} {entry.kind}{project}, {entry.said_at:%Y-%m-%d}"


def words(row: Row) -> str:
    """Of an entry's text what a prompt shows, around what matched."""
    return clip(row.entry.text, row.matched_terms, SHOWN)


def datum(row: Row) -> Datum:
    text = words(row)
    return Datum(head(row.entry) + ("" if text == row.entry.text else ", a part of it"), text)


def keep_in(progress: Progress, step: StepRecord, found: Recalled, hot: HotBlock = NO_BLOCK) -> None:
    """For the receipt; the chips of an answer, drawn again after a reload; the texts that it may come to quote."""
    progress.gathered.found.append(Found(step.tool, found))
    progress.given |= hot.texts | {row.entry.pk: row.entry.text for row in given(found)}
    if told := hot_block(hot):
        step.detail["hot_block"] = told
    nearest = found.nearest and _left_out(found.nearest)
    step.detail |= {
        "entries": [_row(row) for row in given(found)],
        "nearest": nearest,
        "cutoff": found.cutoff,
        "policy": found.policy,
        "degraded": found.degraded,
    }
    if any(row.reason in OF_PROMPT for row in found.left_out):
        step.detail["left_out"] = [_left_out(row) for row in found.left_out]


def saved_note(entry: dict[str, Any], said: str) -> str:
    """What the model is told of a save: with its words, but where the person's message `said` has them to the letter.

    On one line, with nothing in it that opens a role.
    """
    about, words = f"#{entry['id']} {entry['kind']}", " ".join(entry["content"].split())
    if words.rstrip(".").casefold() in " ".join(said.split()).casefold():
        return about
    return f"{about}: {harmless(words)}"


def given(found: Recalled) -> tuple[Row, ...]:
    """The rows that an answer may lean on."""
    return found.given


def _unfit(found: Recalled) -> tuple[Row, ...]:
    return tuple(row for row in found.rows if row not in found.given)


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
