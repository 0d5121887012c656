"""One project for a selection of entries: a page that asks which, and one commit for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext, ngettext_lazy

from forgesite.models import Account
from memory.desk.acts import all_at_once, chosen, refuse_whom_may_not_change
from memory.desk.forms import owner_of
from memory.models import Entry
from memory.revise import Changes
from memory.revise_many import revise_many

#: Most projects that are offered, and most entries that the page lists by their words.
PROJECTS, LISTED = 20, 20
SAID = ngettext_lazy("%(count)d entry moved.", "%(count)d entries moved.", "count")


def largest(owner: Account) -> list[str]:
    """The owner's largest projects; a list of them all has no end."""
    named = Entry.objects.of(owner).exclude(project="").values("project").annotate(rows=Count("id"))
    return [row["project"] for row in named.order_by("-rows", "project")[:PROJECTS]]


def project_page(model_admin: Any, request: HttpRequest, entries: Sequence[Entry]) -> HttpResponse:
    """Asks which project."""
    count = len(entries)
    title = ngettext("Set the project of %(count)d entry", "Set the project of %(count)d entries", count)
    context = model_admin.admin_site.each_context(request) | {
        "title": title % {"count": count},
        "opts": model_admin.opts,
        "entries": entries[:LISTED],
        "more": len(entries[LISTED:]),
        "ids": ",".join(str(entry.pk) for entry in entries),
        "projects": largest(owner_of(request)),
    }
    return render(request, "admin/memory/entry/project.html", context)


def set_project(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """What was answered. An empty answer: they belong to none any more."""
    if request.method == "POST":
        refuse_whom_may_not_change(model_admin, request)
        ids = [entry.pk for entry in chosen(model_admin, request)]
        changes = Changes(project=request.POST.get("project", "").strip())
        if page := all_at_once(request, partial(revise_many, ids=ids, changes=changes), SAID, ids):
            return page
    return redirect("admin:memory_entry_changelist")
