"""Two entries that look alike and are not folded, side by side, with the ways to settle how they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from forgesite.errors import ForgeError
from memory.desk.forms import ACTOR, CAUSE, owner_of
from memory.desk.words import undo_tag
from memory.domain.fold_values import Source
from memory.folds import lines as fold_lines
from memory.folds.plan import Planned
from memory.folds.suggestions import Way, pair_of, settle
from memory.histories import newest
from memory.kinds import Kind

#: What is said of each way once it is gone.
SAID: Mapping[Way, Any] = {
    Way.ARCHIVE: _("#%(older)d is archived."),
    Way.SUPERSEDE: _("#%(newer)d replaces #%(older)d."),
    Way.CONFLICT: _("#%(older)d and #%(newer)d stay, marked as a conflict."),
    Way.BOTH: _("#%(older)d and #%(newer)d are both still true."),
}


@dataclass(frozen=True)
class Side:
    source: Source
    kind: str


@dataclass(frozen=True)
class Suggested:
    """`conflict`: they seem to say the contrary of each other, or differ in a number."""

    older: Side
    newer: Side
    conflict: bool
    why: str


def suggested(found: Planned) -> Sequence[Suggested]:
    """Each pair once, whatever the subjects that it is part of; conflicts first."""
    pairs = {pair_of(each.entries): each for fold in found.plan.folds for each in fold.suggestions}
    rows = []
    for ends, each in pairs.items():
        older, newer = sorted((found.sources[pk] for pk in ends), key=lambda source: (source.day, source.id))
        rows.append(Suggested(_side(older), _side(newer), each.verdict == "conflict", fold_lines.why(each.why)))
    return sorted(rows, key=lambda row: (not row.conflict, row.older.source.id, row.newer.source.id))


def _side(source: Source) -> Side:
    return Side(source, str(Kind(source.kind).label))


@require_POST
def settle_view(request: HttpRequest) -> HttpResponse:
    """The button that was pressed. `older` and `newer`: `id:version`, as the page showed them."""
    owner = owner_of(request)
    if not owner.has_perms(["memory.view_entry", "memory.change_entry"]):
        raise PermissionDenied(gettext("You may not change entries."))
    (older, first), (newer, second) = (_end(request.POST.get(name, "")) for name in ("older", "newer"))
    way, seen = request.POST.get("way", ""), {older: first, newer: second}
    try:
        settle(owner, older, newer, way, seen=seen, actor=ACTOR, cause=CAUSE)
    except ForgeError as error:
        messages.error(request, error.message)
        return _back(request)
    words = SAID[Way(way)] % {"older": older, "newer": newer}
    messages.success(request, words, extra_tags=undo_tag(newest(owner, older)))
    return _back(request)


def _end(value: str) -> tuple[int, int]:
    """Id and version; zeros, which nothing has, for what names none."""
    numbers = value.split(":")
    if len(numbers) != 2 or not all(each.isascii() and each.isdigit() and len(each) < 19 for each in numbers):
        return 0, 0
    return int(numbers[0]), int(numbers[1])


def _back(request: HttpRequest) -> HttpResponse:
    """With the plan that was looked at, where a button had asked for it."""
    page = redirect("admin:folds")
    if request.POST.get("look"):
        page["Location"] += "?look"
    return page
