"""Parts of the inbox that are read when somebody opens them, for they ask questions again, or make a plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext

from forgesite.errors import ForgeError
from memory.desk.folds import AT_ONCE
from memory.desk.forms import owner_of
from memory.desk.panels import PART
from memory.desk.suggestions import suggested
from memory.folds.plan import planned
from memory.guard import told
from memory.models import Entry
from retention.effects import Effects, effects
from retention.models import Proposal

#: Pairs, and questions of each sort, that a panel lists.
LISTED = 5


def effects_page(model_admin: Any, request: HttpRequest, some: Sequence[Proposal]) -> HttpResponse:
    """Of a yes to one, or to several at once."""
    found, wrong = Effects(), ""
    try:
        found = effects(owner_of(request), some)
    except ForgeError as error:
        wrong = error.message
    one = some[0] if len(some) == 1 else None
    context: dict[str, Any] = {"proposal": one, "found": found, "wrong": wrong, "listed": LISTED}
    context["unasked"] = told(found.golden + found.asked, found.unasked)
    context["title"] = gettext("What answers would change")
    return _shown(model_admin, request, "effects", context)


def alike_page(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """Of a memory that is too large to plan for with a page there is only the way to the page that does."""
    owner = owner_of(request)
    entries = Entry.objects.of(owner).live().deliberate().count()
    pairs = suggested(planned(owner)) if entries <= AT_ONCE else ()
    context = {"pairs": pairs[:LISTED], "count": len(pairs), "entries": entries, "large": entries > AT_ONCE}
    return _shown(model_admin, request, "alike", context | {"title": gettext("Alike, and not folded")})


def _shown(model_admin: Any, request: HttpRequest, name: str, context: dict[str, Any]) -> HttpResponse:
    """By itself for the script of the page; a page of its own for everybody else."""
    part = f"admin/retention/proposal/{name}.html"
    template = part
    if PART not in request.headers:
        context = model_admin.admin_site.each_context(request) | context | {"opts": model_admin.opts, "part": part}
        template = "admin/retention/proposal/panel.html"
    answer = render(request, template, context)
    patch_vary_headers(answer, [PART])
    return answer
