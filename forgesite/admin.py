"""Accounts and tokens on the desk, for superusers. A token's secret is shown by the `token create` command alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django_q.models import Failure, OrmQ, Schedule, Success

from forgesite.accounts import revoke_token
from forgesite.errors import UnknownError
from forgesite.models import Account, Token
from forgesite.owned_admin import AnyModelAdmin

# The queue's own pages show what a job was called with, whoever's it is, and queue one twice; see job_list.py.
admin.site.unregister([Group, Schedule, Success, Failure, OrmQ])


if TYPE_CHECKING:
    AnyUserAdmin = UserAdmin[Account]
else:
    AnyUserAdmin = UserAdmin


class SuperusersOnly:
    """Nobody else sees that these pages exist. Adding and deleting are commands, which also care for the files."""

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        title = {"title": capfirst(str(self.opts.verbose_name_plural))}  # type: ignore[attr-defined]
        answer: HttpResponse = super().changelist_view(request, title | (extra_context or {}))  # type: ignore[misc]
        return answer

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Account)
class AccountAdmin(SuperusersOnly, AnyUserAdmin):
    list_display = ("username", "is_active", "is_superuser", "language", "last_login")
    list_filter = ("is_active", "is_superuser")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser")}),
        (_("Settings"), {"fields": ("language", "time_zone", "judge_opt_in")}),
    )
    filter_horizontal = ()


@admin.register(Token)
class TokenAdmin(SuperusersOnly, AnyModelAdmin):
    list_display = ("id", "name", "owner", "scope", "created_at", "last_used_at", "revoked_at")
    list_select_related = ("owner",)
    fields = readonly_fields = ("name", "owner", "scope", "created_at", "last_used_at", "revoked_at")
    actions = ("revoke",)

    @admin.action(description=_("Revoke"), permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[Token]) -> None:
        count = sum(_revoked(pk) for pk in queryset.values_list("pk", flat=True))
        words = ngettext("%(count)d token revoked.", "%(count)d tokens revoked.", count)
        self.message_user(request, words % {"count": count}, messages.SUCCESS)


def _revoked(token_id: int) -> bool:
    try:
        revoke_token(token_id)
    except UnknownError:
        return False
    return True
