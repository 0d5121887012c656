"""Links by hand: which entry, by its number or by a search, what it is to this one, and taking a link away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext

from forgesite.errors import ForgeError, UnknownError
from forgesite.models import Account
from memory import relate
from memory.desk.acts import refuse_whom_may_not_change
from memory.desk.forms import ACTOR, CAUSE, owner_of
from memory.desk.words import INWARD, OUTWARD, undo_tag
from memory.histories import newest
from memory.listing import entry_of
from memory.models import Entry, LinkType
from memory.policies import searching
from memory.recall import Query, recall

#: Most entries offered to choose from.
OFFERED = 20
#: What a person relates. The other way round is named by a minus.
BY_HAND = (LinkType.SUPERSEDES, LinkType.CONFLICTS, LinkType.SPEAKS_FOR, LinkType.VERSION_OF, LinkType.COVERS)
CHOICES = (
    *((str(kind), OUTWARD[kind]) for kind in BY_HAND),
    *((f"-{kind}", INWARD[kind]) for kind in BY_HAND if kind != LinkType.CONFLICTS),
)


def relate_page(model_admin: Any, request: HttpRequest, pk: int) -> HttpResponse:
    """What was found to relate to, to choose from; a POST makes the link."""
    entry = get_object_or_404(model_admin.get_queryset(request), pk=pk)
    refuse_whom_may_not_change(model_admin, request, entry)
    if request.method == "POST":
        return _related(request, entry)
    asked, kind = request.GET.get("q", "").strip(), request.GET.get("type", "")
    chosen = kind if kind in dict(CHOICES) else str(LinkType.SUPERSEDES)
    context = model_admin.admin_site.each_context(request) | {
        "title": gettext("Relate #%(id)d") % {"id": entry.pk},
        "opts": model_admin.opts,
        "entry": entry,
        "choices": CHOICES,
        "chosen": chosen,
        "chosen_words": dict(CHOICES)[chosen],
        "asked": asked,
        "found": _offered(owner_of(request), entry, asked),
    }
    return render(request, "admin/memory/entry/relate.html", context)


def _offered(owner: Account, entry: Entry, asked: str) -> Sequence[Entry]:
    """The entry of that number, or what a search finds, or who holds the words as typed; never the entry itself."""
    if not asked:
        return ()
    try:
        return [found for found in [entry_of(owner, asked)] if found != entry]
    except UnknownError:
        rows = recall(owner, Query(asked, policy=searching(), top_k=OFFERED + 1, everything=True)).rows
        found = [row.entry for row in rows if row.entry != entry]
        return (found or list(Entry.objects.of(owner).filter(text__icontains=asked).exclude(pk=entry.pk)[:OFFERED]))[
            :OFFERED
        ]


def _related(request: HttpRequest, entry: Entry) -> HttpResponse:
    owner, kind, other = owner_of(request), request.POST.get("type", ""), _number(request.POST.get("other", ""))
    first, second = (other, entry.pk) if kind.startswith("-") else (entry.pk, other)
    try:
        link = relate.relate(owner, first, kind.removeprefix("-"), second, actor=ACTOR, cause=CAUSE)
    except ForgeError as error:
        messages.error(request, error.message)
        return redirect("admin:memory_entry_relate", entry.pk)
    words = f"#{link.entry_id} {OUTWARD[link.type]} #{link.other_id}."
    commit = newest(owner, entry.pk)
    messages.success(request, words, extra_tags=undo_tag(commit))
    return redirect("admin:memory_entry_change", entry.pk)


def unrelate(model_admin: Any, request: HttpRequest, pk: int) -> HttpResponse:
    """*Remove* beside a link: it ends, and its history stays."""
    entry = get_object_or_404(model_admin.get_queryset(request), pk=pk)
    if request.method == "POST":
        refuse_whom_may_not_change(model_admin, request, entry)
        try:
            relate.unrelate(owner_of(request), _number(request.POST.get("link", "")), actor=ACTOR, cause=CAUSE)
        except ForgeError as error:
            messages.error(request, error.message)
        else:
            commit = newest(owner_of(request), entry.pk)
            messages.success(request, gettext("The link is removed."), extra_tags=undo_tag(commit))
    return redirect("admin:memory_entry_change", entry.pk)


def _number(value: str) -> int:
    """0, which no row has, for what is no number of a row."""
    name = value.strip().removeprefix("#")
    return int(name) if name.isascii() and name.isdigit() and len(name) < 19 else 0
