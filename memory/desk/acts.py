"""The verbs as buttons on an entry's page, and as actions of the list: the same table serves both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext, gettext_lazy, ngettext, ngettext_lazy

from forgesite.errors import ForgeError
from forgesite.models import Account
from memory import move
from memory.desk.forms import ACTOR, CAUSE, owner_of
from memory.desk.losses import asked_first
from memory.desk.words import undo_tag
from memory.histories import newest
from memory.models import LIVE, Entry, Status
from memory.revise import Changes, revise
from memory.revise_many import revise_many

One: TypeAlias = Callable[[Account, int, int | None], Entry]
Many: TypeAlias = Callable[..., tuple[Entry, ...]]


@dataclass(frozen=True)
class Act:
    """`fits`: does it make sense for an entry as it is. `many`: the verb for a selection, where there is one."""

    name: str
    label: Any
    said: Any
    fits: Callable[[Entry], bool]
    one: One
    many: Many | None = None
    said_many: Any = ""
    hint: Any = ""

    @property
    def key(self) -> str:
        """What presses it on the keyboard; empty for none. No two that fit one entry have the same."""
        return KEYS.get(self.name, "")


def _moved(verb: Callable[..., Entry]) -> One:
    return lambda owner, pk, version: verb(owner, pk, actor=ACTOR, cause=CAUSE, version=version)


def _changed(**given: Any) -> One:
    return lambda owner, pk, version: revise(owner, pk, Changes(**given), version=version, actor=ACTOR, cause=CAUSE)


def _all_changed(**given: Any) -> Many:
    return partial(revise_many, changes=Changes(**given))


def _can_come_back(entry: Entry) -> bool:
    return entry.is_replaced or entry.status in (Status.ARCHIVED, Status.RETRACTED)


def _is(*statuses: str) -> Callable[[Entry], bool]:
    return lambda entry: entry.status in statuses


_ = gettext_lazy

ACTS = (
    Act("close", _("Close"), _("#%(id)d is closed."), _is(Status.OPEN), _changed(status=Status.CLOSED)),
    Act("reopen", _("Reopen"), _("#%(id)d is open again."), _is(Status.CLOSED), _changed(status=Status.OPEN)),
    Act(
        "reaffirm", _("Still true"), _("#%(id)d is still true, as of now."), lambda entry: entry.is_live,
        _moved(move.reaffirm), move.reaffirm_many,
        ngettext_lazy("%(count)d entry is still true.", "%(count)d entries are still true.", "count"),
    ),
    Act(
        "pin", _("Pin"), _("#%(id)d is pinned."), lambda entry: not entry.pinned,
        _changed(pinned=True), _all_changed(pinned=True),
        ngettext_lazy("%(count)d entry pinned.", "%(count)d entries pinned.", "count"),
    ),
    Act(
        "unpin", _("Unpin"), _("#%(id)d is no longer pinned."), lambda entry: entry.pinned,
        _changed(pinned=False), _all_changed(pinned=False),
        ngettext_lazy("%(count)d entry unpinned.", "%(count)d entries unpinned.", "count"),
    ),
    Act(
        "archive", _("Archive"), _("#%(id)d is archived."), _is(*LIVE, Status.CLOSED), _moved(move.archive),
        move.archive_many, ngettext_lazy("%(count)d entry archived.", "%(count)d entries archived.", "count"),
        _("Found after everything that is live."),
    ),
    Act(
        "restore", _("Restore"), _("#%(id)d is back."), _can_come_back,
        _moved(move.restore), move.restore_many,
        ngettext_lazy("%(count)d entry restored.", "%(count)d entries restored.", "count"),
    ),
    Act(
        "retract", _("Retract"), _("#%(id)d is retracted."), lambda entry: entry.status != Status.RETRACTED,
        _moved(move.retract), move.retract_many,
        ngettext_lazy("%(count)d entry retracted.", "%(count)d entries retracted.", "count"),
        _("It was wrong: no search gives it any more. Its history stays."),
    ),
)  # fmt: skip
KEYS = {"archive": "a", "reaffirm": "r", "restore": "r", "pin": "p", "unpin": "p"}
BY_NAME = {act.name: act for act in ACTS}
#: What they take away of what is found.
TAKING = ("archive", "retract")
#: In the order in which the list offers them.
IN_BULK = tuple(BY_NAME[name] for name in ("archive", "restore", "retract", "reaffirm", "pin", "unpin"))


def fitting(entry: Entry) -> list[Act]:
    """The buttons of an entry's page."""
    return [act for act in ACTS if act.fits(entry)]


