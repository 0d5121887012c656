"""Folds on the desk: what could be folded and why the rest is not, what is folded, and the ways back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from forgesite.errors import ForgeError
from forgesite.models import Account
from memory.desk.folds_shown import applied, preview, value_of
from memory.desk.forms import ACTOR, CAUSE, owner_of
from memory.desk.losses import forced, losses_page
from memory.desk.suggestions import settle_view, suggested
from memory.desk.words import undo_tag
from memory.domain.fold_values import Fold
from memory.fold import Applied, apply
from memory.folds import lines as fold_lines
from memory.folds.plan import Planned, planned
from memory.guard import told
from memory.models import Entry
from memory.unfold import folds, unwind

#: A plan of so many entries is made with the page; of more it takes a moment, and a button asks for it.
AT_ONCE = 1500
#: Folds of a page.
PER_PAGE = 25
SEES, CHANGES, WRITES = "memory.view_entry", "memory.change_entry", "memory.add_entry"


@dataclass(frozen=True)
class Tab:
    view: str
    name: Any


TABS = (Tab("folds", _("What could be folded")), Tab("folds_applied", _("What is folded")))


def account_of(request: HttpRequest, *rights: str) -> Account:
    """Raises PermissionDenied for one who lacks any of them."""
    owner = owner_of(request)
    if not owner.has_perms(rights):
        raise PermissionDenied(gettext("You may not do this with folds."))
    return owner


@require_safe
def folds_page(request: HttpRequest) -> HttpResponse:
    """`?look`: make the plan of a large memory too. `?all`: with every subject of it."""
    owner = account_of(request, SEES)
    entries = Entry.objects.of(owner).live().deliberate().count()
    more: dict[str, Any] = {"entries": entries, "at_once": AT_ONCE}
    if entries <= AT_ONCE or {"look", "all"} & request.GET.keys():
        found = planned(owner)
        more |= {"preview": preview(found, everything="all" in request.GET), "suggested": suggested(found)}
    more |= {"may_apply": owner.has_perms([CHANGES, WRITES]), "may_settle": owner.has_perm(CHANGES)}
    return _shown(request, "folds", "preview", **more)


@require_safe
def applied_page(request: HttpRequest) -> HttpResponse:
    owner = account_of(request, SEES)
    page = Paginator(folds(owner), PER_PAGE).get_page(request.GET.get("page"))
    rows = applied(owner, list(page.object_list))
    return _shown(request, "folds_applied", "applied", page=page, rows=rows, may_unwind=owner.has_perm(CHANGES))


@require_POST
def apply_view(request: HttpRequest) -> HttpResponse:
    """One subject (`one`), all that the page showed (`every`), or those that were picked (`pick`)."""
    owner = account_of(request, SEES, CHANGES, WRITES)
    wanted = _wanted(request)
    if not wanted:
        messages.info(request, gettext("No subject was picked."))
        return redirect("admin:folds")
    found = planned(owner)
    chosen = [fold for fold in found.plan.accepted if value_of(found, fold) in wanted]
    if not chosen:
        messages.warning(request, gettext("What was to be folded has changed meanwhile. Look at it again."))
        return redirect("admin:folds")
    return _applied(request, owner, found, chosen, changed=len(wanted) - len(chosen))


def _wanted(request: HttpRequest) -> set[str]:
    if one := request.POST.get("one"):
        return {one}
    return set(request.POST.getlist("shown" if request.POST.get("every") else "pick"))


def _applied(
    request: HttpRequest, owner: Account, found: Planned, chosen: Sequence[Fold], *, changed: int
) -> HttpResponse:
    names = [fold.subject for fold in chosen]
    try:
        done = apply(owner, found, subjects=names, actor=ACTOR, cause=CAUSE, guard=not forced(request))
    except ForgeError as error:
        messages.error(request, error.message)
        return redirect("admin:folds")
    if done.losses:
        return losses_page(request, done.losses, done.guarded)
    _say(request, done, changed)
    return redirect("admin:folds_applied" if done.done else "admin:folds")


def _say(request: HttpRequest, done: Applied, changed: int) -> None:
    if done.commit is not None:
        words = ngettext("%(count)d subject is folded.", "%(count)d subjects are folded.", len(done.done))
        messages.success(request, words % {"count": len(done.done)}, extra_tags=undo_tag(done.commit))
    for fold in done.dropped:
        values = {"subject": fold.subject, "why": fold_lines.gate(fold)}
        messages.warning(request, gettext("%(subject)s is not folded: %(why)s.") % values)
    if left := told(done.guarded.asked, done.guarded.unasked):
        messages.info(request, left)
    if changed:
        words = ngettext(
            "%(count)d subject has changed meanwhile and is not folded. Look at it again.",
            "%(count)d subjects have changed meanwhile and are not folded. Look at them again.",
            changed,
        )
        messages.warning(request, words % {"count": changed})
    if not done.indexed:
        messages.warning(request, gettext("A new line waits for its vectors; its words find it already."))


@require_POST
def unwind_view(request: HttpRequest, pk: int) -> HttpResponse:
    """All that it speaks for, or the one that is named by `source`."""
    owner = account_of(request, SEES, CHANGES)
    source = request.POST.get("source", "")
    only = [int(source)] if source.isascii() and source.isdigit() and len(source) < 19 else None
    try:
        done = unwind(owner, pk, sources=only, actor=ACTOR, cause=CAUSE)
    except ForgeError as error:
        messages.error(request, error.message)
        return _back(request, pk)
    words = gettext("These speak for themselves again: %(entries)s.") % {"entries": fold_lines.named(done.released)}
    if done.retracted:
        words += " " + gettext("#%(id)d, which had been written for them, is taken back.") % {"id": done.id}
    messages.success(request, words, extra_tags=undo_tag(done.commit))
    return _back(request, pk)


def _back(request: HttpRequest, pk: int) -> HttpResponse:
    """To the entry's page where the button stood there."""
    if request.POST.get("back") == "entry":
        return redirect("admin:memory_entry_change", pk)
    return redirect("admin:folds_applied")


def _shown(request: HttpRequest, view: str, template: str, **more: Any) -> HttpResponse:
    tabs = [{"url": reverse(f"admin:{tab.view}"), "name": tab.name, "current": tab.view == view} for tab in TABS]
    context = admin.site.each_context(request) | {"title": gettext("Folds"), "tabs": tabs, **more}
    return render(request, f"admin/memory/folds/{template}.html", context)


#: Below /admin/: address, name and view.
PAGES: tuple[tuple[str, str, Callable[..., HttpResponse]], ...] = (
    ("folds/", "folds", folds_page),
    ("folds/applied/", "folds_applied", applied_page),
    ("folds/apply/", "folds_apply", apply_view),
    ("folds/settle/", "folds_settle", settle_view),
    ("folds/<int:pk>/unwind/", "folds_unwind", unwind_view),
)
