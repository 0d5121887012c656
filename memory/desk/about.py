"""*Forget everything about…* on the desk: a search, a list to choose from, and then the question of all forgetting.

What is searched for travels in the body of a request: an address would keep it in the browser's history.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from memory.about import about
from memory.desk.forget import asked
from memory.desk.forms import owner_of


def about_page(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """The search; and for what was chosen of its answer, the question."""
    if not model_admin.has_delete_permission(request):
        raise PermissionDenied(gettext("You may not forget entries."))
    chosen = [int(pk) for pk in request.POST.getlist("pick") if pk.isascii() and pk.isdigit() and len(pk) < 19]
    entries = list(model_admin.get_queryset(request).filter(pk__in=chosen).order_by("id"))
    if entries:
        return asked(model_admin, request, entries)
    text = request.POST.get("about", "").strip()
    context = model_admin.admin_site.each_context(request) | {
        "title": gettext("Forget everything about…"),
        "opts": model_admin.opts,
        "text": text,
        "found": about(owner_of(request), text) if text else None,
        "none_chosen": "choose" in request.POST,
    }
    return render(request, "admin/memory/about/search.html", context)
