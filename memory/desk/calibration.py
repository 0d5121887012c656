"""The cutoff on the desk: measured on one's own questions, seen with its gap, put in force and taken back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from forgesite.errors import ForgeError
from forgesite.owned_admin import ReadOnlyAdmin
from memory import calibrate, embedding, health
from memory.desk.charts import of_distances
from memory.desk.forms import owner_of
from memory.domain.calibration import LEAST, Measured, Question, verdict
from memory.errors import EmbeddingError
from memory.models import Calibration, Entry
from memory.regime.words import sentences

#: Free lines of each side, beside what is proposed.
FREE = range(LEAST)
NUMBER = re.compile(r"\d{1,18}")


@admin.register(Calibration)
class CalibrationAdmin(ReadOnlyAdmin):
    """`change` is the right to measure, and to say which is in force; a measurement itself is never edited."""

    list_display = ("number", "created_at", "cutoff", "regime", "in_force")
    list_display_links = ("number",)
    change_list_template = "admin/memory/calibration/change_list.html"
    actions = None

    @admin.display(description=_("id"), ordering="id")
    def number(self, made: Calibration) -> str:
        return f"#{made.pk}"

    @admin.display(description=_("in force"), boolean=True, ordering="used")
    def in_force(self, made: Calibration) -> bool:
        return made.used

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        context = {"may_measure": self._may(request), **_in_force(request)}
        return super().changelist_view(request, context | (extra_context or {}))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """What was measured, with its chart."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        number = int(object_id) if NUMBER.fullmatch(object_id) else 0
        made = get_object_or_404(self.get_queryset(request), pk=number)
        measured = [
            Measured(each["text"], each["side"] == "miss", each["entry"], each["distance"], each["rank"])
            for each in made.asked
        ]
        found = verdict(measured)
        there = set(
            Entry.objects.of(request.user).filter(pk__in=[each.entry for each in measured]).values_list("pk", flat=True)
        )
        context = self._context(request, gettext("Calibration #%(id)d") % {"id": made.pk}) | {
            "made": made,
            "rows": [
                (each, each.entry in there) for each in sorted(measured, key=lambda one: (one.miss, one.distance))
            ],
            "sentences": list(sentences(found)),
            "chart": of_distances(measured, found),
            "former": calibrate.former(owner_of(request)) if made.used else None,
            "may_measure": self._may(request),
        }
        return render(request, "admin/memory/calibration/change_form.html", context)

    def measure_page(self, request: HttpRequest) -> HttpResponse:
        """Pick questions out of one's history, or write some; measured, they are shown with the gap."""
        self._refuse(request)
        if request.method == "POST":
            try:
                made = calibrate.keep(owner_of(request), calibrate.measure(owner_of(request), list(_picked(request))))
                return redirect("admin:memory_calibration_change", made.pk)
            except ForgeError as error:
                messages.error(request, error.message)
        hits, misses = calibrate.proposed(owner_of(request))
        context = self._context(request, gettext("Calibrate the cutoff")) | {
            "hits": [_kept(request, f"hit{place}", each) for place, each in enumerate(hits)],
            "misses": [_kept(request, f"miss{place}", each) for place, each in enumerate(misses)],
            "free": [_free(request, place) for place in FREE],
            "least": LEAST,
        }
        return render(request, "admin/memory/calibration/measure.html", context)

    def use_view(self, request: HttpRequest) -> HttpResponse:
        """Which one is in force; `none` goes without."""
        self._refuse(request)
        named = request.POST.get("use", "")
        if request.method == "POST" and (named == "none" or NUMBER.fullmatch(named)):
            try:
                chosen = calibrate.use(owner_of(request), None if named == "none" else int(named))
                words = gettext("Calibration #%(id)d is in force.") % {"id": chosen.pk} if chosen else ""
                messages.success(request, words or gettext("No calibration is in force."))
            except ForgeError as error:
                messages.error(request, error.message)
        return redirect("admin:memory_calibration_changelist")

    def get_urls(self) -> list[URLPattern]:
        own: dict[str, Callable[..., HttpResponse]] = {"measure": self.measure_page, "use": self.use_view}
        return [
            *(
                path(f"{name}/", self.admin_site.admin_view(view), name=f"memory_calibration_{name}")
                for name, view in own.items()
            ),
            *super().get_urls(),
        ]

    def _context(self, request: HttpRequest, title: str) -> dict[str, Any]:
        return self.admin_site.each_context(request) | {"title": title, "opts": self.opts}

    def _may(self, request: HttpRequest) -> bool:
        return bool(getattr(request.user, "has_perm", lambda _name: False)("memory.change_calibration"))

    def _refuse(self, request: HttpRequest) -> None:
        if not self._may(request):
            raise PermissionDenied(gettext("You may not calibrate."))


def _in_force(request: HttpRequest) -> dict[str, Any]:
    """The cutoff as a search of this account goes by it, and what is to be known of it."""
    door = embedding.served()
    try:
        cutoff = embedding.cutoff_in_force(door, owner_of(request).pk)
    except EmbeddingError as error:
        return {"cutoff": "", "note": error.message, "is_set": ""}
    named = cutoff.named if cutoff.value is not None else ""
    return {"cutoff": named, "note": health.note(cutoff), "is_set": settings.FORGE.RECALL_MAX_DISTANCE}


def _kept(request: HttpRequest, name: str, each: calibrate.Proposed) -> dict[str, Any]:
    """A proposal, with what was ticked before the page came back with an error."""
    return {"name": name, "text": each.text, "entries": each.entries, "picked": request.POST.get(name, "")}


def _free(request: HttpRequest, place: int) -> dict[str, Any]:
    return {name: request.POST.get(f"{name}{place}", "") for name in ("own", "expect", "none")} | {"place": place}


def _picked(request: HttpRequest) -> Iterator[Question]:
    """Proposals that were confirmed, each with the entry that was chosen for it, then what was written by hand."""
    hits, misses = calibrate.proposed(owner_of(request))
    for place, each in enumerate(hits):
        if NUMBER.fullmatch(chosen := request.POST.get(f"hit{place}", "")):
            yield Question(each.text, (int(chosen),))
    yield from (Question(each.text) for place, each in enumerate(misses) if f"miss{place}" in request.POST)
    for place in FREE:
        if text := request.POST.get(f"own{place}", "").strip():
            yield Question(text, tuple(int(each) for each in NUMBER.findall(request.POST.get(f"expect{place}", ""))))
        if text := request.POST.get(f"none{place}", "").strip():
            yield Question(text)
