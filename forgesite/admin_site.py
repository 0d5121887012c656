"""The curation desk: Django's admin under our name, sign-in and navigation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Model, QuerySet, Value
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from forgesite.owned_admin import OwnedAdmin

#: The desk's pages in its own order: what people come for first. Everything else is the superuser's.
PAGES = (
    "memory.Entry", "retention.Proposal", "memory.Refusal", "memory.GoldenQuestion", "memory.Alias",
    "memory.Calibration", "memory.Commit", "memory.Receipt", "chat.Conversation", "traces.Run",
)  # fmt: skip
#: What the navigation shows beside LINKS; the others are one step away, in its list of more.
LEADING = ("memory.Entry", "retention.Proposal", "memory.Refusal", "traces.Run")
#: Of these the navigation shows how many there are, on every page.
COUNTED = PAGES[:3]
#: How many there are says nothing: of receipts there is one more with every answer, of calibrations one is in force.
UNCOUNTED = ("memory.Receipt", "memory.Calibration")


@dataclass(frozen=True)
class Link:
    """A page of the navigation that lists no rows. Current on every page below it."""

    name: Any
    view: str
    allowed: Callable[[Any], bool]


#: After those of PAGES.
LINKS = (
    Link(_("Folds"), "admin:folds", lambda user: user.has_perm("memory.view_entry")),
    Link(_("Health"), "admin:health", lambda user: user.has_perm("memory.view_entry")),
)


class Desk(AdminSite):
    site_header = site_title = index_title = _("Curation desk")
    enable_nav_sidebar = False
    index_template = "admin/desk.html"

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        desk: Any = SimpleLazyObject(lambda: self._pages(request))
        more = SimpleLazyObject(lambda: [page for page in desk if not page["leads"]])
        return super().each_context(request) | {"desk": desk, "desk_more": more}

    def _pages(self, request: HttpRequest) -> list[dict[str, Any]]:
        """The links of the navigation, with counts of what is the account's own; on the first page, of all."""
        if not self.has_permission(request):
            return []
        admins = {each.model._meta.label: each for each in self._registry.values() if each.has_view_permission(request)}
        shown = [label for label in PAGES if label in admins]
        wanted = shown if request.path == reverse("admin:index") else COUNTED
        counts = _counts(request, {label: admins[label] for label in shown if label in wanted})
        links = [_linked(request, link) for link in LINKS if link.allowed(request.user)]
        return [_page(request, label, admins[label].model, counts.get(label, "")) for label in shown] + links

    def get_urls(self) -> list[URLPattern | URLResolver]:
        from forgesite.desk.pages import PAGES as own
        from memory.desk.folds import PAGES as folds

        pages = [path(route, self.admin_view(view), name=name) for route, name, view in (*own, *folds)]
        return [*pages, *super().get_urls()]

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """One way in: the site's own sign-in page. Who is in and may not be here is told so."""
        if request.user.is_authenticated:
            raise PermissionDenied(_("This account may not use the curation desk."))
        return redirect_to_login(request.GET.get("next") or "/admin/")

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return redirect("settings")


def _counts(request: HttpRequest, admins: Mapping[str, ModelAdmin[Any]]) -> dict[str, int]:
    """By label, of those that are counted. One statement, for every page of the desk asks it."""
    owned = ((label, each) for label, each in admins.items() if isinstance(each, OwnedAdmin) and label not in UNCOUNTED)
    some = [_count(label, each.counted(request)) for label, each in owned]
    return dict(some[0].union(*some[1:], all=True)) if some else {}


def _count(label: str, rows: QuerySet[Any]) -> QuerySet[Any, Any]:
    """One row, also where there are none: the label, and how many."""
    counted: QuerySet[Any, Any] = rows.order_by().values(page=Value(label)).annotate(count=Count("*"))
    return counted.values_list("page", "count")


def _page(request: HttpRequest, label: str, model: type[Model], count: int | str) -> dict[str, Any]:
    url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    current, leads = request.path.startswith(url), label in LEADING
    return {"name": model._meta.verbose_name_plural, "url": url, "current": current, "count": count, "leads": leads}


def _linked(request: HttpRequest, link: Link) -> dict[str, Any]:
    url = reverse(link.view)
    return {"name": link.name, "url": url, "current": request.path.startswith(url), "count": "", "leads": True}
