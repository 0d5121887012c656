"""The filters beside the list of entries that are not a mere column."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from memory import vector_channel
from memory.desk.forms import owner_of
from memory.desk.project import largest
from memory.models import Entry, ReceiptEntry
from memory.regime import pending

#: An answer may lean on it: its receipt names it. No other account's receipt can.
LEANING = ReceiptEntry.objects.filter(entry=OuterRef("pk"))
USED = Exists(LEANING)
#: How many do; None for none.
ANSWERS = Subquery(LEANING.order_by().values("entry").annotate(answers=Count("pk")).values("answers"))


class ProjectFilter(admin.SimpleListFilter):
    """The owner's largest projects; an unbounded list would be no filter."""

    title, parameter_name = _("project"), "project"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, name) for name in largest(owner_of(request))]

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


class UsedFilter(admin.SimpleListFilter):
    """Has any answer leaned on it? What was only at the head of every prompt counts as never."""

    title, parameter_name = _("use in answers"), "used"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("0", _("never used")), ("1", _("used"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Entry]) -> QuerySet[Entry]:
        wanted = {"0": ~USED, "1": USED}.get(self.value() or "")
        return queryset if wanted is None else queryset.filter(wanted)
