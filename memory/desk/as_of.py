"""Memory as it was: the list of entries at an earlier time, with its search, and what became of each since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext

from forgesite.errors import ForgeError
from forgesite.models import Account
from memory import as_of
from memory.desk.forms import owner_of
from memory.desk.words import Mark, marks, when
from memory.models import Entry, Kind
from memory.policies import searching
from memory.recall import Query, recall

#: Rows of a page, and most rows that a search shows.
ROWS, FOUND = 50, 50


@dataclass(frozen=True)
class Then:
    """An entry as it was. `since`: what became of it; empty where it is now as it was then."""

    entry: Entry
    marks: Sequence[Mark]
    since: str
    found: str = ""


@dataclass(frozen=True)
class AsOf:
    """`total`: entries that there were, by the filter, all pages together; of a search, those it found.

    `forgotten`: how many more there were, which were forgotten since: nothing of them is left to show.
    """

    at: as_of.At
    asked: str
    q: str
    kind: str
    rows: Sequence[Then]
    total: int
    page: int
    forgotten: int = 0
    notices: Sequence[str] = ()

    @property
    def time(self) -> str:
        return when(self.moment)

    @property
    def moment(self) -> datetime:
        """The time that was asked for; of a commit that was named, its own."""
        try:
            asked = datetime.fromisoformat(self.asked)
        except ValueError:
            return self.at.at
        return timezone.make_aware(asked) if timezone.is_naive(asked) else asked

    @property
    def earlier(self) -> str:
        """The query of the page with what is older; empty on the last."""
        return self._query(self.page + 1) if not self.q and self.page * ROWS < self.total else ""

    @property
    def later(self) -> str:
        return self._query(self.page - 1) if not self.q and self.page > 1 else ""

    def _query(self, page: int) -> str:
        return urlencode({"at": self.asked, "kind": self.kind, "p": page})


def as_of_page(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """A time that cannot be read leads back to the list, and says so."""
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    try:
        shown = _as_of(owner_of(request), request.GET)
    except ForgeError as error:
        messages.error(request, error.message)
        return redirect("admin:memory_entry_changelist")
    context = model_admin.admin_site.each_context(request) | {
        "title": gettext("Memory as it was"),
        "opts": model_admin.opts,
        "shown": shown,
        "kinds": Kind.choices,
    }
    return render(request, "admin/memory/entry/as_of.html", context)


def _as_of(owner: Account, asked: Mapping[str, str]) -> AsOf:
    words, q, kind = (asked.get(name, "").replace("\x00", " ").strip() for name in ("at", "q", "kind"))
    kind = kind if kind in Kind.values else ""
    page = int(asked["p"]) if asked.get("p", "").isascii() and asked.get("p", "").isdigit() else 1
    at = as_of.moment_of(owner, words)
    if q:
        answer = recall(owner, Query(q, policy=searching(), kind=kind, top_k=FOUND, everything=True, as_of=words))
        found = [(row.entry, row.channel) for row in answer.rows]
        return AsOf(at, words, q, kind, _then(owner, found), len(found), 1, notices=answer.notices)
    page = max(1, min(page, 10**6))
    listed = as_of.listing(owner, at, kind=kind, limit=ROWS, offset=(page - 1) * ROWS)
    rows = _then(owner, [(entry, "") for entry in listed.entries])
    return AsOf(at, words, q, kind, rows, listed.total, page, forgotten=listed.forgotten)


def _then(owner: Account, found: Sequence[tuple[Entry, str]]) -> list[Then]:
    now = Entry.objects.of(owner).in_bulk([entry.pk for entry, _how in found])
    return [Then(entry, marks(entry), since(entry, now.get(entry.pk)), how) for entry, how in found]


def since(then: Entry, now: Entry | None) -> str:
    """What became of an entry, in words; empty where it stands as it did."""
    if now is None:
        return gettext("forgotten since")
    became = []
    if any(getattr(then, name) != getattr(now, name) for name in ("text", "kind", "project", "event_at")):
        became.append(gettext("edited since"))
    was = {(mark.words, mark.entry) for mark in marks(then)}
    became += [_since(mark) for mark in marks(now) if (mark.words, mark.entry) not in was]
    return ", ".join(became)


def _since(mark: Mark) -> str:
    words = f"{mark.words} #{mark.entry}" if mark.entry else mark.words
    return gettext("%(state)s since") % {"state": words}
