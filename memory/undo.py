"""Undo a commit by a commit: every entry and link it states is again as it was before it. Erasure cannot be undone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from forgesite.lib.embeddings import Door
from forgesite.models import Account
from memory import embedding, store
from memory.commits import commit_of, commits, undo_cause, undoes
from memory.domain.states import FORGET, MOMENTS
from memory.embedding import Embedded
from memory.models import Commit, Status
from memory.people_first import refuse_persons
from memory.regime.to_embed import to_embed
from memory.store import WORDS, Moved, Write
from memory.undoing.errors import error_of
from memory.undoing.plan import COMPARED, hindrance, plan
from memory.undoing.reading import reading
from memory.undoing.values import Back, HinderedError, Plan

#: What Forge does by itself: nobody who says “undo” means that.
FORGES_OWN = ("forge", "compaction")
#: Commits of one step back.
AT_ONCE = 50


@dataclass(frozen=True)
class Newest:
    """The newest commit that can be undone, None where there is none, and newer ones that cannot: they forgot."""

    commit: Commit | None
    final: tuple[Commit, ...]


def undo(owner: Account, address: str, *, actor: str, cause: str = "", door: Door | None = None) -> Commit:
    """Take back the owner's commit of this address, wholly or not at all. Returns the commit that does.

    Raises UnknownError; MovedError where an entry or a link in it moved since; ErasedError where it, or what it was of,
    was forgotten; NothingToUndoError where it changed nothing that a person would take back; KeyTakenError where
    another entry holds a key now; EmbeddingError; PersonsEntryError where no person asks. Then nothing changed.
    """
    commit = commit_of(owner, address)
    back = [each for each in _planned(owner, commit).back if each.new_text is not None]
    ready = to_embed(door or embedding.served(), [each.new_text or "" for each in back])
    with transaction.atomic():
        planned = _planned(owner, commit)  # somebody may have been faster
        for each in planned.back:
            refuse_persons(each.entry, actor)
        found = dict(zip((each.entry.pk for each in back), ready.found, strict=True))
        write = _write(planned, commit, found, ready.regime)
        made = store.commit(owner, write, actor=actor, cause=undo_cause(commit.address, cause))
    assert made is not None  # a plan is never empty
    return made


def undoable(commit: Commit) -> str:
    """Why the commit cannot be undone, in a sentence fit to show; empty where it can."""
    try:
        plan(reading(commit.owner, [commit]), commit)
    except HinderedError as hindered:
        return error_of(commit, hindered).message
    return ""


def hindrances(owner: Account, some: Sequence[Commit]) -> dict[int, str]:
    """By tick: the code that undoing the commit would fail with now, empty where it would not."""
    known = reading(owner, some)
    return {commit.tick: hindrance(known, commit) for commit in some}


def last(owner: Account) -> Commit | None:
    """The newest commit, by the person or on their behalf, that can be undone and is not undone itself."""
    return newest(owner).commit


def newest(owner: Account) -> Newest:
    """What an undo without an address means. Undos are passed over: one after the other walks back, not to and fro."""
    final: list[Commit] = []
    for commit in _newest_first(owner):
        if undoes(commit.cause) or commit.actor in FORGES_OWN:
            continue
        if not hindrance(reading(owner, [commit]), commit):  # it would have moved, if it were undone already
            return Newest(commit, tuple(final))
        if any(change["do"] == FORGET for change in commit.changes):
            final.append(commit)
    return Newest(None, tuple(final))


def _newest_first(owner: Account) -> Iterator[Commit]:
    before = None
    while some := commits(owner, limit=AT_ONCE, before=before):
        yield from some
        before = some[-1].tick


def _planned(owner: Account, commit: Commit) -> Plan:
    try:
        return plan(reading(owner, [commit]), commit)
    except HinderedError as hindered:
        raise error_of(commit, hindered) from None


def _write(planned: Plan, commit: Commit, found: dict[int, Embedded], regime: str) -> Write:
    for back in planned.back:
        _restore(back)
    of = {"of": commit.address}
    return Write(
        moved=[Moved(back.entry, "undo", found.get(back.entry.pk), of) for back in planned.back],
        linked=list(planned.again),
        unlinked=list(planned.ended),
        regime=regime,
    )


def _restore(back: Back) -> None:
    """Set the row as it was. Its vectors stay with its text, and what follows from links is not set by hand."""
    entry, state, words = back.entry, back.state, back.words
    entry.version += 1
    if state is None or words is None:
        entry.status, entry.updated_at = Status.RETRACTED, timezone.now()
        return
    for name in COMPARED:
        value = getattr(state, name)
        setattr(entry, name, datetime.fromisoformat(value) if name in MOMENTS and value else value)
    for name in WORDS:
        setattr(entry, name, getattr(words, name))
