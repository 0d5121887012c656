"""Take folds back: what they spoke for speaks for itself again, and an entry that was written for it is retracted.

Links, and the block that a prompt begins with, are then what they were before, to the byte: a source keeps its id, and
so its place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from forgesite.errors import ConflictError, UnknownError
from forgesite.models import Account
from memory import store
from memory.folds.folded import speaking, take_back, written_for
from memory.models import LIVE, Commit, Entry, Link
from memory.store import Moved, Write


class NotAFoldError(ConflictError):
    """It speaks for nothing."""

    code = "no_fold"


@dataclass(frozen=True)
class Standing:
    """A fold as it is now. `written`: the entry was made for it, and says nothing of its own."""

    entry: Entry
    sources: tuple[int, ...]
    since: int
    written: bool


@dataclass(frozen=True)
class Unwound:
    """`released` speak for themselves again. `retracted`: the entry that was written for them is out of sight."""

    id: int
    released: tuple[int, ...]
    retracted: bool
    commit: Commit


def folds(owner: Account) -> tuple[Standing, ...]:
    """Those that stand, newest first."""
    links: dict[int, list[Link]] = {}
    for link in speaking(owner).order_by("id"):
        links.setdefault(link.entry_id, []).append(link)
    entries, made = Entry.objects.of(owner).in_bulk(list(links)), written_for(owner, links)
    return tuple(
        Standing(entries[pk], tuple(link.other_id for link in some), max(link.since for link in some), pk in made)
        for pk, some in sorted(links.items(), reverse=True)
        if pk in entries
    )


def unwind(owner: Account, fold_id: int, *, sources: Collection[int] | None = None, actor: str, cause: str) -> Unwound:
    """Release what the entry speaks for (`sources`: only those), in one commit.

    Once it speaks for nothing, an entry that a fold wrote is retracted; one that somebody edited since is archived.
    Raises UnknownError, also for a source that it does not speak for, and NotAFoldError where it speaks for nothing.
    """
    with transaction.atomic():
        entry = Entry.objects.one_of(owner, pk=fold_id)
        links = list(speaking(owner).filter(entry=entry).order_by("id"))
        if not links:
            raise NotAFoldError(_("Entry #%(id)d speaks for no other: there is nothing to unwind.") % {"id": entry.pk})
        ending = _of(links, sources)
        write = Write(unlinked=ending)
        if len(ending) == len(links) and entry.status in LIVE and written_for(owner, [entry.pk]):
            write.moved.append(Moved(entry, take_back(entry)))
        made = store.commit(owner, write, actor=actor, cause=cause)
    assert made is not None  # at least one link ends
    return Unwound(fold_id, tuple(link.other_id for link in ending), bool(write.moved), made)


def _of(links: Iterable[Link], sources: Collection[int] | None) -> list[Link]:
    by_source = {link.other_id: link for link in links}
    if sources is None:
        return list(by_source.values())
    if missing := sorted(set(sources) - by_source.keys()):
        raise UnknownError(_("The fold does not speak for #%(id)d.") % {"id": missing[0]})
    return [by_source[pk] for pk in sorted(set(sources))]
