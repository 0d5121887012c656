"""Put entries away, take them back, bring them back, or say that they are still true. One commit each time.

Whatever is in the asked state already is left alone; a call that changes nothing makes no commit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.errors import UnknownError
from forgesite.models import Account
from memory import store
from memory.errors import NotLiveError
from memory.models import Entry, Kind, Status
from memory.people_first import refuse_closing, refuse_job, refuse_stale
from memory.store import Moved, Write

Act = Callable[[Entry, Write], None]


def archive(owner: Account, entry_id: int, *, actor: str, cause: str, version: int | None = None) -> Entry:
    """Put the entry away. Raises UnknownError, StaleVersionError, and what jobs may not (see people_first.py)."""
    return _one(owner, entry_id, _archive, actor, cause, version)


def retract(owner: Account, entry_id: int, *, actor: str, cause: str, version: int | None = None) -> Entry:
    """Take the entry back: it was wrong. Raises as `archive` does."""
    return _one(owner, entry_id, _retract, actor, cause, version)


def restore(owner: Account, entry_id: int, *, actor: str, cause: str, version: int | None = None) -> Entry:
    """Make an archived, retracted, closed or replaced entry live again. Raises as `archive` does."""
    return _one(owner, entry_id, _restore, actor, cause, version)


def reaffirm(owner: Account, entry_id: int, *, actor: str, cause: str, version: int | None = None) -> Entry:
    """It is still true. Raises NotLiveError of an entry that is not live, and as `archive` does."""
    return _one(owner, entry_id, _reaffirm, actor, cause, version)


def archive_many(owner: Account, ids: Sequence[int], *, actor: str, cause: str) -> tuple[Entry, ...]:
    """All of them or none, in one commit. Returns those that it changed."""
    return _many(owner, ids, _archive, actor, cause)[1]


def retract_many(owner: Account, ids: Sequence[int], *, actor: str, cause: str) -> tuple[Entry, ...]:
    return _many(owner, ids, _retract, actor, cause)[1]


def restore_many(owner: Account, ids: Sequence[int], *, actor: str, cause: str) -> tuple[Entry, ...]:
    return _many(owner, ids, _restore, actor, cause)[1]


def reaffirm_many(owner: Account, ids: Sequence[int], *, actor: str, cause: str) -> tuple[Entry, ...]:
    return _many(owner, ids, _reaffirm, actor, cause)[1]


def _one(owner: Account, entry_id: int, act: Act, actor: str, cause: str, version: int | None) -> Entry:
    return _many(owner, [entry_id], act, actor, cause, version)[0][0]


def _many(
    owner: Account, ids: Sequence[int], act: Act, actor: str, cause: str, version: int | None = None
) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """The entries named, and those of them that moved."""
    with transaction.atomic():
        entries, write = _named(owner, ids), Write()
        for entry in entries:
            refuse_stale(entry, version)
            refuse_job(entry, actor, version)
            if act in (_archive, _retract):
                refuse_closing(entry, actor)
            act(entry, write)
        store.commit(owner, write, actor=actor, cause=cause)
    return entries, tuple(moved.entry for moved in write.moved)


def _named(owner: Account, ids: Sequence[int]) -> tuple[Entry, ...]:
    found = Entry.objects.of(owner).in_bulk(list(ids))
    if missing := sorted(set(ids) - found.keys()):
        raise UnknownError(_("No entry with id %(id)s.") % {"id": ", ".join(map(str, missing))})
    return tuple(found[pk] for pk in dict.fromkeys(ids))


def _archive(entry: Entry, write: Write) -> None:
    _put(entry, Status.ARCHIVED, "archive", write)


def _retract(entry: Entry, write: Write) -> None:
    _put(entry, Status.RETRACTED, "retract", write)


def _restore(entry: Entry, write: Write) -> None:
    _put(entry, Status.OPEN if entry.kind == Kind.TODO else Status.ACTIVE, "restore", write)


def _reaffirm(entry: Entry, write: Write) -> None:
    if not entry.is_live:
        raise NotLiveError(_("Entry #%(id)d is not live: restore it first.") % {"id": entry.pk})
    entry.last_reviewed_at = timezone.now()
    write.moved.append(Moved(entry, "reaffirm"))


def _put(entry: Entry, status: str, do: str, write: Write) -> None:
    if entry.status != status:
        entry.status, entry.updated_at = status, timezone.now()
        entry.version += 1
        write.moved.append(Moved(entry, do))
