"""Entries on the curation desk: the list with its search, and the page of one. Every change is a verb's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.db.models import Case, IntegerField, QuerySet, TextField, Value, When
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from forgesite.owned_admin import OwnedAdmin
from memory import embedding, vector_channel
from memory.desk.about import about_page
from memory.desk.acts import IN_BULK, Act, act_on, act_on_many
from memory.desk.as_of import as_of_page
from memory.desk.duplicates import duplicates_page
from memory.desk.entry_page import entry_page
from memory.desk.filters import ANSWERS, ProjectFilter, UsedFilter, WaitingFilter, something_waits
from memory.desk.forget import asked, forget_many, forget_one, retract_many
from memory.desk.forms import AnyTextForm, EntryForm, owner_of
from memory.desk.panels import PART, panel_page
from memory.desk.project import project_page, set_project
from memory.desk.relate import relate_page, unrelate
from memory.desk.story import story
from memory.desk.words import marks
from memory.models import Entry, Kind
from memory.policies import searching
from memory.recall import Query, Row, recall
from memory.regime import states as regimes

#: Most rows that a search shows, and commits that a history shows before all of it is asked for.
FOUND, STORY = 50, 50
#: Asks for what a search found. Without it the page comes first, and its script, or a link, asks for the rows.
ROWS = "rows"


class EntryList(ChangeList):
    search_form_class = AnyTextForm

    def get_results(self, request: HttpRequest) -> None:
        """Of what comes later nobody knows yet how much it is."""
        super().get_results(request)
        if getattr(request, "rows_later", False):
            self.full_result_count = self.result_count


def _in_bulk(act: Act) -> Callable[..., HttpResponse | None]:
    """The verb as an action of the list."""

    @admin.action(description=act.label, permissions=["change"])
    def move(_admin: Any, request: HttpRequest, queryset: QuerySet[Entry]) -> HttpResponse | None:
        return act_on_many(request, act, list(queryset.order_by("id").values_list("pk", flat=True)))

    move.__name__ = f"{act.name}_selected"
    return move


@admin.action(description=_("Set the project…"), permissions=["change"])
def set_project_selected(model_admin: Any, request: HttpRequest, queryset: QuerySet[Entry]) -> HttpResponse:
    """Asks which one."""
    return project_page(model_admin, request, list(queryset.order_by("id")))


@admin.action(description=_("Forget for good…"), permissions=["delete"])
def forget_selected(model_admin: Any, request: HttpRequest, queryset: QuerySet[Entry]) -> HttpResponse:
    """Asked twice, with their number to type."""
    return asked(model_admin, request, list(queryset.order_by("id")))


@admin.register(Entry)
class EntryAdmin(OwnedAdmin):
    form = EntryForm
    list_display = ("number", "clipped", "kind", "state", "project", "origin", "said")
    list_filter = ("kind", "status", "origin", "pinned", UsedFilter, ProjectFilter, WaitingFilter)
    # Named so that Django shows the box; what is found is decided by recall, below.
    search_fields = ("text",)
    search_help_text = _("By meaning and by words. Any text is a question, never a syntax.")
    date_hierarchy = None
    fields = ("text", ("kind", "project"), "event_at", "seen")
    actions = (*(_in_bulk(act) for act in IN_BULK), set_project_selected, forget_selected)
    save_on_top = False
    change_form_template = "admin/memory/entry/change_form.html"
    change_list_template = "admin/memory/entry/change_list.html"

    @admin.display(description=_("id"), ordering="id")
    def number(self, entry: Entry) -> str:
        return f"#{entry.pk}"

    @admin.display(description=_("text"))
    def clipped(self, entry: Entry) -> str:
        return clipped(entry)

    @admin.display(description=_("state"), ordering="status")
    def state(self, entry: Entry) -> str:
        """In words; and by codes for the keyboard, whose keys mean what makes sense now."""
        words = [f"{mark.words} #{mark.entry}" if mark.entry else mark.words for mark in marks(entry)]
        codes = ["live"] * entry.is_live + ["pinned"] * entry.pinned
        words += [gettext("pinned")] * entry.pinned
        return format_html('<span data-state="{}">{}</span>', " ".join(codes), " · ".join(words))

    @admin.display(description=_("said"), ordering="said_at")
    def said(self, entry: Entry) -> str:
        return date_format(timezone.localtime(entry.said_at), "SHORT_DATE_FORMAT")

    @admin.display(description=_("found by"))
    def found(self, entry: Entry) -> str:
        return getattr(entry, "found_by", "")

    @admin.display(description=_("search by meaning"))
    def meaning(self, entry: Entry) -> str:
        return gettext("waits for its vectors") if getattr(entry, "waits", False) else ""

    def get_list_display(self, request: HttpRequest) -> Any:
        shown = (*super().get_list_display(request), *(("meaning",) if something_waits(request) else ()))
        return (*shown[:2], "found", *shown[2:]) if request.GET.get("q", "").strip() else shown

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        return vector_channel.with_waits(super().get_queryset(request))

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Entry | None:
        """With the number of answers that leaned on it, in the same query."""
        return self.get_queryset(request).annotate(answers=ANSWERS).filter(pk=number_of(object_id)).first()

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return EntryList

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """A search says itself that words alone were searched. Its rows come after the page, see ROWS."""
        searched = bool(request.GET.get("q", "").strip())
        told = searched or not something_waits(request)
        found = None if told else regimes.known_behind(embedding.served())
        if found:
            messages.warning(request, found.sentence())
        asked = request.GET.copy()
        later = not asked.pop(ROWS, None) and searched and request.method == "GET"
        request.GET, request.rows_later = asked, later  # type: ignore[assignment, attr-defined]
        at = {"rows_at": f"?{asked.urlencode()}&{ROWS}=1"} if later else {}
        page = super().changelist_view(request, at | (extra_context or {}))
        if searched and not later and PART in request.headers and isinstance(page, TemplateResponse):
            page.template_name = "admin/memory/entry/found.html"
        patch_vary_headers(page, [PART])
        return page

    def get_actions(self, request: HttpRequest) -> Any:
        """Without Django's own deletion: forgetting asks in its own way."""
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}

    def get_form(self, request: HttpRequest, obj: Entry | None = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        return type("EntryForm", (form,), {"request": request})

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Entry], search_term: str
    ) -> tuple[QuerySet[Entry], bool]:
        """What recall finds, best first, of every status; by words alone, and told so, while the embedder is down.

        Kind and project that the list is filtered by are searched in, so that what they hold is not crowded out.
        """
        if not search_term.strip():
            return queryset, False
        if getattr(request, "rows_later", False):
            return queryset.none(), False
        kind, project = request.GET.get("kind__exact", ""), request.GET.get("project") or None
        asked = Query(search_term, policy=searching(), top_k=FOUND, everything=True, project=project)
        answer = recall(owner_of(request), replace(asked, kind=kind) if kind in Kind.values else asked)
        if answer.degraded == "embedding":
            messages.warning(request, " ".join(answer.notices))
        rows = answer.rows
        ranks = [When(pk=row.entry.pk, then=Value(rank)) for rank, row in enumerate(rows)]
        if not ranks:
            return queryset.none(), False
        how = [When(pk=row.entry.pk, then=Value(_how(row))) for row in rows]
        found = queryset.filter(pk__in=[row.entry.pk for row in rows])
        found = found.annotate(found_by=Case(*how, output_field=TextField()))
        return found.order_by(Case(*ranks, output_field=IntegerField())), False

    def save_model(self, request: HttpRequest, obj: Entry, form: Any, change: bool) -> None:
        """Written by the form's own verb already."""

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """The form, with what is known of the entry around it. Forgetting has a button of its own."""
        entry = kwargs.get("obj")
        context |= {"show_delete": False, "show_save_and_add_another": False}
        if entry is not None:
            context["page"] = entry_page(owner_of(request), entry)
        return super().render_change_form(request, context, *args, **kwargs)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return forget_one(self, request, number_of(object_id))

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The commits that touched the entry, newest first, all of them on request; also of one that was forgotten,
        without a word of it."""
        pk = number_of(object_id)
        told = story(owner_of(request), pk, limit=None if "all" in request.GET else STORY)
        if not told.steps or not self.has_view_permission(request):
            raise Http404(gettext("No commit names this entry."))
        context = self.admin_site.each_context(request) | {
            "title": gettext("History of #%(id)s") % {"id": pk},
            "opts": self.opts,
            "pk": pk,
            "entry": self.get_queryset(request).filter(pk=pk).first(),
            "told": told,
            "may_undo": self.has_change_permission(request),
        }
        return render(request, "admin/memory/entry/history.html", context)

    def get_urls(self) -> list[URLPattern]:
        own: dict[str, tuple[Callable[..., HttpResponse], str]] = {
            "<int:pk>/act/": (act_on, "act"),
            "<int:pk>/relate/": (relate_page, "relate"),
            "<int:pk>/unrelate/": (unrelate, "unrelate"),
            "<int:pk>/panel/<str:name>/": (panel_page, "panel"),
            "forget/": (forget_many, "forget"),
            "retract/": (retract_many, "retract"),
            "project/": (set_project, "project"),
            "duplicates/": (duplicates_page, "duplicates"),
            "about/": (about_page, "about"),
            "as-of/": (as_of_page, "as_of"),
        }
        return [
            *(path(route, self._view(view), name=f"memory_entry_{name}") for route, (view, name) in own.items()),
            *super().get_urls(),
        ]

    def _view(self, view: Callable[..., HttpResponse]) -> Any:
        return self.admin_site.admin_view(wraps(view)(partial(view, self)))


def clipped(entry: Entry) -> str:
    """One line of its text."""
    return Truncator(" ".join(entry.text[:600].split())).chars(160)


def _how(row: Row) -> str:
    return row.channel if row.distance is None else f"{row.channel} {row.distance:.2f}"


def number_of(value: str) -> int:
    """0, which no row has, for what is no number of a row."""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 19 else 0
