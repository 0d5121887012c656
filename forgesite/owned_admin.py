"""The base of every admin of rows that belong to an account: each sees their own, whoever asks, superusers too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.db import models
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from forgesite.errors import ForgeError
from forgesite.owned import OwnedModel

if TYPE_CHECKING:
    # Generic to the type checker only: at run time Django's classes take no parameter.
    AnyModelAdmin = admin.ModelAdmin[Any]
    AnyModelForm = forms.ModelForm[Any]
else:
    AnyModelAdmin = admin.ModelAdmin
    AnyModelForm = forms.ModelForm


class OwnedAdmin(AnyModelAdmin):
    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        owned: Any = self.model._default_manager
        rows: QuerySet[Any] = owned.of(request.user)
        return rows.order_by(*self.get_ordering(request) or self.model._meta.ordering)

    def _get_obj_does_not_exist_redirect(self, request: HttpRequest, opts: Any, object_id: str) -> HttpResponse:
        """What is not there, or is another's, is not found; Django alone would lead to the first page."""
        raise Http404(_("No %(name)s with id %(id)s.") % {"name": opts.verbose_name, "id": object_id[:64]})

    def counted(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows whose number the navigation shows."""
        return self.get_queryset(request)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        title = {"title": capfirst(str(self.opts.verbose_name_plural))}
        return super().changelist_view(request, title | (extra_context or {}))

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        obj = kwargs.get("obj")
        if obj is not None:
            context |= {"title": f"{capfirst(str(self.opts.verbose_name))} {obj}", "subtitle": None}
        else:
            context |= {"title": _("Add: %(name)s") % {"name": self.opts.verbose_name}}
        return super().render_change_form(request, context, *args, **kwargs)

    def has_view_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        return super().has_view_permission(request, obj) and _own(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        return super().has_change_permission(request, obj) and _own(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        return super().has_delete_permission(request, obj) and _own(request, obj)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        related = db_field.remote_field.model
        if issubclass(related, OwnedModel):
            kwargs["queryset"] = related.objects.of(request.user)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if not change:
            obj.owner = request.user
        super().save_model(request, obj, form, change)

    # Django wraps both pages in a transaction. Our verbs make their own, after the embedder has answered.
    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        answer: HttpResponse = self._changeform_view(request, object_id, form_url, extra_context)  # type: ignore[attr-defined]
        return answer

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        answer: HttpResponse = self._delete_view(request, object_id, extra_context)  # type: ignore[attr-defined]
        return answer

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """The rows themselves: what hangs on them is theirs and would only make the question long."""
        named = [self.deleted_line(obj) for obj in objs[:100]]
        return named, {str(self.model._meta.verbose_name_plural): len(objs)}, set(), []

    def deleted_line(self, obj: Any) -> str:
        return str(obj)


class ReadOnlyAdmin(OwnedAdmin):
    """Rows that only Forge itself writes: to look at, nothing to add or change."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        return False


class VerbForm(AnyModelForm):
    """A form whose last check is the verb itself: what it refuses is an error of the form, and the text stays in it.

    `act` is called once everything else is valid. `request` is set on the class by the admin.
    """

    request: HttpRequest

    def act(self) -> Any:
        raise NotImplementedError

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]
        if self.errors:
            return
        try:
            self.instance = self.act()
        except ForgeError as error:
            self.add_error(None, error.message)

    def save(self, commit: bool = True) -> Any:
        """The row as the verb left it: there is nothing more to write."""
        return super().save(commit=False)


def _own(request: HttpRequest, obj: models.Model | None) -> bool:
    return obj is None or obj.owner_id == request.user.pk  # type: ignore[attr-defined]
