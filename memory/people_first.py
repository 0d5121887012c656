"""People win over jobs: what a person wrote, edited or pinned is changed by a person."""

from __future__ import annotations

from django.utils.translation import gettext as _

from forgesite.errors import InvalidError
from memory import change_log
from memory.errors import OpenTodoError, PersonsEntryError, StaleVersionError
from memory.models import CommitEntry, Entry, Origin, Status

PERSON = "person"
#: Whoever changed a row with SQL: no job does that.
OUTSIDE = "outside"
#: What an edit may be called in a commit. That a person only confirmed it makes an entry not theirs.
EDITS = frozenset({"revise", "archive", "restore", "retract", "undo", "adopt"})


def refuse_stale(entry: Entry, version: int | None) -> None:
    if version is not None and version != entry.version:
        raise StaleVersionError(
            _("Entry #%(id)d changed since it was read: it is at version %(now)d, not %(then)d. Read it again.")
            % {"id": entry.pk, "now": entry.version, "then": version},
            detail={"version": entry.version},
        )


def refuse_job(entry: Entry, actor: str, version: int | None) -> None:
    """Anybody but a person names the version they read, and lets alone what is a person's."""
    if actor == PERSON:
        return
    if version is None:
        raise InvalidError(_("A job that changes entry #%(id)d must say which version it read.") % {"id": entry.pk})
    refuse_persons(entry, actor)


def refuse_persons(entry: Entry, actor: str) -> None:
    if actor != PERSON and is_persons(entry):
        raise PersonsEntryError(
            _("A person wrote, edited or pinned entry #%(id)d: a job may only propose to change it.") % {"id": entry.pk}
        )


def is_persons(entry: Entry) -> bool:
    """Also what was edited in the database file from outside: no job does that."""
    return (
        entry.origin == Origin.PERSON
        or entry.pinned
        or entry.pk in change_log.changed_outside("memory_entry")
        or _edited(entry)
    )


def _edited(entry: Entry) -> bool:
    touched = CommitEntry.objects.filter(entry=entry.pk, commit__owner=entry.owner_id)
    touched = touched.filter(commit__actor__in=(PERSON, OUTSIDE))
    return any(row.commit.changes[row.position]["do"] in EDITS for row in touched.select_related("commit"))


def refuse_closing(entry: Entry, actor: str) -> None:
    """An open todo that would be open no more."""
    if actor != PERSON and entry.status == Status.OPEN:
        raise OpenTodoError(
            _("Todo #%(id)d is open. It is closed by a person, or by a todo of the same key.") % {"id": entry.pk}
        )
