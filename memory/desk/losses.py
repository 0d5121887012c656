"""The page that names the questions which an act would take an entry from, and goes on with a second click."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import ngettext

from memory.desk.forms import owner_of
from memory.given.lately import Loss
from memory.guard import Guarded, rehearsed, told
from memory.models import Entry

#: The field of the second click.
FORCE = "force"
#: Fields of the first one that the second has of its own.
OWN = ("csrfmiddlewaretoken", FORCE)


def forced(request: HttpRequest) -> bool:
    return bool(request.POST.get(FORCE))


def asked_first(request: HttpRequest, act: Callable[[], object], ids: Collection[int]) -> HttpResponse | None:
    """The page, where the act would take an entry from what a question is given; None: go on. Raises as the act does.

    `ids`: the entries that it takes away or moves.
    """
    if forced(request):
        return None
    found = rehearsed(owner_of(request), act, touching=ids)
    if found.losses:
        return losses_page(request, found.losses, found)
    if left := told(found.asked, found.unasked):
        messages.info(request, left)
    return None


def losses_page(request: HttpRequest, losses: Sequence[Loss], found: Guarded | None = None) -> HttpResponse:
    """What was posted stands in the page's form, word for word: it asks the same again, and means it."""
    posted = [(name, value) for name, values in request.POST.lists() if name not in OWN for value in values]
    title = ngettext("%(count)d question would be given less", "%(count)d questions would be given less", len(losses))
    if found and not found.certain:
        title = ngettext("%(count)d question may be given less", "%(count)d questions may be given less", len(losses))
    context = admin.site.each_context(request) | {
        "title": title % {"count": len(losses)},
        "losses": _with_words(request, losses),
        "unlike": found.unlike if found else 0,
        "certain": found is None or found.certain,
        "unasked": told(found.asked, found.unasked) if found else "",
        "posted": posted,
        "force": FORCE,
        "action": request.get_full_path(),
        "back": _back(request),
    }
    return render(request, "admin/memory/folds/losses.html", context)


def _with_words(request: HttpRequest, losses: Sequence[Loss]) -> list[tuple[Loss, list[Entry]]]:
    entries = Entry.objects.of(owner_of(request)).in_bulk({pk for loss in losses for pk in loss.entries})
    return [(loss, [entries[pk] for pk in loss.entries if pk in entries]) for loss in losses]


def _back(request: HttpRequest) -> str:
    """The page that asked."""
    page = request.headers.get("referer", "")
    return page if url_has_allowed_host_and_scheme(page, {request.get_host()}) else reverse("admin:index")
