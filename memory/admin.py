"""Memory on the curation desk: entries, and what was not saved. Changes go through the verbs that all doors use."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.db.models import Case, Count, IntegerField, QuerySet, TextField, Value, When
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from forgesite.errors import ForgeError
from forgesite.owned_admin import OwnedAdmin, ReadOnlyAdmin
from memory import pending, vector_channel
from memory.admin_forms import ACTOR, CAUSE, AnyTextForm, EntryForm, owner_of
from memory.forget import forget
from memory.listing import history
from memory.models import Commit, CommitEntry, Entry, Refusal, TextVersion
from memory.recall import Query, Row, recall
from memory.refuse import save_anyway

#: Most projects offered as a filter, and most rows that a search shows.
PROJECTS, FOUND = 20, 50


class ProjectFilter(admin.SimpleListFilter):
    """The owner's largest projects; an unbounded list would be no filter."""

    title, parameter_name = _("project"), "project"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        named = Entry.objects.of(request.user).exclude(project="").values("project").annotate(rows=Count("id"))
        return [(row["project"], row["project"]) for row in named.order_by("-rows", "project")[:PROJECTS]]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Entry]) -> QuerySet[Entry]:
        return queryset.filter(project=self.value()) if self.value() else queryset


def something_waits(request: HttpRequest) -> bool:
    """Counted once a page."""
    if not hasattr(request, "entries_waiting"):
        request.entries_waiting = pending.count()  # type: ignore[attr-defined]
    return bool(request.entries_waiting)  # type: ignore[attr-defined]


class WaitingFilter(admin.SimpleListFilter):
    """Offered only while something waits."""

    title, parameter_name = _("search by meaning"), "waits"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", _("waits for its vectors"))] if something_waits(request) else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Entry]) -> QuerySet[Entry]:
        return vector_channel.waiting(queryset) if self.value() else queryset


class EntryList(ChangeList):
    search_form_class = AnyTextForm


