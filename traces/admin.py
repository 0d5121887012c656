"""Runs on the desk: what each did, step by step. Only a run itself writes them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from forgesite.owned_admin import ReadOnlyAdmin
from traces.models import Run, Step

if TYPE_CHECKING:
    Inline = admin.TabularInline[Step, Run]
else:
    Inline = admin.TabularInline


class StepsInline(Inline):
    model = Step
    fields = ("step", "tool", "preview", "ok", "error", "duration_ms", "details")
    readonly_fields = fields
    extra = 0
    can_delete = False

    @admin.display(description=_("detail"))
    def details(self, step: Step) -> str:
        return (
            format_html("<pre>{}</pre>", json.dumps(step.detail, indent=1, ensure_ascii=False)) if step.detail else ""
        )

    def has_view_permission(self, request: Any, obj: Any = None) -> bool:
        return True  # Django shows it with the run, which is the owner's own

    def has_add_permission(self, request: Any, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: Any, obj: Any = None) -> bool:
        return False


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ("sign", "user_input_preview", "not_answered", "final_tool", "total_ms", "started_at")
    list_display_links = ("sign", "user_input_preview")
    list_filter = ("ok", "final_tool")
    search_fields = ("user_input_preview", "run_id")
    fields = (
        "sign", "user_input_preview", "started_at", "total_ms", "ok", "not_answered", "not_indexable", "degraded",
        "error", "llm", "final_tool", "run_id", "talk",
    )  # fmt: skip
    readonly_fields = fields
    inlines = (StepsInline,)

    @admin.display(description=_("mark"))
    def sign(self, run: Run) -> str:
        return run.mark

    @admin.display(description=_("conversation"))
    def talk(self, run: Run) -> str:
        if not run.conversation:
            return "–"
        return format_html('<a href="{}">{}</a>', reverse("conversation", args=[run.conversation]), run.conversation)
