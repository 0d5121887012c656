"""Why a commit cannot be undone, as an error with its sentence."""

from __future__ import annotations

from django.utils.translation import gettext as _

from forgesite.errors import ConflictError
from memory.commits import NAMED, undoes
from memory.domain.chain import FIRST
from memory.errors import ErasedError, KeyTakenError, MovedError, NothingToUndoError
from memory.models import Commit, CommitEntry
from memory.undoing.reading import stated
from memory.undoing.values import HinderedError

#: Newer commits that are looked at for the one to name.
LOOKED_AT = 50


def error_of(commit: Commit, hindered: HinderedError) -> ConflictError:
    return ERRORS[hindered.code](commit, hindered)


def _moved(commit: Commit, hindered: HinderedError) -> ConflictError:
    newer = _newer(commit, hindered)
    detail = {"entry": hindered.entry, "commit": newer.address if newer else None}
    if newer is None:
        said = _("Entry #%(id)d was changed outside Forge since. Record that first: manage.py verify --adopt.")
        return MovedError(said % {"id": hindered.entry}, detail=detail)
    if undoes(newer.cause) == commit.address[:NAMED]:
        said = _("It is undone already, by commit %(commit)s. Undo that one to have it again.")
    else:
        said = _("Entry #%(id)d changed again since, by commit %(commit)s. Undo that one first.")
    return MovedError(said % {"id": hindered.entry, "commit": newer.address[:NAMED]}, detail=detail)


def _newer(commit: Commit, hindered: HinderedError) -> Commit | None:
    """The last commit that somebody changed the entry by; else the last one that a change of links reached it by."""
    later = Commit.objects.filter(owner=commit.owner_id, tick__gt=commit.tick).order_by("-tick")
    if hindered.by:
        return later.filter(tick=hindered.by).first()
    touching = CommitEntry.objects.filter(entry=hindered.entry, states=True).values("commit")
    found = list(later.filter(pk__in=touching)[:LOOKED_AT])
    return next((one for ids in (_made, _followed) for one in found if hindered.entry in ids(one)), None)


def _made(commit: Commit) -> list[int]:
    return [change["id"] for change in stated(commit)]


def _followed(commit: Commit) -> list[int]:
    return [change["id"] for change in commit.changes if change["do"] == "follow"]


def _erased(commit: Commit, hindered: HinderedError) -> ConflictError:
    said = _("What entry #%(id)d said is forgotten for good, and nothing brings it back.")
    return ErasedError(said % {"id": hindered.entry}, detail={"entry": hindered.entry})


def _nothing(commit: Commit, hindered: HinderedError) -> ConflictError:
    if commit.form == FIRST:
        return NothingToUndoError(_("It is from before the ledger kept how an entry was, and cannot be undone."))
    return NothingToUndoError(_("It changed nothing that could be taken back."))


def _taken(commit: Commit, hindered: HinderedError) -> ConflictError:
    said = _("Entry #%(other)d has the key now that #%(id)d had. Retract it first, or change its project.")
    values = {"id": hindered.entry, "other": hindered.by}
    return KeyTakenError(said % values, detail={"entry": hindered.entry, "holder": hindered.by})


ERRORS = {"moved": _moved, "erased": _erased, "nothing_to_undo": _nothing, "key_taken": _taken}
