"""What was not saved, on the desk: to look at, and to save anyway."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from forgesite.errors import ForgeError
from forgesite.owned_admin import ReadOnlyAdmin
from memory.desk.forms import ACTOR, owner_of
from memory.models import Refusal
from memory.refuse import save_anyway


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

    def counted(self, request: HttpRequest) -> QuerySet[Any]:
        return self.get_queryset(request).filter(saved_as=None)

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
