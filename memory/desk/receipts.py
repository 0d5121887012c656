"""Receipts on the desk: what each answer was given, what was left out and by which rule, and whether the hash holds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from forgesite.owned_admin import ReadOnlyAdmin
from memory.desk.words import when
from memory.domain.receipt import HOT, Asked, Block, Given, Left, Prompt, address_of
from memory.left_words import by_how_much, reason_words
from memory.models import Entry, Receipt
from memory.receipts import NAMED, question_of, said_of

#: Entries of the block that a page lists.
LISTED = 200


@dataclass(frozen=True)
class Line:
    """A row that was given or left out. `text` empty: the entry is no longer in memory."""

    id: int
    rank: int | None
    text: str
    how: str
    there: bool


@dataclass(frozen=True)
class Recall:
    """`question` empty: erased. `found`: rows that each channel found; `most`: the budgets. `above`: some of what was
    left out stood at the head of the prompt."""

    asked: Asked
    question: str
    given: Sequence[Line]
    left: Sequence[Line]
    cutoff: str
    above: bool
    found: Sequence[tuple[str, int]]
    most: Sequence[tuple[str, int]]


@dataclass(frozen=True)
class ReceiptPage:
    receipt: Receipt
    recalls: Sequence[Recall]
    read: Sequence[Line]
    block: Block | None
    held: Sequence[tuple[int, bool]]
    prompt: Prompt | None
    tokens: Sequence[tuple[str, int]]
    intact: bool
    parent: Receipt | None
    child: Receipt | None
    json: str


class ReceiptList(ChangeList):
    """Counts what was left out of the page's receipts."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        rows: list[Any] = list(self.result_list)
        for receipt in rows:
            receipt.left = sum(len(each["left_out"]["rows"]) for each in receipt.body.get("recalls", ()))
        self.result_list = rows


@admin.register(Receipt)
class ReceiptAdmin(ReadOnlyAdmin):
    list_display = ("place", "time", "question", "given", "left", "run")
    list_display_links = ("place",)
    list_filter = ("at",)
    search_fields = ("questions", "run_id", "address")
    search_help_text = _("words of a question, a run or a hash")
    change_form_template = "admin/memory/receipt/change_form.html"

    @admin.display(description=_("number"), ordering="number")
    def place(self, receipt: Receipt) -> str:
        return f"#{receipt.number}"

    @admin.display(description=_("time"), ordering="number")
    def time(self, receipt: Receipt) -> str:
        return when(receipt.at)

    @admin.display(description=_("question"))
    def question(self, receipt: Receipt) -> str:
        asked = [str(each.get("text", "")) for each in receipt.questions if isinstance(each, dict)]
        return Truncator(" · ".join(filter(None, asked))).chars(120) or "–"

    @admin.display(description=_("given"), ordering="named")
    def given(self, receipt: Any) -> int:
        return int(receipt.named)

    @admin.display(description=_("left out"))
    def left(self, receipt: Any) -> int:
        return int(receipt.left)

    @admin.display(description=_("run"))
    def run(self, receipt: Receipt) -> str:
        url = f"{reverse('admin:traces_run_changelist')}?q={receipt.run_id}"
        return format_html('<a class="mono" href="{}">{}</a>', url, receipt.run_id)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """The page of an entry links to the answers that it was given in."""
        return lookup == "entries__entry" or super().lookup_allowed(lookup, value, request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request).annotate(named=Count("entries"))
        return rows

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return ReceiptList

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Receipt | None:
        """By number, as Django links it; by its address or the beginning of it."""
        if len(object_id) < NAMED:
            return super().get_object(request, object_id, from_field)
        rows = self.get_queryset(request)
        return rows.filter(address__gte=object_id, address__lt=f"{object_id}g").first()

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        receipt = kwargs["obj"]
        context |= {"page": receipt_page(receipt)}
        answer = super().render_change_form(request, context, *args, **kwargs)
        context["title"] = gettext("Receipt #%(number)d") % {"number": receipt.number}
        return answer


def receipt_page(receipt: Receipt) -> ReceiptPage:
    said = said_of(receipt)
    own = Entry.objects.of(receipt.owner)
    left = {row.id for asked in said.recalls for row in asked.left_out}
    texts = own.only("id", "text", "kind").in_bulk([*left, *(row.id for row in said.rows)])
    block = said.block.entries[:LISTED] if said.block else ()
    there = set(own.filter(pk__in=block).values_list("pk", flat=True))
    near = Receipt.objects.of(receipt.owner).filter(number__in=(receipt.number - 1, receipt.number + 1))
    beside = {each.number: each for each in near.only("number", "address")}
    return ReceiptPage(
        receipt=receipt,
        recalls=[_recall(receipt, place, asked, texts) for place, asked in enumerate(said.recalls)],
        read=[_given(row, texts) for row in said.read],
        block=said.block,
        held=[(pk, pk in there) for pk in block],
        prompt=said.prompt,
        tokens=sorted(said.prompt.tokens.items()) if said.prompt else (),
        intact=address_of(receipt.body) == receipt.address,
        parent=beside.get(receipt.number - 1),
        child=beside.get(receipt.number + 1),
        json=json.dumps(receipt.body, indent=1, ensure_ascii=False),
    )


def _recall(receipt: Receipt, place: int, asked: Asked, texts: Mapping[int, Entry]) -> Recall:
    words = question_of(receipt, place)
    cutoff = asked.cutoff_named or ("" if asked.cutoff is None else f"{asked.cutoff:.2f}")
    given, left = [_given(row, texts) for row in asked.given], [_left(row, asked, texts) for row in asked.left_out]
    above = any(row.reason == HOT for row in asked.left_out)
    counts = sorted(asked.candidates.items()), sorted(asked.budgets.items())
    return Recall(asked, words["text"] if words else "", given, left, cutoff, above, *counts)


def _given(row: Given, texts: Mapping[int, Entry]) -> Line:
    how = f"{row.channel} · {row.distance:.2f}" if row.distance is not None else row.channel
    return _line(row, how, texts)


def _left(row: Left, asked: Asked, texts: Mapping[int, Entry]) -> Line:
    how = [reason_words(row.reason), by_how_much(row, asked.cutoff) if row.rank is None else ""]
    return _line(row, " · ".join(filter(None, how)), texts)


def _line(row: Given | Left, how: str, texts: Mapping[int, Entry]) -> Line:
    entry = texts.get(row.id)
    text = Truncator(" ".join(entry.text[:600].split())).chars(160) if entry else ""
    return Line(row.id, row.rank, text, how, entry is not None)
