"""Versions by key: what is written under a key of a project takes the place of what stood there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TypeVar

from django.db import IntegrityError
from django.db import transaction as database
from django.utils.translation import gettext as _

from forgesite.errors import InvalidError
from forgesite.models import Account
from memory.drafts import Draft
from memory.errors import KeyTakenError, OpenTodoError, StaleVersionError
from memory.models import Entry, EntryQuerySet, How, Kind, Origin, Status
from memory.people_first import PERSON, refuse_persons

#: Project and key.
Name = tuple[str, str]
T = TypeVar("T")


def name_of(named: Draft | Entry) -> Name:
    return (named.project, named.key)


def currents(owner: Account, names: Iterable[Name]) -> dict[Name, Entry]:
    """The current version of each key that has one: who holds it, else the newest that was retracted in that state."""
    wanted = {name for name in names if name[1]}
    if not wanted:
        return {}
    rows = Entry.objects.of(owner).order_by()  # else SQLite reads all of the owner's rows in that order
    found = _by_name(rows.holding_keys(), wanted)
    retracted = rows.filter(status=Status.RETRACTED).exclude(superseded_how=How.REPLACED)
    return found | _by_name(retracted, wanted - found.keys())


def _by_name(rows: EntryQuerySet, names: Iterable[Name]) -> dict[Name, Entry]:
    """Of each name the newest."""
    keys: defaultdict[str, list[str]] = defaultdict(list)
    for project, key in names:
        keys[project].append(key)
    some = (rows.filter(project=project, key__in=each) for project, named in keys.items() for each in batched(named))
    return {name_of(entry): entry for entry in sorted(chain.from_iterable(some), key=lambda entry: entry.pk)}


def batched(values: Sequence[T], at_once: int = 900) -> Iterator[Sequence[T]]:
    """As many as a statement takes."""
    return (values[start : start + at_once] for start in range(0, len(values), at_once))


def refuse_twice(drafts: Sequence[Draft]) -> None:
    """In one write a key has one value. Raises InvalidError."""
    seen: set[Name] = set()
    for draft in drafts:
        if draft.key and name_of(draft) in seen:
            raise InvalidError(_("Two entries of one write have the key “%(key)s”.") % {"key": draft.key})
        seen.add(name_of(draft))


def refuse_newer(before: Mapping[Name, Entry], now: Mapping[Name, Entry]) -> None:
    """Somebody else has written a key meanwhile. Raises StaleVersionError."""
    for name, entry in now.items():
        then = before.get(name)
        if then is None or (then.pk, then.version) != (entry.pk, entry.version):
            raise StaleVersionError(
                _("The key “%(key)s” was written meanwhile: entry #%(id)d is its current version. Read it again.")
                % {"key": entry.key, "id": entry.pk},
                detail={"id": entry.pk, "version": entry.version},
            )


def refuse_over(current: Entry, draft: Draft, actor: str) -> None:
    """An open todo is followed by a todo, whoever writes. A job replaces nothing else that is a person's.

    A model writes on behalf of the person whose turn it is.
    """
    if current.status == Status.OPEN:
        if draft.kind != Kind.TODO:
            raise OpenTodoError(
                _("Todo #%(id)d has the key “%(key)s” and is open: only a todo of this key may follow it.")
                % {"id": current.pk, "key": current.key}
            )
    elif actor not in (PERSON, Origin.MODEL):
        refuse_persons(current, actor)


def refuse_taken(entry: Entry, *, released: bool = False, besides: Collection[int] = ()) -> None:
    """Another entry holds the key that this one, as it is now, would hold.

    `released`: nothing will replace it any more. `besides`: ids of those that give the key up. Raises KeyTakenError.
    """
    if not entry.key or entry.status == Status.RETRACTED or (entry.is_replaced and not released):
        return
    same = Entry.objects.holding_keys().filter(owner=entry.owner_id, project=entry.project, key=entry.key)
    if taken := same.exclude(pk__in=[entry.pk, *besides]).first():
        raise KeyTakenError(
            _("Entry #%(id)d has the key “%(key)s” already. Retract that one, or let one supersede the other.")
            % {"id": taken.pk, "key": taken.key},
            detail={"id": taken.pk},
        )


def newest_of_line(entry: Entry) -> Entry | None:
    """The version that in the end took the place of this one, if it has the same key in the same project still."""
    newest, passed = entry, {entry.pk}
    while newest.is_replaced:
        newest = Entry.objects.in_bulk([newest.superseded_by_id]).get(newest.superseded_by_id or 0, entry)
        if newest.pk in passed:  # forgotten, or turned into a circle from outside
            return None
        passed.add(newest.pk)
    return newest if entry.key and newest != entry and name_of(newest) == name_of(entry) else None


@contextmanager
def transaction() -> Iterator[None]:
    """A transaction of the database that says what is wrong where, in spite of every check, a key is held twice."""
    try:
        with database.atomic():
            yield
    except IntegrityError as error:
        if "memory_entry.key" not in str(error):
            raise
        raise KeyTakenError(_("Another entry has this key already; nothing was written.")) from error
