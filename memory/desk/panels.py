"""Parts of an entry's page that are read when somebody opens them: its answers, and the questions that reach it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext

from forgesite.errors import ForgeError
from forgesite.models import Account
from memory.desk.forms import owner_of
from memory.domain.receipt import HOT, Given, Left
from memory.given.reach import reach
from memory.given.words import STAGE_WORDS, detail, remedy
from memory.left_words import reason_words
from memory.models import Entry, GoldenQuestion, Receipt
from memory.receipts import question_of, said_of
from memory.why_not import Answer

#: Answers that are listed, and answers whose questions are.
LATEST, ASKED = 10, 50
#: Characters of a question that is tried.
LONGEST = 2000
#: What the page's script sends: it wants the part alone.
PART = "Forge-Part"


@dataclass(frozen=True)
class Leaning:
    """An answer that leaned on the entry: what was asked, and how the entry was found."""

    receipt: Receipt
    question: str
    how: str


@dataclass(frozen=True)
class Reaching:
    """A question that found the entry: how often, and how and when last."""

    text: str
    times: int
    how: str
    last: datetime

    @property
    def again(self) -> bool:
        return self.times > 1


@dataclass(frozen=True)
class Golden:
    question: GoldenQuestion
    how: str


@dataclass(frozen=True)
class Try:
    """What became of a question that was tried. `wrong`: why it could not be."""

    question: str
    stage: Any = ""
    given: bool = False
    how: str = ""
    detail: str = ""
    remedy: str = ""
    wrong: str = ""
    notices: Sequence[str] = ()

    @property
    def tone(self) -> str:
        return "ok" if self.given else "none"


def panel_page(model_admin: Any, request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """One part by itself for the script of the page; a page of its own for everybody else."""
    entry = get_object_or_404(model_admin.get_queryset(request), pk=pk)
    if name not in PANELS or not model_admin.has_view_permission(request, entry):
        raise Http404
    title, read = PANELS[name]
    context = read(owner_of(request), entry, request) | {"original": entry, "panel": name}
    alone = PART in request.headers
    if not alone:
        context |= model_admin.admin_site.each_context(request) | {"title": title(entry), "opts": model_admin.opts}
    answer = render(request, f"admin/memory/entry/panel_{name}.html" if alone else PAGE, context)
    patch_vary_headers(answer, [PART])
    return answer


PAGE = "admin/memory/entry/panel.html"


def _answers(owner: Account, entry: Entry, _request: HttpRequest) -> dict[str, Any]:
    given = _receipts(owner, entry)
    return {
        "answers": [answer for receipt in given[:LATEST] for answer in _of_receipt(receipt, entry.pk)[:1]],
        "count": given.count(),
    }


def _questions(owner: Account, entry: Entry, request: HttpRequest) -> dict[str, Any]:
    asked = request.GET.get("q", "").replace("\x00", " ").strip()[:LONGEST]
    return {
        "asked": asked,
        "tried": tried(owner, entry.pk, asked) if asked else None,
        "reaching": _reaching(owner, entry),
        "golden": _golden(owner, entry),
        "most": ASKED,
    }


PANELS: dict[str, tuple[Any, Any]] = {
    "answers": (lambda entry: gettext("Answers that used #%(id)d") % {"id": entry.pk}, _answers),
    "questions": (lambda entry: gettext("Questions that reach #%(id)d") % {"id": entry.pk}, _questions),
}


def tried(owner: Account, entry: int, question: str) -> Try:
    try:
        found = reach(owner, entry, question)
    except ForgeError as error:
        return Try(question, wrong=error.message)
    answer, verdict = found.answer, found.answer.verdict
    return Try(
        question,
        STAGE_WORDS[verdict.stage],
        verdict.stage == "given",
        _measured(answer),
        detail(answer),
        remedy(verdict),
        notices=found.notices,
    )


def _measured(answer: Answer) -> str:
    facts = answer.verdict.facts
    return _how(facts.get("channel") or "", facts.get("distance"), facts.get("rank"))


def _how(channel: str, distance: float | None, rank: int | None) -> str:
    """`3. · vector · 0.61`: what is known of it."""
    told = [f"{rank}." if rank else "", channel, "" if distance is None else f"{distance:.2f}"]
    return " · ".join(filter(None, told))


def _receipts(owner: Account, entry: Entry) -> Any:
    return Receipt.objects.of(owner).filter(entries__entry=entry.pk).order_by("-number")


def _of_receipt(receipt: Receipt, entry: int) -> list[Leaning]:
    """Each recall of it that gave the entry, or would have, had the prompt not had it already; or that it was read."""
    said = said_of(receipt)
    found = [
        Leaning(receipt, (question_of(receipt, place) or {}).get("text", ""), how)
        for place, asked in enumerate(said.recalls)
        for how in _hows(asked.given, asked.left_out, entry)
    ]
    return found or [Leaning(receipt, "", gettext("read by its number"))]


def _hows(given: Sequence[Given], left: Sequence[Left], entry: int) -> Iterator[str]:
    for row in given:
        if row.id == entry:
            yield _how(row.channel, row.distance, row.rank)
    for out in left:
        if out.id == entry and out.reason == HOT:
            yield f"{_how(out.channel, out.distance, out.rank)} · {reason_words(HOT)}"


def _reaching(owner: Account, entry: Entry) -> list[Reaching]:
    """Of the newest answers, each question once as it was last asked; those first that were asked last."""
    found: dict[str, Reaching] = {}
    for receipt in _receipts(owner, entry)[:ASKED]:
        for each in _of_receipt(receipt, entry.pk):
            if each.question:
                known = found.get(each.question)
                times = known.times + 1 if known else 1
                found[each.question] = Reaching(
                    each.question, times, known.how if known else each.how, known.last if known else receipt.at
                )
    return list(found.values())


def _golden(owner: Account, entry: Entry) -> list[Golden]:
    questions = GoldenQuestion.objects.of(owner).filter(right__entry=entry.pk)
    return [Golden(question, _last(question, entry.pk)) for question in questions]


def _last(question: GoldenQuestion, entry: int) -> str:
    """Where the last replay found it."""
    rows = (question.last_result or {}).get("right", ())
    found = next((row for row in rows if row["entry"] == entry), None)
    if found is None:
        return gettext("not asked yet")
    return f"{found['rank']}." if found["rank"] else gettext("not found")