@admin.register(Entry)
class EntryAdmin(OwnedAdmin):
    form = EntryForm
    list_display = ("number", "clipped", "kind", "status", "project", "origin", "said")
    list_filter = ("kind", "status", "origin", "pinned", ProjectFilter, WaitingFilter)
    # Named so that Django shows the box; what is found is decided by recall, below.
    search_fields = ("text",)
    search_help_text = _("By meaning and by words. Any text is a question, never a syntax.")
    date_hierarchy = None
    fields = ("text", ("kind", "status"), ("project", "pinned"), "event_at", "seen", "about", "came_from")
    readonly_fields = ("about", "came_from")
    save_on_top = False

    @admin.display(description=_("id"), ordering="id")
    def number(self, entry: Entry) -> str:
        return f"#{entry.pk}"

    @admin.display(description=_("text"))
    def clipped(self, entry: Entry) -> str:
        return Truncator(" ".join(entry.text[:600].split())).chars(160)

    @admin.display(description=_("said"), ordering="said_at")
    def said(self, entry: Entry) -> str:
        return date_format(timezone.localtime(entry.said_at), "SHORT_DATE_FORMAT")

    @admin.display(description=_("found by"))
    def found(self, entry: Entry) -> str:
        return getattr(entry, "found_by", "")

    @admin.display(description=_("search by meaning"))
    def meaning(self, entry: Entry) -> str:
        return gettext("waits for its vectors") if getattr(entry, "waits", False) else ""

    @admin.display(description=_("record"))
    def about(self, entry: Entry) -> str:
        return " ".join([self._record(entry), *self._waiting(entry)])

    def _waiting(self, entry: Entry) -> list[str]:
        why = pending.why(entry)
        if why is None:
            return []
        return [gettext("Found by its words only: it waits for its vectors."), why]

    def _record(self, entry: Entry) -> str:
        words = gettext("#%(id)s · version %(version)s · said %(said)s · recorded %(recorded)s · address %(address)s")
        return words % {
            "id": entry.pk,
            "version": entry.version,
            "said": f"{entry.said_at:%Y-%m-%d %H:%M}",
            "recorded": f"{entry.recorded_at:%Y-%m-%d %H:%M}",
            "address": entry.address,
        }

    @admin.display(description=_("source"))
    def came_from(self, entry: Entry) -> str:
        if not entry.conversation:
            return entry.source or gettext("written on the desk or by the API")
        url = reverse("conversation", args=[entry.conversation])
        return format_html(
            '<a href="{}#m{}">{}</a>', url, entry.message or "", gettext("the conversation it was said in")
        )

    def get_list_display(self, request: HttpRequest) -> Any:
        shown = (*super().get_list_display(request), *(("meaning",) if something_waits(request) else ()))
        return (*shown[:2], "found", *shown[2:]) if request.GET.get("q", "").strip() else shown

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        return vector_channel.with_waits(super().get_queryset(request))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return EntryList

    def get_fields(self, request: HttpRequest, obj: Entry | None = None) -> Any:
        fields = super().get_fields(request, obj)
        return fields if obj else [name for name in fields if name not in ("about", "came_from")]

    def get_form(self, request: HttpRequest, obj: Entry | None = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        return type("EntryForm", (form,), {"request": request})

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Entry], search_term: str
    ) -> tuple[QuerySet[Entry], bool]:
        """What recall finds, best first, of every status; by words alone, and told so, while the embedder is down."""
        if not search_term.strip():
            return queryset, False
        answer = recall(owner_of(request), Query(search_term, top_k=FOUND, everything=True))
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

    def delete_model(self, request: HttpRequest, obj: Entry) -> None:
        self.delete_queryset(request, Entry.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Entry]) -> None:
        ids = list(queryset.values_list("pk", flat=True))
        for left in forget(owner_of(request), ids, actor=ACTOR, cause=CAUSE).left:
            messages.info(request, left)

    def deleted_line(self, obj: Entry) -> str:
        return f"#{obj.pk} [{obj.get_kind_display()}] {self.clipped(obj)}"

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The commits that made the entry what it is, oldest first."""
        entry = get_object_or_404(self.get_queryset(request), pk=_number(object_id))
        context = self.admin_site.each_context(request) | {
            "title": gettext("History of #%(id)s") % {"id": entry.pk},
            "opts": self.opts,
            "entry": entry,
            "commits": story(entry),
        }
        return render(request, "admin/memory/entry/history.html", context)


def story(entry: Entry) -> list[tuple[Commit, list[tuple[str, Any]]]]:
    """The commits of an entry, oldest first: what each did to it, with the words that its digests stand for."""
    texts = dict(TextVersion.objects.of(entry.owner).filter(entry=entry.pk).values_list("digest", "text"))
    touched = CommitEntry.objects.filter(commit__owner=entry.owner, entry=entry.pk)
    positions = dict(touched.values_list("commit", "position"))
    told = []
    for commit in history(entry):
        change = commit.changes[positions[commit.pk]]
        told.append((commit, [(name, texts.get(str(value), value)) for name, value in change.items()]))
    return told


def _how(row: Row) -> str:
    return row.channel if row.distance is None else f"{row.channel} {row.distance:.2f}"


def _number(value: str) -> int:
    return int(value) if value.isascii() and value.isdigit() and len(value) < 19 else 0


@admin.register(Refusal)
class RefusalAdmin(ReadOnlyAdmin):
    list_display = ("number", "clipped", "rule", "kind", "created_at", "outcome")
    list_filter = ("rule", ("saved_as", admin.EmptyFieldListFilter))
    list_select_related = ("saved_as",)
    fields = ("text", "rule", "kind", "project", "created_at", "saved_as")
    readonly_fields = fields
    actions = ("save_selected_anyway",)
    change_form_template = "admin/memory/refusal/change_form.html"

    @admin.display(description=_("id"), ordering="id")
    def number(self, refusal: Refusal) -> str:
        return f"#{refusal.pk}"

    @admin.display(description=_("text"))
    def clipped(self, refusal: Refusal) -> str:
        return Truncator(" ".join(refusal.text[:600].split())).chars(160)

    @admin.display(description=_("saved as"))
    def outcome(self, refusal: Refusal) -> str:
        if refusal.saved_as_id is None:
            save = reverse("admin:memory_refusal_save", args=[refusal.pk])
            return format_html('<button class="link" formaction="{}">{}</button>', save, gettext("save anyway"))
        url = reverse("admin:memory_entry_change", args=[refusal.saved_as_id])
        return format_html('<a href="{}">#{}</a>', url, refusal.saved_as_id)

    def waiting(self, request: HttpRequest) -> int:
        return self.get_queryset(request).filter(saved_as=None).count()

    def has_save_permission(self, request: HttpRequest) -> bool:
        """Saving makes an entry, so it takes the right to add one."""
        return bool(request.user.has_perm("memory.add_entry")) and self.has_view_permission(request)

    @admin.action(description=_("Save anyway"), permissions=["save"])
    def save_selected_anyway(self, request: HttpRequest, queryset: QuerySet[Refusal]) -> None:
        saved = [self._saved(request, pk) for pk in queryset.order_by("id").values_list("pk", flat=True)]
        count = sum(saved)
        words = ngettext("%(count)d entry saved.", "%(count)d entries saved.", count)
        self.message_user(request, words % {"count": count}, messages.SUCCESS if count else messages.WARNING)

    def _saved(self, request: HttpRequest, refusal_id: int) -> bool:
        try:
            save_anyway(owner_of(request), refusal_id, actor=ACTOR)
        except ForgeError as error:
            self.message_user(request, error.message, messages.WARNING)
            return False
        return True

    def get_urls(self) -> list[URLPattern]:
        save = path("<int:pk>/save/", self.admin_site.admin_view(self.save_one), name="memory_refusal_save")
        return [save, *super().get_urls()]

    def save_one(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The button on the page of one refusal."""
        refusal = get_object_or_404(self.get_queryset(request), pk=pk)
        if request.method != "POST":
            return redirect("admin:memory_refusal_change", pk)
        if not self.has_save_permission(request):
            return HttpResponse(gettext("You may not save entries."), status=403)
        if self._saved(request, refusal.pk):
            self.message_user(request, gettext("Saved."), messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:memory_refusal_changelist"))
