"""What the pages about the installation share: their tabs, and who may see which."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from forgesite.models import Account


@dataclass(frozen=True)
class Tab:
    view: str
    name: Any
    allowed: Callable[[Account], bool]


def _sees_memory(account: Account) -> bool:
    return account.has_perm("memory.view_entry")


def _superuser(account: Account) -> bool:
    return account.is_superuser


#: The settings are the installation's: whoever may read them may change accounts too.
TABS = (
    Tab("health", _("Store health"), _sees_memory),
    Tab("jobs", _("Jobs"), _sees_memory),
    Tab("data", _("Where is my data"), _sees_memory),
    Tab("settings_in_force", _("Settings in force"), _superuser),
)


def account_of(request: HttpRequest, view: str) -> Account:
    """Whoever asks. Raises PermissionDenied for one who may not see that tab."""
    account, tab = request.user, next(tab for tab in TABS if tab.view == view)
    if not isinstance(account, Account) or not tab.allowed(account):
        raise PermissionDenied(gettext("You may not see this page."))
    return account


def shown(request: HttpRequest, view: str, template: str, **more: Any) -> HttpResponse:
    account = account_of(request, view)
    tabs = [
        {"url": reverse(f"admin:{tab.view}"), "name": tab.name, "current": tab.view == view}
        for tab in TABS
        if tab.allowed(account)
    ]
    title = next(str(tab.name) for tab in TABS if tab.view == view)
    context = admin.site.each_context(request) | {"title": title, "tabs": tabs, **more}
    return render(request, f"admin/{template}.html", context)
