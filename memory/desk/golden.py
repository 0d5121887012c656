"""Golden questions on the desk: star one, see where its right entries were found last, ask them all again."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from forgesite.owned_admin import OwnedAdmin, VerbForm
from memory import golden
from memory.desk.forms import owner_of
from memory.desk.words import when
from memory.models import GoldenQuestion

#: What names an entry: `#312`, `312`, several of them in any order.
NUMBER = re.compile(r"\d{1,18}")


class GoldenForm(VerbForm):
    right = forms.CharField(
        label=_("right entries"), help_text=_("Their numbers, such as #12, #15."), widget=forms.TextInput
    )
    run_id = forms.CharField(required=False, max_length=32, widget=forms.HiddenInput)

    class Meta:
        model = GoldenQuestion
        fields = ("text", "right", "run_id")
        widgets: ClassVar = {"text": forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"})}

    def act(self) -> GoldenQuestion:
        data = self.cleaned_data
        ids = [int(number) for number in NUMBER.findall(data["right"])]
        return golden.star(owner_of(self.request), data["text"], ids, run_id=data["run_id"])


@admin.register(GoldenQuestion)
class GoldenAdmin(OwnedAdmin):
    """`change` is the right to ask them again; the words of one are not edited: another question is another one."""

    form = GoldenForm
    list_display = ("number", "clipped", "right_entries", "result", "asked")
    list_display_links = ("number", "clipped")
    fields = ("text", "right", "run_id")
    actions = ("ask_selected_again",)
    change_list_template = "admin/memory/goldenquestion/change_list.html"

    @admin.display(description=_("id"), ordering="id")
    def number(self, question: GoldenQuestion) -> str:
        return f"#{question.pk}"

    @admin.display(description=_("question"))
    def clipped(self, question: GoldenQuestion) -> str:
        return Truncator(" ".join(question.text[:600].split())).chars(160)

    @admin.display(description=_("right entries"))
    def right_entries(self, question: GoldenQuestion) -> str | SafeString:
        """With the place where the last replay found each of them."""
        found = {right["entry"]: right for right in (question.last_result or {"right": []})["right"]}
        rows = [(row.entry_id, _place(found.get(row.entry_id))) for row in question.right.all()]
        if not rows:
            return gettext("none left: they are forgotten")
        links = ((reverse("admin:memory_entry_change", args=[pk]), pk, place) for pk, place in rows)
        return format_html_join(", ", '<a href="{}">#{}</a>{}', links)

    @admin.display(description=_("last result"))
    def result(self, question: GoldenQuestion) -> str:
        if not (kept := question.last_result):
            return gettext("not asked yet")
        counts = {"reached": kept["reached"], "of": len(kept["right"])}
        told = gettext("%(reached)d of %(of)d found") % counts
        return f"{told} · {gettext('by words alone')}" if kept["degraded"] else told

    @admin.display(description=_("last asked"))
    def asked(self, question: GoldenQuestion) -> str:
        at = parse_datetime(question.last_result["at"]) if question.last_result else None
        return when(at) if at else ""

    def get_queryset(self, request: HttpRequest) -> QuerySet[GoldenQuestion]:
        return golden.with_right(owner_of(request), super().get_queryset(request))

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        return obj is None and super().has_change_permission(request)

    def get_fields(self, request: HttpRequest, obj: Any | None = None) -> Any:
        return ("text", "right_entries", "result", "asked", "run_id", "created_at") if obj else self.fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any | None = None) -> Any:
        return self.get_fields(request, obj) if obj else ()

    def get_form(self, request: HttpRequest, obj: Any | None = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        return type("GoldenForm", (form,), {"request": request})

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """`?run=` begins with what that run asked, and was given."""
        run = request.GET.get("run", "")[:32]
        text, ids = golden.of_run(owner_of(request), run)
        return {"text": text, "right": ", ".join(f"#{pk}" for pk in ids), "run_id": run}

    def save_model(self, request: HttpRequest, obj: GoldenQuestion, form: Any, change: bool) -> None:
        """Written by the form's own verb already."""

    @admin.action(description=_("Ask again"), permissions=["change"])
    def ask_selected_again(self, request: HttpRequest, queryset: QuerySet[GoldenQuestion]) -> HttpResponse:
        return self._asked_again(request, set(queryset.values_list("pk", flat=True)))

    def get_urls(self) -> list[URLPattern]:
        replay = path("replay/", self.admin_site.admin_view(self.replay_all), name="memory_goldenquestion_replay")
        return [replay, *super().get_urls()]

    def replay_all(self, request: HttpRequest) -> HttpResponse:
        """The button *Ask all again*."""
        if request.method != "POST":
            return redirect("admin:memory_goldenquestion_changelist")
        if not self.has_change_permission(request):
            raise PermissionDenied(gettext("You may not ask golden questions again."))
        return self._asked_again(request, None)

    def _asked_again(self, request: HttpRequest, only: set[int] | None) -> HttpResponse:
        before = golden.kept(owner_of(request))
        after = golden.replayed(owner_of(request), only=only)
        words = ngettext("%(count)d question asked again.", "%(count)d questions asked again.", len(after.questions))
        messages.success(request, words % {"count": len(after.questions)})
        context = self.admin_site.each_context(request) | {
            "title": gettext("Golden questions, asked again"),
            "opts": self.opts,
            "compared": golden.compare(before, after),
        }
        return render(request, "admin/memory/goldenquestion/replay.html", context)


def _place(found: dict[str, Any] | None) -> str:
    if not found:
        return ""
    stands = f" → #{found['stands']}" if found["stands"] != found["entry"] else ""
    return stands + (f" ({found['rank']}.)" if found["rank"] else f" ({gettext('not found')})")
