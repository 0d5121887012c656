"""The filters of conversations and runs on the desk: each offers a few words, however many rows there are."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.leaving.expiry import expired
from chat.models import Conversation
from traces.models import Run

#: Most tools that the filter offers: a model may have called one by any name.
TOOLS = 20


class ExpiredFilter(admin.SimpleListFilter):
    """What the next daily run removes. Not offered where nothing ever expires."""

    title, parameter_name = _("expiry"), "expired"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", _("has expired"))] if settings.FORGE.CONVERSATION_RETENTION_DAYS else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Conversation]) -> QuerySet[Conversation]:
        if not self.value():
            return queryset
        return queryset.filter(pk__in=expired(timezone.now()).order_by().values("pk"))


class MarkFilter(admin.SimpleListFilter):
    title, parameter_name = _("mark"), "mark"
    marks = {
        "answered": Q(ok=True, not_answered=""),
        "nothing": Q(ok=True) & ~Q(not_answered=""),
        "failed": Q(ok=False),
    }

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("answered", _("✓ answered")), ("nothing", _("∅ no answer")), ("failed", _("✗ failed"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Run]) -> QuerySet[Run]:
        wanted = self.marks.get(self.value() or "")
        return queryset if wanted is None else queryset.filter(wanted)


class DegradedFilter(admin.SimpleListFilter):
    title, parameter_name = _("degraded"), "degraded"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", _("degraded")), ("0", _("not degraded"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Run]) -> QuerySet[Run]:
        wanted = {"0": Q(degraded=""), "1": ~Q(degraded="")}.get(self.value() or "")
        return queryset if wanted is None else queryset.filter(wanted)


class ToolFilter(admin.SimpleListFilter):
    """The tools that the owner's own runs ended with."""

    title, parameter_name = _("tool"), "final_tool"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        own = Run.objects.of(request.user).exclude(final_tool="").order_by("final_tool")
        names = own.values_list("final_tool", flat=True).distinct()[:TOOLS]
        return [(name, name) for name in names]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Run]) -> QuerySet[Run]:
        return queryset.filter(final_tool=self.value()) if self.value() else queryset
