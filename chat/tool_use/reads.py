"""What a model reads from memory by a tool: entries as data, clipped to the room that its window has left."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from chat import answer
from chat.domain.frames import Frame
from chat.domain.frames import Recalled as RecalledFrame
from chat.domain.quoting import quotation
from chat.expanding import rewriting
from chat.prompting.given import HOT, PROMPT, datum, given, given_frame, head, keep_in, without, words
from chat.prompting.packing import packed
from chat.tool_use.calls import Performed
from chat.tool_use.tools import MOST_RESULTS, RESULTS, SYNONYMS
from forgesite.errors import InvalidError
from forgesite.lib.tokens import estimate
from memory.domain.fence import Datum, fenced
from memory.listing import entry_of
from memory.recall import Query, Recalled, Row, recall
from traces.recorder import preview

if TYPE_CHECKING:
    from chat.progress import Progress
    from traces.recorder import StepRecord

#: Tokens that the two lines of a fence take, and the least that is worth a result.
FENCE, LEAST = 40, 60
NOTHING = "[no memory] Memory holds nothing on this."
NOTHING_MORE = "[memory] Nothing on this beyond the list above."


def recalled(progress: Progress, given_: dict[str, Any], step: StepRecord, *, complete: bool, room: int) -> Performed:
    """Raises EmbeddingError where the embedder is down, and InvalidError for a kind that is none."""
    query = Query(
        given_["query"],
        kind=_kind(given_),
        project=given_.get("project") or None,
        explicit=True,
        for_prompt=True,
        beside_todos=True,
    )
    return _found(
        progress, packed(recall(progress.owner, query, rewrite=rewriting(progress))), step, complete=complete, room=room
    )


def instead(progress: Progress, content: str, step: StepRecord, *, complete: bool, room: int) -> str:
    """What memory holds on what a question would have had saved. Never an error: by words where meaning is off."""
    found = packed(recall(progress.owner, Query(content, for_prompt=True, beside_todos=True)))
    return _found(progress, found, step, complete=complete, room=room).result


def searched(progress: Progress, given_: dict[str, Any], step: StepRecord, *, room: int) -> Performed:
    """Raises InvalidError for a number out of range, and EmbeddingError."""
    most = given_.get("max_results", RESULTS)
    if not 1 <= most <= MOST_RESULTS:
        raise InvalidError(f"max_results is {most}; it can be 1 to {MOST_RESULTS}.")
    query = Query(given_["query"], top_k=most, explicit=True, for_prompt=True, beside_todos=True)
    found = packed(recall(progress.owner, query))
    found = replace(found, rows=found.rows[:most])
    fresh = _fresh(progress, found)
    rows, cut = _fitting([_listed(row, fresh) for row in given(found)], room)
    fresh = _with_room(fresh, given(found)[len(rows) :])
    keep_in(progress, step, fresh)
    progress.looked = progress.looked or bool(given(found))
    result = _joined(rows, cut)
    return Performed(result, (given_frame(fresh),), spoken=_said(found), empty=not rows)


def got(progress: Progress, given_: dict[str, Any], step: StepRecord, *, room: int) -> Performed:
    """Raises UnknownError."""
    entry = entry_of(progress.owner, str(given_["id"]).strip().removeprefix("#"))
    frames: tuple[Frame, ...] = ()
    if entry.pk not in progress.given:
        chip = {"id": entry.pk, "kind": entry.kind, "preview": preview(entry.text)}
        step.detail["entries"], frames = [chip], (RecalledFrame((chip,), ()),)
    progress.given[entry.pk], progress.looked = entry.text, True
    rows, cut = _fitting([Datum(f"{head(entry)}, {entry.status}", entry.text)], room)
    quoted = quotation(entry.text, f"#{entry.pk} {entry.get_kind_display()}", typed=True)
    return Performed(_joined(rows, cut), frames, spoken=quoted)


def _kind(given_: dict[str, Any]) -> str:
    kind = str(given_.get("kind") or "").strip().casefold()
    return SYNONYMS.get(kind, kind)


def _found(progress: Progress, found: Recalled, step: StepRecord, *, complete: bool, room: int) -> Performed:
    fresh = _fresh(progress, found)
    above = [row.entry.pk for row in given(found) if row not in fresh.rows]
    rows, cut = _fitting([datum(row) for row in given(fresh)], room)
    fresh = _with_room(fresh, given(fresh)[len(rows) :])
    keep_in(progress, step, fresh)
    frames = (given_frame(fresh),)
    if not given(found):
        text = NOTHING_MORE if complete else NOTHING
        return Performed(
            "\n".join([text, *found.notices]), frames, "" if complete else "no memory", _said(found), empty=True
        )
    progress.looked = True
    lines = [f"[memory] Given above already: {', '.join(f'#{pk}' for pk in above)}."] if above else []
    shown = _joined(rows, cut) if rows or cut else ""
    return Performed("\n".join(filter(None, [*lines, *found.notices, shown])), frames, spoken=_said(found))


def _fresh(progress: Progress, found: Recalled) -> Recalled:
    """Without the rows that this run was given already: an entry is in a prompt at most once."""
    return without(found, {row.entry.pk for row in found.rows if row.entry.pk in progress.given}, HOT)


def _with_room(fresh: Recalled, rows: Sequence[Row]) -> Recalled:
    """Without those for which the window had none: they were not given."""
    return without(fresh, {row.entry.pk for row in rows}, PROMPT)


def _said(found: Recalled) -> str:
    """For the person, where no model goes on with it."""
    if given(found):
        return answer.from_memory(found)
    return "\n\n".join([_("[no memory] Memory holds nothing on this."), *found.notices])


def _listed(row: Row, fresh: Recalled) -> Datum:
    text = words(row) if row in fresh.rows else "(given above)"
    found = {"text": text, "id": row.entry.pk, "kind": row.entry.kind, "score": row.score}
    return Datum("", json.dumps(found, ensure_ascii=False))


def _fitting(data: Sequence[Datum], room: int) -> tuple[list[Datum], str]:
    """Those that fit, the first cut where not even it does; and what is to be said of the rest."""
    kept, left = list[Datum](), max(LEAST, room - FENCE)
    for each in data:
        tokens = estimate(f"{each.head}\n{each.text}") + 2
        if tokens > left:
            break
        kept.append(each)
        left -= tokens
    if data and not kept:
        first = data[0]
        share = len(first.text) * left // (2 * estimate(first.text))
        kept = [Datum(f"{first.head}, cut here: the window has no more room", first.text[:share] + " …")]
    more = len(data) - len(kept)
    return kept, f"[cut] {more} more had no room in the window." if more else ""


def _joined(rows: Sequence[Datum], cut: str) -> str:
    """Entries between the lines of a fence; those of a list in JSON are one list."""
    if rows and not rows[0].head:
        rows = [Datum("JSON", "[" + ",\n".join(row.text for row in rows) + "]")]
    return "\n".join(filter(None, [fenced(rows) if rows else "", cut])) or "[]"
