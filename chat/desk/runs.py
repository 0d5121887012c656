"""Runs on the desk: what each did, step by step, and what memory gave it. Only a run itself writes them.

They are listed here, and not beside their tables: a run's page names conversations and receipts, which those of traces
do not see.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.desk.filters import DegradedFilter, MarkFilter, ToolFilter
from chat.desk.run_page import run_page, took
from forgesite.owned_admin import ReadOnlyAdmin
from traces.models import Run

#: From so many characters on, what names a run is its own id, and not its row's.
RUN_ID = 12


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ("sign", "asked", "final_tool", "not_answered", "degraded", "duration", "started_at")
    list_display_links = ("sign", "asked")
    list_filter = (MarkFilter, ToolFilter, DegradedFilter)
    search_fields = ("user_input_preview", "run_id")
    search_help_text = _("Words of what was asked, or the id of a run.")
    change_form_template = "admin/traces/run/change_form.html"

    class Media:
        css: ClassVar = {"all": ["talks.css"]}

    @admin.display(description=_("mark"))
    def sign(self, run: Run) -> str:
        return run.mark

    @admin.display(description=_("asked"), ordering="user_input_preview")
    def asked(self, run: Run) -> str:
        return run.user_input_preview or gettext("(nothing typed)")

    @admin.display(description=_("took"), ordering="total_ms")
    def duration(self, run: Run) -> str:
        return took(run.total_ms)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Run | None:
        """By number, as Django links it; by the run's own id, as everything else names it."""
        if object_id.isdigit() and len(object_id) < RUN_ID:
            return super().get_object(request, object_id, from_field)
        return self.get_queryset(request).filter(run_id=object_id).first()

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        run = kwargs["obj"]
        context |= {"page": run_page(run)}
        answer = super().render_change_form(request, context, *args, **kwargs)
        context["title"] = gettext("Run %(id)s") % {"id": run.run_id}
        return answer
