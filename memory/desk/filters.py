"""The filters beside the list of entries that are not a mere column."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from memory import pending, vector_channel
from memory.models import Entry

#: Most projects offered.
PROJECTS = 20


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