def act_on(model_admin: Any, request: HttpRequest, pk: int) -> HttpResponse:
    """The button that was pressed, as its verb."""
    entry = get_object_or_404(model_admin.get_queryset(request), pk=pk)
    if request.method == "POST":
        refuse_whom_may_not_change(model_admin, request, entry)
        act = BY_NAME.get(request.POST.get("act", ""))
        if act is None:
            raise BadRequest(gettext("There is no such act."))
        _done(request, act, entry)
    return redirect("admin:memory_entry_change", pk)


def refuse_whom_may_not_change(model_admin: Any, request: HttpRequest, entry: Entry | None = None) -> None:
    if not model_admin.has_change_permission(request, entry):
        raise PermissionDenied(gettext("You may not change entries."))


def _done(request: HttpRequest, act: Act, entry: Entry) -> None:
    owner, seen = owner_of(request), request.POST.get("seen", "")
    before = newest(owner, entry.pk)
    try:
        act.one(owner, entry.pk, int(seen) if seen.isascii() and seen.isdigit() else None)
    except ForgeError as error:
        messages.error(request, error.message)
        return
    after = newest(owner, entry.pk)
    if after is None or after == before:
        messages.info(request, gettext("Nothing to change: it is so already."))
        return
    messages.success(request, act.said % {"id": entry.pk}, extra_tags=undo_tag(after))


def chosen(model_admin: Any, request: HttpRequest) -> list[Entry]:
    """The entries of one field of ids: Django takes no thousand fields. What is gone meanwhile is no part of it."""
    ids = [int(pk) for pk in request.POST.get("ids", "").split(",") if pk.isascii() and pk.isdigit() and len(pk) < 19]
    return list(model_admin.get_queryset(request).filter(pk__in=ids).order_by("id"))


def act_on_many(request: HttpRequest, act: Act, ids: Sequence[int]) -> HttpResponse | None:
    """One commit for all of them; those that are so already are left as they are. As `all_at_once`."""
    assert act.many is not None
    return all_at_once(request, partial(act.many, ids=ids), act.said_many, ids, guarded=act.name in TAKING)


def all_at_once(
    request: HttpRequest, verb: Callable[..., tuple[Entry, ...]], said: Any, ids: Sequence[int], *, guarded: bool = True
) -> HttpResponse | None:
    """Call the verb, and say how many it moved of these, with an undo for all of them; or why it moved none.

    `guarded`: where answers would lose one of them nothing is done yet, and the page that says so is returned.
    """
    owner = owner_of(request)
    try:
        if guarded and (page := asked_first(request, partial(verb, owner, actor=ACTOR, cause=CAUSE), ids)):
            return page
        moved = verb(owner, actor=ACTOR, cause=CAUSE)
    except ForgeError as error:
        messages.error(request, error.message)
        return None
    if not moved:
        messages.info(request, gettext("Nothing to change: they are so already."))
        return None
    words = str(said % {"count": len(moved)})
    if left := len(ids) - len(moved):
        words += " " + ngettext("%(count)d was so already.", "%(count)d were so already.", left) % {"count": left}
    messages.success(request, words, extra_tags=undo_tag(newest(owner, moved[0].pk)))
    return None
