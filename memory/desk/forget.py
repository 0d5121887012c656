"""Forgetting on the desk: retract is offered first, the question is asked twice, and the certificate is shown.

The page of one entry begins with the entry alone. What goes with it is looked for in every table, and comes with the
second question, by the page's script or by a link: nobody is asked for the last word before they were told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext, ngettext

from forgesite.errors import ForgeError
from memory.desk.acts import BY_NAME, act_on_many, chosen, refuse_whom_may_not_change
from memory.desk.forms import ACTOR, CAUSE, owner_of
from memory.desk.panels import PART
from memory.erasing import words as erasure_words
from memory.evidence import Quote, quote
from memory.forget import forget, planned
from memory.given.lately import Loss, given_lately
from memory.golden import Losing, losing
from memory.models import Entry

#: Most entries that the question lists by their words, and questions of either kind.
LISTED = 20
WHOLE, GOES = "admin/memory/entry/forget.html", "admin/memory/entry/forget_goes.html"


@dataclass(frozen=True)
class Question:
    """`typed`: what the person has to type, the number of the one entry, or how many they are. `looked`: what goes was
    looked for; where it was not, nothing below it is known, and nothing can be confirmed."""

    entries: Sequence[Entry]
    typed: str
    looked: bool = False
    message: Quote | None = None
    messages: int = 0
    #: What would go with them, counted by place: the plan that the act carries out.
    goes: Sequence[tuple[str, int]] = ()
    #: Golden questions that would lose right entries.
    golden: Sequence[Losing] = ()
    #: Questions of late that were given one of them.
    lately: Sequence[Loss] = ()
    wrong: str = ""

    @property
    def shown(self) -> Sequence[Entry]:
        return self.entries[:LISTED]

    @property
    def more(self) -> int:
        return len(self.entries) - len(self.shown)

    @property
    def golden_more(self) -> int:
        return max(0, len(self.golden) - LISTED)

    @property
    def lately_more(self) -> int:
        return max(0, len(self.lately) - LISTED)

    @property
    def ids(self) -> str:
        return ",".join(str(entry.pk) for entry in self.entries)

    @property
    def one(self) -> Entry | None:
        return self.entries[0] if len(self.entries) == 1 else None


def forget_one(model_admin: Any, request: HttpRequest, pk: int) -> HttpResponse:
    """The page of *Forget for good…*, in the place of Django's page for deleting."""
    entry = get_object_or_404(model_admin.get_queryset(request), pk=pk)
    if not model_admin.has_delete_permission(request, entry):
        raise PermissionDenied(gettext("You may not forget entries."))
    answered = request.method == "POST"
    if answered or "goes" in request.GET:
        return asked(model_admin, request, [entry], answered=answered)
    return _page(model_admin, request, Question([entry], str(entry.pk)))


def forget_many(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """Where the question about a selection is answered."""
    if not model_admin.has_delete_permission(request):
        raise PermissionDenied(gettext("You may not forget entries."))
    entries = chosen(model_admin, request)
    return asked(model_admin, request, entries, answered=True) if entries else redirect("admin:memory_entry_changelist")


def retract_many(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """*Retract instead*, of a selection."""
    if request.method == "POST":
        refuse_whom_may_not_change(model_admin, request)
        ids = [entry.pk for entry in chosen(model_admin, request)]
        if page := act_on_many(request, BY_NAME["retract"], ids):
            return page
    return redirect("admin:memory_entry_changelist")


def asked(model_admin: Any, request: HttpRequest, entries: Sequence[Entry], *, answered: bool = False) -> HttpResponse:
    """The question, until it is answered rightly; then the certificate."""
    question = _question(request, entries, answered=answered)
    if answered and not question.wrong:
        return _forgotten(request, entries)
    return _page(model_admin, request, question)


def _page(model_admin: Any, request: HttpRequest, question: Question) -> HttpResponse:
    """Only its last part for the script that asks for it."""
    context = model_admin.admin_site.each_context(request) | {
        "title": _title(question),
        "opts": model_admin.opts,
        "question": question,
        "may_retract": model_admin.has_change_permission(request),
    }
    alone = question.looked and request.method == "GET" and PART in request.headers
    answer = render(request, GOES if alone else WHOLE, context)
    patch_vary_headers(answer, [PART])
    return answer


def _title(question: Question) -> str:
    if question.one:
        return gettext("Forget #%(id)d for good?") % {"id": question.one.pk}
    return gettext("Forget %(count)d entries for good?") % {"count": len(question.entries)}


def _question(request: HttpRequest, entries: Sequence[Entry], *, answered: bool) -> Question:
    one = entries[0] if len(entries) == 1 else None
    typed = str(one.pk if one else len(entries))
    told = sum(entry.message is not None for entry in entries)
    said = quote(owner_of(request), one.message) if one else None
    goes = erasure_words.removed({"removed": planned(owner_of(request), [entry.pk for entry in entries]).removed})
    ids = {entry.pk for entry in entries}
    lost, given = losing(owner_of(request), ids), given_lately(owner_of(request), ids)
    wrong = _wrong(request, typed) if answered else ""
    found = Question(entries, typed, looked=True, message=said, messages=told, goes=goes)
    return replace(found, golden=lost, lately=given, wrong=wrong)


def _wrong(request: HttpRequest, typed: str) -> str:
    if not request.POST.get("sure"):
        return gettext("Tick that you know it cannot be undone.")
    if request.POST.get("number", "").strip().removeprefix("#") != typed:
        return gettext("Type %(number)s to forget.") % {"number": typed}
    return ""


def _forgotten(request: HttpRequest, entries: Sequence[Entry]) -> HttpResponse:
    ids, mine = [entry.pk for entry in entries], bool(request.POST.get("my_message"))
    try:
        gone = forget(owner_of(request), ids, actor=ACTOR, cause=CAUSE, my_message=mine)
    except ForgeError as error:
        messages.error(request, error.message)
        return redirect("admin:memory_entry_changelist")
    messages.success(
        request, " ".join([_said(len(gone.ids)), *([gettext("Your message is gone too.")] if mine else [])])
    )
    return redirect("admin:memory_erasure_change", gone.certificate.pk)


def _said(count: int) -> str:
    return ngettext("Forgotten for good.", "%(count)d entries are forgotten for good.", count) % {"count": count}
