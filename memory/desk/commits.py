"""The ledger on the desk: every commit, what it did, undo, and whether memory is what the chain says."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from forgesite.errors import ForgeError
from forgesite.owned_admin import ReadOnlyAdmin
from memory.commit_counts import counts
from memory.commits import NAMED, commit_of, undone
from memory.desk.commit_page import commit_page
from memory.desk.forms import ACTOR, CAUSE, owner_of
from memory.desk.proof import adopt_page, rebuild_page, verify_page
from memory.desk.story import can_undo, did, who
from memory.desk.words import cause_words, redo_tag, undo_tag
from memory.domain.causes import read
from memory.models import Commit
from memory.undo import undo


class CommitList(ChangeList):
    """Counts what the page's commits did, and finds which of them are undone, once for all of them."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        commits: list[Any] = list(self.result_list)
        counted = counts([commit.pk for commit in commits])
        taken_back = undone(owner_of(request), commits[-1].tick) if commits else {}
        for commit in commits:
            commit.counts = counted.get(commit.pk, {})
            commit.undone_by = taken_back.get(commit.address[:NAMED], "")
        self.result_list = commits


class ActorFilter(admin.SimpleListFilter):
    """Those who made any of the owner's commits, in words."""

    title, parameter_name = _("who"), "actor"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        actors = Commit.objects.of(owner_of(request)).order_by("actor").values_list("actor", flat=True).distinct()
        return [(actor, who(actor)) for actor in actors]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Commit]) -> QuerySet[Commit]:
        return queryset.filter(actor=self.value()) if self.value() else queryset


@admin.register(Commit)
class CommitAdmin(ReadOnlyAdmin):
    list_display = ("number", "time", "who", "why", "did", "undo")
    list_display_links = ("number",)
    list_filter = (ActorFilter,)
    change_list_template = "admin/memory/commit/change_list.html"
    change_form_template = "admin/memory/commit/change_form.html"

    @admin.display(description=_("tick"), ordering="tick")
    def number(self, commit: Commit) -> str:
        return str(commit.tick)

    @admin.display(description=_("time"), ordering="tick")
    def time(self, commit: Commit) -> str:
        return date_format(timezone.localtime(commit.at), "SHORT_DATETIME_FORMAT")

    @admin.display(description=_("who"))
    def who(self, commit: Commit) -> str:
        return who(commit.actor)

    @admin.display(description=_("why"))
    def why(self, commit: Commit) -> str:
        words, url = cause_words(read(commit.cause))
        return format_html('<a href="{}">{}</a>', url, words) if url else words

    @admin.display(description=_("what it did"))
    def did(self, commit: Any) -> str:
        return did(commit.counts)

    @admin.display(description=_("take back"))
    def undo(self, commit: Any) -> str:
        if commit.undone_by:
            url = reverse("admin:memory_commit_change", args=[commit.undone_by])
            return format_html('<a href="{}">{}</a>', url, gettext("undone"))
        if not can_undo(commit.counts):
            return ""
        url = reverse("admin:memory_commit_undo", args=[commit.address])
        label = gettext("Undo commit %(tick)d") % {"tick": commit.tick}
        return format_html(
            '<button class="link" formaction="{}" aria-label="{}">{}</button>', url, label, gettext("undo")
        )

    def get_list_display(self, request: HttpRequest) -> Any:
        shown = super().get_list_display(request)
        return shown if request.user.has_perm("memory.change_entry") else [name for name in shown if name != "undo"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Commit]:
        rows: QuerySet[Commit] = super().get_queryset(request)
        return rows.defer("changes")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return CommitList

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Commit | None:
        """By number, as Django links it; by its address or the beginning of it, as causes name it."""
        if len(object_id) < NAMED:
            return super().get_object(request, object_id, from_field)
        try:
            return commit_of(owner_of(request), object_id)
        except ForgeError:
            return None

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        commit = kwargs["obj"]
        context |= {"page": commit_page(owner_of(request), commit)}
        answer = super().render_change_form(request, context, *args, **kwargs)
        context["title"] = gettext("Commit %(tick)d") % {"tick": commit.tick}
        return answer

    def get_urls(self) -> list[URLPattern]:
        own: dict[str, tuple[Callable[..., HttpResponse], str]] = {
            "<str:address>/undo/": (undo_commit, "undo"),
            "verify/": (verify_page, "verify"),
            "adopt/": (adopt_page, "adopt"),
            "rebuild/": (rebuild_page, "rebuild"),
        }
        return [
            *(path(route, self._view(view), name=f"memory_commit_{name}") for route, (view, name) in own.items()),
            *super().get_urls(),
        ]

    def _view(self, view: Callable[..., HttpResponse]) -> Any:
        return self.admin_site.admin_view(wraps(view)(partial(view, self)))


def undo_commit(_model_admin: Any, request: HttpRequest, address: str) -> HttpResponse:
    """Takes a commit back, by a commit. `again`: the button said so, as this commit took another back."""
    if request.method != "POST":
        return redirect("admin:memory_commit_changelist")
    if not request.user.has_perm("memory.change_entry"):
        raise PermissionDenied(gettext("You may not change entries."))
    try:
        made = undo(owner_of(request), address, actor=ACTOR, cause=CAUSE)
    except ForgeError as error:
        messages.error(request, error.message)
    else:
        again = "again" in request.POST
        words = gettext("Done again.") if again else gettext("Undone.")
        messages.success(request, words, extra_tags=undo_tag(made) if again else redo_tag(made))
    return redirect(_back(request))


def _back(request: HttpRequest) -> str:
    """Where the button was; the list of commits where that is not told, or no page of ours."""
    place = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(place, {request.get_host()}, require_https=request.is_secure())
    return place if place and ours else reverse("admin:memory_commit_changelist")
