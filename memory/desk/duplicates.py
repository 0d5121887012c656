"""Duplicates on the desk: groups that say the same, or nearly, and pairs that may be a conflict, each act with undo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, ngettext

from forgesite.errors import ForgeError
from forgesite.models import Account
from memory import duplicates, move, relate
from memory.desk.acts import refuse_whom_may_not_change
from memory.desk.forms import ACTOR, CAUSE, owner_of
from memory.desk.story import shortened
from memory.desk.words import OUTWARD, undo_tag
from memory.domain.differences import Piece, differences
from memory.histories import newest
from memory.models import Entry, Kind, LinkType, ReceiptEntry

#: Characters of two texts that are told apart word by word, and entries of a group that are listed.
COMPARED, LISTED = 2000, 12

_ = gettext_lazy

#: What tells two alike entries apart, as a person reads it.
REASONS: Mapping[str, Any] = {
    "negation": _("one is negated"),
    "numbers": _("other numbers"),
    "sense": _("one says when, if or by whom"),
    "order": _("the names in another order"),
    "names": _("other names"),
    "words": _("each has words of its own"),
}


@dataclass(frozen=True)
class Line:
    """An entry of a group. `pieces`: its text, with what the newest of the group says otherwise.

    `by`: the newest, where that may take its place: what happened is replaced by nothing.
    """

    entry: Entry
    used: int
    pieces: Sequence[Piece]
    by: int | None


@dataclass(frozen=True)
class Card:
    """`why`: of a conflict, what tells the two apart. `ids`: all of the group, also those that are not listed."""

    lines: Sequence[Line]
    ids: str
    count: int
    more: int
    distance: str = ""
    why: Any = ""

    @property
    def is_pair(self) -> bool:
        return self.count == 2


def duplicates_page(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """`?near=1` compares the words and vectors of all entries; without it only what says the same is looked up."""
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    if request.method == "POST":
        refuse_whom_may_not_change(model_admin, request)
        return _done(request)
    owner = owner_of(request)
    near = duplicates.near(owner) if request.GET.get("near") else None
    same = None if near else duplicates.same(owner)
    groups = near.groups if near else same.groups if same else ()
    conflicts = near.conflicts if near else ()
    used = _used([*(pair for each in conflicts for pair in (each.newer, each.older)), *_all(groups)])
    context = model_admin.admin_site.each_context(request) | {
        "title": gettext("Duplicates"),
        "opts": model_admin.opts,
        "near": near,
        "same": same,
        "groups": [_card(group.entries, used, group.distance) for group in groups],
        "conflicts": [_card((c.newer, c.older), used, c.distance, REASONS[c.reason]) for c in conflicts],
        "has_change_permission": model_admin.has_change_permission(request),
    }
    return render(request, "admin/memory/entry/duplicates.html", context)


def _all(groups: Iterable[duplicates.Group]) -> list[Entry]:
    return [entry for group in groups for entry in group.entries[:LISTED]]


def _used(entries: Sequence[Entry]) -> dict[int, int]:
    """In how many answers each was used, for all that is shown at once."""
    rows = ReceiptEntry.objects.filter(entry__in={entry.pk for entry in entries}).values("entry")
    return {row["entry"]: row["answers"] for row in rows.annotate(answers=Count("id"))}


def _card(entries: Sequence[Entry], used: Mapping[int, int], distance: float | None, why: Any = "") -> Card:
    first = entries[0]
    lines = [
        Line(
            entry,
            used.get(entry.pk, 0),
            [Piece("same", entry.text[:COMPARED])] if entry is first else _told_apart(entry, first),
            None if entry is first or entry.kind == Kind.EVENT else first.pk,
        )
        for entry in entries[:LISTED]
    ]
    ids = ",".join(str(entry.pk) for entry in entries)
    shown = "" if distance is None else f"{distance:.2f}"
    return Card(lines, ids, len(entries), len(entries) - len(lines), shown, why)


def _told_apart(entry: Entry, newest: Entry) -> list[Piece]:
    """Its own text, with the words marked that the newest does not have."""
    pieces = differences(entry.text[:COMPARED], newest.text[:COMPARED])
    return shortened([piece for piece in pieces if piece.kind != "new"])


def _done(request: HttpRequest) -> HttpResponse:
    """One button, one verb, one commit; back to where it was pressed."""
    owner = owner_of(request)
    act, _sign, value = request.POST.get("act", "").partition(" ")
    ids = [int(pk) for pk in value.split(",") if pk.isascii() and pk.isdigit() and len(pk) < 19]
    if act not in DOING or len(ids) < DOING[act][0]:
        raise BadRequest(gettext("There is no such act."))
    try:
        words = DOING[act][1](owner, ids)
    except ForgeError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, words, extra_tags=undo_tag(newest(owner, ids[0])))
    back = reverse("admin:memory_entry_duplicates")
    return redirect(f"{back}?{urlencode({'near': 1})}" if request.POST.get("near") else back)


def _archive(owner: Account, ids: Sequence[int]) -> str:
    move.archive(owner, ids[0], actor=ACTOR, cause=CAUSE)
    return gettext("#%(id)d is archived.") % {"id": ids[0]}


def _supersede(owner: Account, ids: Sequence[int]) -> str:
    """The older one first."""
    return _linked(owner, ids[1], LinkType.SUPERSEDES, ids[0])


def _conflicts(owner: Account, ids: Sequence[int]) -> str:
    return _linked(owner, ids[0], LinkType.CONFLICTS, ids[1])


def _linked(owner: Account, entry: int, relation: str, other: int) -> str:
    relate.relate(owner, entry, relation, other, actor=ACTOR, cause=CAUSE)
    return f"#{entry} {OUTWARD[relation]} #{other}."


def _keep(owner: Account, ids: Sequence[int]) -> str:
    kept = len(duplicates.keep_all(owner, ids, actor=ACTOR))
    words = ngettext("%(count)d entry is kept.", "%(count)d entries are kept, each by itself.", kept)
    return words % {"count": kept}


#: What a button says: the verb, and how many ids it takes at least.
DOING: dict[str, tuple[int, Callable[[Account, Sequence[int]], str]]] = {
    "archive": (1, _archive),
    "supersede": (2, _supersede),
    "conflicts": (2, _conflicts),
    "keep": (2, _keep),
}
