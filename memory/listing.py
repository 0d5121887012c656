"""Entries as a list, and one entry with its history. No search, no embedder."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.utils.translation import gettext as _

from forgesite.errors import UnknownError
from forgesite.models import Account
from memory.models import Commit, CommitEntry, Entry


@dataclass(frozen=True)
class Listing:
    """`total` and `by_kind` count what the filter lets through, all pages together.

    `forgotten`: of an earlier time, how many entries there were that are forgotten by now, whatever the filter.
    """

    total: int
    by_kind: dict[str, int]
    entries: tuple[Entry, ...]
    forgotten: int = 0


def listing(
    owner: Account, *, kind: str = "", status: str = "", project: str | None = None, limit: int = 50, offset: int = 0
) -> Listing:
    """The owner's entries, newest first, every status. `project=""` means those without one."""
    wanted = {"kind": kind or None, "status": status or None, "project": project}
    rows = Entry.objects.of(owner).filter(**{name: value for name, value in wanted.items() if value is not None})
    by_kind = dict(rows.order_by("kind").values_list("kind").annotate(count=Count("id")))
    return Listing(sum(by_kind.values()), by_kind, tuple(rows.order_by("-id")[offset : offset + limit]))


def entry_of(owner: Account, ref: str | int) -> Entry:
    """The owner's entry by id or address. Raises UnknownError, also for another's."""
    name = str(ref).strip().removeprefix("#")
    if name.isascii() and name.isdigit() and len(name) < 19:
        return Entry.objects.one_of(owner, pk=int(name))
    if len(name) == 64:
        return Entry.objects.one_of(owner, address=name.lower())
    raise UnknownError(_("No entry “%(ref)s”: an entry is named by its number or its address.") % {"ref": name[:80]})


def history(entry: Entry) -> list[Commit]:
    """The commits that touched the entry, oldest first, each with those of its changes that are of it."""
    return touching(entry.owner, entry.pk)


def touching(owner: Account, entry: int, until: int | None = None) -> list[Commit]:
    """The same up to a tick. An import's commit is of hundreds of entries: what it did to the others stays out."""
    rows = CommitEntry.objects.filter(entry=entry, commit__owner=owner).order_by("commit__tick", "position")
    if until is not None:
        rows = rows.filter(commit__tick__lte=until)
    commits: dict[int, Commit] = {}
    said: defaultdict[int, list[Any]] = defaultdict(list)
    for row in rows.select_related("commit"):
        commit = commits.setdefault(row.commit_id, row.commit)
        said[row.commit_id].append(commit.changes[row.position])
    for pk, commit in commits.items():
        commit.changes = said[pk]
    return list(commits.values())
