"""The API's door to what an entry's state and its relations to others are made by."""

from __future__ import annotations

from ninja import Router

from forgesite.auth import Request
from forgesite.schemas import In, answers
from memory import move
from memory.api import ACTOR, entry_named, with_history
from memory.models import LinkType
from memory.relate import relate
from memory.schemas import EntryWithHistory, Ref

router = Router(tags=["memory"])


class LinkIn(In):
    """`type` says what the entry does to, or is of, the other one."""

    type: LinkType
    other: Ref


@router.post("/memory/{ref}/archive", response=answers(EntryWithHistory, 404, 409), summary="Put an entry away")
def archive(request: Request, ref: str) -> EntryWithHistory:
    """It is found after everything that is live, labelled, and is in no prompt's block."""
    entry = entry_named(request, ref)
    return with_history(request, move.archive(request.auth, entry.pk, actor=ACTOR, cause="POST /memory/archive"))


@router.post("/memory/{ref}/retract", response=answers(EntryWithHistory, 404, 409), summary="Take an entry back")
def retract(request: Request, ref: str) -> EntryWithHistory:
    """It was wrong: no search gives it any more, except with `all`. Its history stays, and it can be restored."""
    entry = entry_named(request, ref)
    return with_history(request, move.retract(request.auth, entry.pk, actor=ACTOR, cause="POST /memory/retract"))


@router.post("/memory/{ref}/restore", response=answers(EntryWithHistory, 404, 409), summary="Bring an entry back")
def restore(request: Request, ref: str) -> EntryWithHistory:
    """Archived, retracted, closed or replaced, it is live again: a todo `open`, everything else `active`.

    An older version of a key becomes the current one, and replaces the one that was. 409 `key_taken`: another entry
    has the key, and is no version of this one.
    """
    entry = entry_named(request, ref)
    return with_history(request, move.restore(request.auth, entry.pk, actor=ACTOR, cause="POST /memory/restore"))


@router.post(
    "/memory/{ref}/reaffirm", response=answers(EntryWithHistory, 404, 409), summary="Say that it is still true"
)
def reaffirm(request: Request, ref: str) -> EntryWithHistory:
    """Sets `last_reviewed_at`, and nothing else. 409 `not_live`: it was put away, taken back, closed or replaced."""
    entry = entry_named(request, ref)
    return with_history(request, move.reaffirm(request.auth, entry.pk, actor=ACTOR, cause="POST /memory/reaffirm"))


@router.post("/memory/{ref}/links", response=answers(EntryWithHistory, 404, 409), summary="Relate two entries")
def link(request: Request, ref: str, body: LinkIn) -> EntryWithHistory:
    """The entry supersedes, speaks for, covers, rests on (`source`), conflicts with or is a newer version of `other`.

    The same link again changes nothing. 409 `already_superseded`, `not_live`, `event`, `not_current`,
    `covers_open_todo`; 422 `self_link`, `recursive_summary`, `longer_summary`, `covers_need_summary`.
    """
    entry, other = entry_named(request, ref), entry_named(request, str(body.other))
    relate(request.auth, entry.pk, body.type, other.pk, actor=ACTOR, cause="POST /memory/links")
    return with_history(request, entry_named(request, ref))
