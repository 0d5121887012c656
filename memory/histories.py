"""The history of an entry from the ledger: what each commit did to it. Newest first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db.models import Count, F, Func, JSONField, OuterRef, Subquery, TextField, Value
from django.db.models.functions import Cast, Concat

from forgesite.models import Account
from memory.commits import NAMED, undone
from memory.domain.causes import read
from memory.domain.chapters import WORDS, Change, Chapter, Told, Words, chapters, digests
from memory.models import Commit, CommitEntry, TextVersion
from memory.undoing.plan import COMPARED

#: Most commits that an entry's page shows.
NEWEST = 20


@dataclass(frozen=True)
class Past:
    """A commit, without its changes, and what it did to the entry. `entries`: how many it states, 0 of mere links."""

    commit: Commit
    chapter: Chapter
    entries: int


@dataclass(frozen=True)
class History:
    """`more`: there are older commits than those shown."""

    past: tuple[Past, ...]
    more: bool


def history(owner: Account, entry_id: int, *, limit: int | None = NEWEST) -> History:
    """The newest commits that touched the entry, all of them for a limit of None; also of one that is forgotten.

    Empty where no commit of the owner names it. Commits of the first form are told as far as they tell.
    """
    told = _told(owner, entry_id, limit)
    shown = told if limit is None else told[-limit:]
    if not shown:
        return History((), False)
    more = len(shown) < len(told)
    first = shown[0].commit.tick
    earlier = _stated_before(owner, entry_id, first) if more else None
    by = undone(owner, first)
    said = [Told(one.commit.form, one.changes, by.get(one.commit.address[:NAMED], "")) for one in shown]
    words = _words(owner, [*(change for one in said for change in one.changes), *([earlier] if earlier else [])])
    found = chapters(said, entry_id, words, earlier=earlier, compared=COMPARED)
    past = [Past(one.commit, chapter, one.entries) for one, chapter in zip(shown, found, strict=True)]
    return History(tuple(reversed(past)), more)


@dataclass(frozen=True)
class Made:
    """The address of the commit that made an entry, and of the one that undid it, or empty."""

    commit: str
    undone_by: str


def made(owner: Account, ids: Collection[int]) -> dict[int, Made]:
    """By id of the entry. One whose beginning no commit states is not in it."""
    rows = CommitEntry.objects.filter(commit__owner=owner, entry__in=ids, states=True).select_related("commit")
    first: dict[int, Commit] = {}
    for row in rows.defer("commit__changes").order_by("commit__tick"):
        first.setdefault(row.entry, row.commit)
    begun = {pk: commit for pk, commit in first.items() if read(commit.cause).kind != "baseline"}
    if not begun:
        return {}
    taken_back = undone(owner, min(commit.tick for commit in begun.values()))
    return {pk: Made(one.address, taken_back.get(one.address[:NAMED], "")) for pk, one in begun.items()}


def newest(owner: Account, entry_id: int) -> Commit | None:
    """The last commit that touched the entry, without its changes."""
    return Commit.objects.of(owner).filter(touched__entry=entry_id).order_by("-tick").defer("changes").first()


class _ChangeAt(Func):
    """The change at a place of a commit, read out by the database: one of an import is among thousands."""

    function = "json_extract"
    output_field = JSONField()


def _change() -> _ChangeAt:
    place = Concat(Value("$["), Cast("position", TextField()), Value("]"), output_field=TextField())
    return _ChangeAt(F("commit__changes"), place)


@dataclass(frozen=True)
class _Read:
    commit: Commit
    changes: Sequence[Change]
    entries: int


def _told(owner: Account, entry_id: int, limit: int | None) -> list[_Read]:
    """Oldest first: the newest commits with their changes of the entry, one more than the limit if there are more."""
    newest_first = Commit.objects.of(owner).filter(touched__entry=entry_id).order_by("-tick").distinct().values("pk")
    ids = newest_first if limit is None else newest_first[: limit + 1]
    rows = CommitEntry.objects.filter(commit__in=ids, entry=entry_id).select_related("commit")
    touched = CommitEntry.objects.filter(commit=OuterRef("commit"), states=True).order_by().values("commit")
    of_how_many = Subquery(touched.annotate(entries=Count("entry", distinct=True)).values("entries"))
    rows = rows.annotate(change=_change(), entries=of_how_many)
    rows = rows.defer("commit__changes").order_by("commit__tick", "position")
    return [_one(list(of)) for _pk, of in groupby(rows, key=attrgetter("commit_id"))]


def _one(rows: Sequence[Any]) -> _Read:
    return _Read(rows[0].commit, tuple(row.change for row in rows), rows[0].entries or 0)


def _stated_before(owner: Account, entry_id: int, tick: int) -> Change | None:
    rows = CommitEntry.objects.filter(commit__owner=owner, commit__tick__lt=tick, entry=entry_id, states=True)
    change: Change | None = rows.order_by("-commit__tick", "-position").values_list(_change(), flat=True).first()
    return change


def _words(owner: Account, changes: Iterable[Change]) -> Words:
    rows = TextVersion.objects.of(owner).filter(digest__in=digests(changes)).values("digest", *WORDS)
    return {row["digest"]: {name: row[name] for name in WORDS} for row in rows}
