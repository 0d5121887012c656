"""Other names of subjects, on the desk: to accept or reject, to take back, and to add by hand."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from forgesite.owned_admin import OwnedAdmin, VerbForm
from memory import aliases
from memory.desk.forms import owner_of
from memory.models import Alias, AliasState


class AliasForm(VerbForm):
    class Meta:
        model = Alias
        fields = ("name", "other")

    def act(self) -> Alias:
        return aliases.add(owner_of(self.request), self.cleaned_data["name"], self.cleaned_data["other"])


@admin.register(Alias)
class AliasAdmin(OwnedAdmin):
    """One that a person added can be deleted. A proposal goes with its entry, and what was rejected must be known."""

    form = AliasForm
    list_display = ("number", "name", "other", "state", "proposed_from", "created_at", "decided_at")
    list_display_links = ("number", "name")
    list_filter = ("state",)
    search_fields = ("name", "other")
    list_select_related = ("entry",)
    fields: ClassVar = ("name", "other")
    seen: ClassVar = ("name", "other", "state", "proposed_from", "created_at", "decided_at")
    actions = ("accept", "reject", "undo")

    @admin.display(description=_("id"), ordering="id")
    def number(self, alias: Alias) -> str:
        return f"#{alias.pk}"

    @admin.display(description=_("entry"), ordering="entry")
    def proposed_from(self, alias: Alias) -> str:
        if alias.entry_id is None:
            return str(_("added by hand"))
        url = reverse("admin:memory_entry_change", args=[alias.entry_id])
        return format_html('<a href="{}">#{}</a>', url, alias.entry_id)

    def counted(self, request: HttpRequest) -> QuerySet[Any]:
        return self.get_queryset(request).filter(state=AliasState.PROPOSED)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        return type("AliasForm", (form,), {"request": request})

    def save_model(self, request: HttpRequest, obj: Alias, form: Any, change: bool) -> None:
        """Written by the form's own verb already."""

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.seen if obj else self.fields

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Of a list: its actions. The two names of a pair never change: another pair is another one."""
        return obj is None and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        return obj is not None and obj.entry_id is None and super().has_delete_permission(request, obj)

    @admin.action(description=_("Accept: search one by the other"), permissions=["change"])
    def accept(self, request: HttpRequest, queryset: QuerySet[Alias]) -> None:
        count = aliases.decide(owner_of(request), _ids(queryset), AliasState.ACCEPTED)
        self._say(request, count, ngettext("%(count)d alias accepted.", "%(count)d aliases accepted.", count))

    @admin.action(description=_("Reject for good"), permissions=["change"])
    def reject(self, request: HttpRequest, queryset: QuerySet[Alias]) -> None:
        count = aliases.decide(owner_of(request), _ids(queryset), AliasState.REJECTED)
        self._say(request, count, ngettext("%(count)d alias rejected.", "%(count)d aliases rejected.", count))

    @admin.action(description=_("Take the decision back"), permissions=["change"])
    def undo(self, request: HttpRequest, queryset: QuerySet[Alias]) -> None:
        count = aliases.undo(owner_of(request), _ids(queryset))
        self._say(
            request, count, ngettext("%(count)d alias is open again.", "%(count)d aliases are open again.", count)
        )

    def _say(self, request: HttpRequest, count: int, words: str) -> None:
        self.message_user(request, words % {"count": count}, messages.SUCCESS if count else messages.WARNING)


def _ids(queryset: QuerySet[Alias]) -> list[int]:
    return list(queryset.values_list("pk", flat=True))
