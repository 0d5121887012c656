"""Put entries away, take them back, bring them back, or say that they are still true. One commit each time.

Whatever is in the asked state already is left alone; a call that changes nothing makes no commit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.errors import UnknownError
from forgesite.models import Account
from memory import keys, store
from memory.errors import KeyTakenError, NotLiveError
from memory.models import LIVE, REPLACING, Entry, Kind, Link, LinkType, Status
from memory.people_first import refuse_closing, refuse_job, refuse_persons, refuse_stale
from memory.store import Moved, Write

#: Sets an entry's new values and adds to the write what it takes. `str` is the actor.
Act = Callable[[Entry, Write, str], None]


def archive(owner: Account, entry_id: int, *, actor: str, cause: str, version: int | None = None) -> Entry:
    """Put the entry away. Raises UnknownError, StaleVersionError, and what jobs may not (see people_first.py)."""
    return _one(owner, entry_id, _archive, actor, cause, version)


def retract(owner: Account, entry_id: int, *, actor: str, cause: str, version: int | None = None) -> Entry:
    """Take the entry back: it was wrong. Raises as `archive` does."""
    return _one(owner, entry_id, _retract, actor, cause, version)


def restore(owner: Account, entry_id: int, *, actor: str, cause: str, version: int | None = None) -> Entry:
    """Make an archived, retracted, closed or replaced entry live again: a todo `open`, another one `active`.

    What replaced it under its key is replaced by it; what superseded it otherwise stays live beside it. A fold goes on
    speaking for it. Raises KeyTakenError where another entry holds its key, and as `archive` does.
    """
    return _one(owner, entry_id, _restore, actor, cause, version)


def reaffirm(owner: Account, entry_id: int, *, actor: str, cause: str, version: int | None = None) -> Entry:
    """It is still true: it counts as reviewed now. Raises NotLiveError where it is not live, and as `archive` does."""
    return _one(owner, entry_id, _reaffirm, actor, cause, version)


def archive_many(owner: Account, ids: Sequence[int], *, actor: str, cause: str) -> tuple[Entry, ...]:
    """All of them or none, in one commit. Returns those that it changed. A job goes one by one, with versions."""
    return _many(owner, ids, _archive, actor, cause)[1]


def retract_many(owner: Account, ids: Sequence[int], *, actor: str, cause: str) -> tuple[Entry, ...]:
    """As `archive_many`."""
    return _many(owner, ids, _retract, actor, cause)[1]


def restore_many(owner: Account, ids: Sequence[int], *, actor: str, cause: str) -> tuple[Entry, ...]:
    """As `archive_many`. Of one key only one entry may be among them: KeyTakenError."""
    return _many(owner, ids, _restore, actor, cause)[1]


def reaffirm_many(owner: Account, ids: Sequence[int], *, actor: str, cause: str) -> tuple[Entry, ...]:
    """As `archive_many`."""
    return _many(owner, ids, _reaffirm, actor, cause)[1]


def _one(owner: Account, entry_id: int, act: Act, actor: str, cause: str, version: int | None) -> Entry:
    return _many(owner, [entry_id], act, actor, cause, version)[0][0]


def _many(
    owner: Account, ids: Sequence[int], act: Act, actor: str, cause: str, version: int | None = None
) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """The entries named, and those of them that moved."""
    with keys.transaction():
        entries, write = named(owner, ids), Write()
        if act is _restore:
            _refuse_one_key(entries)
        for entry in entries:
            refuse_stale(entry, version)
            act(entry, write, actor)
        for moved in write.moved:
            refuse_job(moved.entry, actor, version)
        store.commit(owner, write, actor=actor, cause=cause)
    return entries, tuple(moved.entry for moved in write.moved)


def named(owner: Account, ids: Sequence[int]) -> tuple[Entry, ...]:
    """In that order, each once. Raises UnknownError where one is not there, or not theirs."""
    found = Entry.objects.of(owner).in_bulk(list(ids))
    if missing := sorted(set(ids) - found.keys()):
        raise UnknownError(_("No entry with id %(id)s.") % {"id": ", ".join(map(str, missing))})
    return tuple(found[pk] for pk in dict.fromkeys(ids))


def _archive(entry: Entry, write: Write, actor: str) -> None:
    if entry.status != Status.ARCHIVED:
        refuse_closing(entry, actor)
        _put(entry, Status.ARCHIVED, "archive", write)
        keys.refuse_taken(entry)


def _retract(entry: Entry, write: Write, actor: str) -> None:
    if entry.status != Status.RETRACTED:
        refuse_closing(entry, actor)
        _put(entry, Status.RETRACTED, "retract", write)


def _restore(entry: Entry, write: Write, actor: str) -> None:
    if entry.status in LIVE and not entry.is_replaced:
        return
    newest = keys.newest_of_line(entry)
    if newest is not None:
        _refuse_to_replace(newest, entry, actor)
        write.linked.append(Link(type=LinkType.VERSION_OF, entry=entry, other=newest))
    write.unlinked += Link.objects.standing().filter(other=entry, type__in=REPLACING)
    _put(entry, Status.OPEN if entry.kind == Kind.TODO else Status.ACTIVE, "restore", write)
    keys.refuse_taken(entry, released=True, besides=[newest.pk] if newest else [])


def _refuse_to_replace(newest: Entry, restored: Entry, actor: str) -> None:
    refuse_persons(newest, actor)
    if restored.kind != Kind.TODO:
        refuse_closing(newest, actor)


def _refuse_one_key(entries: Sequence[Entry]) -> None:
    """Two of one key cannot both become live."""
    count = Counter(keys.name_of(entry) for entry in entries if entry.key)
    for (_project, key), times in count.items():
        if times > 1:
            message = _("%(count)d of these have the key “%(key)s”, and one can be current: restore that one.")
            raise KeyTakenError(message % {"count": times, "key": key})


def _reaffirm(entry: Entry, write: Write, actor: str) -> None:
    if entry.status not in LIVE or entry.is_replaced or entry.stale:
        raise NotLiveError(
            _("Entry #%(id)d is not live (%(why)s), so it cannot be confirmed. Restore it first.")
            % {"id": entry.pk, "why": _why(entry)}
        )
    entry.last_reviewed_at = timezone.now()
    write.moved.append(Moved(entry, "reaffirm"))


def _why(entry: Entry) -> str:
    if entry.status not in LIVE:
        return str(entry.get_status_display())
    return _("replaced") if entry.is_replaced else _("a source of it was changed")


def _put(entry: Entry, status: str, do: str, write: Write) -> None:
    if entry.status != status:
        entry.status, entry.updated_at = status, timezone.now()
    entry.version += 1
    write.moved.append(Moved(entry, do))
