"""The page of a run: its steps with the time that each took, and what its receipts say that memory gave it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import Truncator
from django.utils.translation import gettext as _

from chat.models import Conversation, Message, Role
from forgesite.language import number
from memory.desk.receipts import Line
from memory.domain.receipt import Given, Left, Said
from memory.left_words import reason_words
from memory.models import Entry, Receipt
from memory.receipts import said_of
from traces.models import Run, Step

#: Receipts of a run that are shown in full, the newest; rows of each.
RECEIPTS, ROWS = 10, 50


@dataclass(frozen=True)
class StepLine:
    """`given` and `saved`: entries that its detail names. `raw`: the detail as it stands, empty for none."""

    step: Step
    took: str
    given: Sequence[Line]
    saved: Sequence[Line]
    raw: str


@dataclass(frozen=True)
class ReceiptLine:
    """`more`: rows that were left out and are not listed."""

    receipt: Receipt
    given: Sequence[Line]
    left: Sequence[Line]
    left_out: int

    @property
    def more(self) -> int:
        return self.left_out - len(self.left)


@dataclass(frozen=True)
class RunPage:
    """`longest`: ms that a full bar stands for, at least 1. `rest`: the time between the steps.

    `talk` and `answer`: None where they are gone. `earlier`: receipts that are not shown.
    """

    run: Run
    mark: str
    tone: str
    took: str
    error: Sequence[tuple[str, str]]
    model: Sequence[tuple[str, str]]
    talk: Conversation | None
    answer: int | None
    steps: Sequence[StepLine]
    longest: int
    rest: str
    receipts: Sequence[ReceiptLine]
    earlier: int


def run_page(run: Run) -> RunPage:
    steps, receipts = list(run.steps.all()), Receipt.objects.of(run.owner).filter(run_id=run.run_id)
    newest = list(receipts.order_by("-number")[:RECEIPTS])[::-1]
    said = {receipt.pk: said_of(receipt) for receipt in newest}
    texts = _texts(run, steps, list(said.values()))
    mark, tone = mark_words(run)
    answer = Message.objects.of(run.owner).filter(run_id=run.run_id, role=Role.ASSISTANT).order_by("-id")
    return RunPage(
        run=run,
        mark=mark,
        tone=tone,
        took=took(run.total_ms),
        error=_pairs(run.error),
        model=_pairs(run.llm),
        talk=Conversation.objects.of(run.owner).filter(pk=run.conversation).first(),
        answer=answer.values_list("pk", flat=True).first(),
        steps=[_step(step, texts) for step in steps],
        longest=max([1, run.total_ms, *(step.duration_ms for step in steps)]),
        rest=took(max(0, run.total_ms - sum(step.duration_ms for step in steps))),
        receipts=[_receipt(receipt, said[receipt.pk], texts) for receipt in newest],
        earlier=receipts.count() - len(newest),
    )


def mark_words(run: Run) -> tuple[str, str]:
    """The mark with its words, and their tone."""
    if not run.ok:
        return _("✗ failed"), "bad"
    return (_("∅ no answer"), "none") if run.not_answered else (_("✓ answered"), "ok")


def took(ms: int) -> str:
    """`340 ms`, `2.4 s`, in the reader's way of writing numbers."""
    return f"{ms}\u00a0ms" if ms < 1000 else f"{number(ms / 1000, 1)}\u00a0s"


def _pairs(told: Any) -> list[tuple[str, str]]:
    """A JSON object as names with what they hold; of anything else its own text, without a name."""
    if not told:
        return []
    if not isinstance(told, Mapping):
        return [("", str(told))]
    return [(str(name), value if isinstance(value, str) else _json(value)) for name, value in told.items()]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _texts(run: Run, steps: Sequence[Step], said: Sequence[Said]) -> dict[int, Entry]:
    """The entries that the page names, read at once. What is gone is not among them."""
    named = {pk for step in steps for pk, _how in (*_named(step, "entries"), *_named(step, "saved"))}
    for each in said:
        named.update(row.id for row in each.rows)
        named.update(row.id for row in _left(each)[:ROWS])
    return Entry.objects.of(run.owner).only("id", "text").in_bulk(named)


def _named(step: Step, what: str) -> Iterator[tuple[int, str]]:
    """The entries under that name of its detail, each with the channel and distance that it came by."""
    rows = step.detail.get(what, ()) if isinstance(step.detail, dict) else ()
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and isinstance(row.get("id"), int):
            distance = row.get("distance")
            how = [row.get("channel") or "", "" if distance is None else f"{distance:.2f}"]
            yield row["id"], " · ".join(filter(None, how))


def _step(step: Step, texts: Mapping[int, Entry]) -> StepLine:
    given = [_line(pk, how, texts) for pk, how in _named(step, "entries")]
    saved = [_line(pk, how, texts) for pk, how in _named(step, "saved")]
    raw = json.dumps(step.detail, indent=1, ensure_ascii=False) if step.detail else ""
    return StepLine(step, took(step.duration_ms), given, saved, raw)


def _receipt(receipt: Receipt, said: Said, texts: Mapping[int, Entry]) -> ReceiptLine:
    left = _left(said)
    return ReceiptLine(
        receipt,
        [_line(row.id, _how(row), texts, row.rank) for row in said.rows],
        [_line(row.id, reason_words(row.reason), texts, row.rank) for row in left[:ROWS]],
        len(left),
    )


def _left(said: Said) -> list[Left]:
    return [row for asked in said.recalls for row in asked.left_out]


def _how(row: Given) -> str:
    return f"{row.channel} · {row.distance:.2f}" if row.distance is not None else row.channel


def _line(pk: int, how: str, texts: Mapping[int, Entry], rank: int | None = None) -> Line:
    entry = texts.get(pk)
    text = Truncator(" ".join(entry.text[:600].split())).chars(160) if entry else ""
    return Line(pk, rank, text, how, entry is not None)
