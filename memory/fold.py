"""Fold: one entry speaks for several that say the same subject. They leave the prompt's block, and nothing else.

    plan ── embed the lines ── one transaction: moved meanwhile? ── entries · links · one commit ── would answers lose?

Every source stays in memory, is found as before, and comes back when the fold is unwound (see unfold.py).
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db import transaction
from django.utils.translation import gettext as _

from forgesite.errors import ForgeError, UnknownError
from forgesite.lib.embeddings import Door
from forgesite.models import Account
from memory import embedding, keys, store
from memory.domain.fold_gates import QUESTIONS, STORE
from memory.domain.fold_values import Fold, Source
from memory.drafts import Draft, checked
from memory.embedding import Embedded
from memory.folds import plan as fold_plan
from memory.folds.plan import Planned, planned
from memory.given.lately import Loss
from memory.guard import Guarded, Watch, watched
from memory.models import Commit, Entry, Kind, Link, LinkType, Origin
from memory.people_first import PERSON
from memory.regime.to_embed import to_embed
from memory.remember import new_entry
from memory.store import Write

log = logging.getLogger(__name__)
#: A source that is no longer as the plan saw it.
MOVED = "moved"


@dataclass(frozen=True)
class Done:
    """A fold that was written. `id`: who speaks now; the new entry, or of an absorption the speaker."""

    id: int
    fold: Fold


@dataclass(frozen=True)
class Applied:
    """`commit` None: nothing was written. `dropped`: folds of the plan that were not, with the gate that refused them.

    `moved`: the entries that somebody changed meanwhile. `losses`: questions that would be given less, for which
    nothing was written. `guarded`: what was asked before and after it, and how much was not.
    """

    done: tuple[Done, ...] = ()
    dropped: tuple[Fold, ...] = ()
    commit: Commit | None = None
    moved: tuple[int, ...] = ()
    losses: tuple[Loss, ...] = ()
    indexed: bool = True
    guarded: Guarded = field(default_factory=Guarded)


@dataclass(frozen=True)
class _Drafted:
    """The folds that could be written, each with the draft of its line, or none where nothing is composed."""

    folds: tuple[tuple[Fold, Draft | None], ...]
    dropped: tuple[Fold, ...]
    found: Mapping[int, Embedded] = field(default_factory=dict)
    regime: str = ""


def apply(
    owner: Account,
    plan: Planned | None = None,
    *,
    subjects: Collection[str] | None = None,
    actor: str,
    cause: str,
    door: Door | None = None,
    guard: bool = True,
) -> Applied:
    """Write the folds of the plan that no gate refused, in one commit, all of them or none.

    Without a plan one is made. `subjects`: only these of it; raises UnknownError for one that is not accepted. A
    subject of which an entry was edited, pinned, put away or folded meanwhile is dropped, and the others are written.
    `guard`: golden questions and those of late are asked before and after; where one would be given less, nothing is
    written.

    Raises EmbeddingError where EMBEDDING_OUTAGE=refuse; then nothing was written.
    """
    plan = plan or planned(owner, job=actor != PERSON)
    chosen = _chosen(plan, subjects)
    if not chosen:
        return Applied()
    drafted = _drafted(chosen, actor, door)
    return _written(owner, plan, drafted, watched(owner) if guard else Watch(owner), actor=actor, cause=cause)


def _chosen(plan: Planned, subjects: Collection[str] | None) -> tuple[Fold, ...]:
    accepted = {fold.subject: fold for fold in plan.plan.accepted}
    if subjects is None:
        return tuple(accepted.values())
    if missing := [name for name in subjects if name not in accepted]:
        raise UnknownError(
            _("No fold of “%(subject)s” is proposed. Look at the preview.") % {"subject": missing[0][:80]}
        )
    return tuple(accepted[name] for name in dict.fromkeys(subjects))


def _drafted(folds: Sequence[Fold], actor: str, door: Door | None) -> _Drafted:
    """All that takes its time: no transaction is open meanwhile."""
    ready: list[tuple[Fold, Draft | None]] = []
    dropped: list[Fold] = []
    for fold in folds:
        try:
            ready.append((fold, _draft(fold, actor) if fold.line else None))
        except ForgeError as error:
            log.warning("fold subject=%s refused: %s", fold.subject, error.message)
            dropped.append(replace(fold, refused=STORE, folds=()))
    lines = [(place, draft.text) for place, (_fold, draft) in enumerate(ready) if draft is not None]
    vectors = to_embed(door or embedding.served(), [text for _place, text in lines])
    found = dict(zip((place for place, _text in lines), vectors.found, strict=True))
    return _Drafted(tuple(ready), tuple(dropped), found, vectors.regime)


def _draft(fold: Fold, actor: str) -> Draft:
    origin = Origin.PERSON if actor == PERSON else Origin.COMPACTION
    return checked(Draft(fold.line, kind=Kind.FACT, project=fold.project, origin=origin))[0]


def _written(owner: Account, plan: Planned, drafted: _Drafted, watch: Watch, *, actor: str, cause: str) -> Applied:
    with keys.transaction():
        rows = _rows(owner, [fold for fold, _draft in drafted.folds])
        moved = _moved(owner, plan, rows, [fold for fold, _draft in drafted.folds])
        write, done, dropped = Write(regime=drafted.regime), [], list(drafted.dropped)
        for place, (fold, draft) in enumerate(drafted.folds):
            if not moved.isdisjoint(_named(fold)):
                dropped.append(replace(fold, refused=MOVED, folds=()))
                continue
            speaker = _speaker(owner, write, rows, fold, draft, drafted.found.get(place))
            write.linked += [Link(type=LinkType.SPEAKS_FOR, entry=speaker, other=rows[pk]) for pk in fold.folds]
            done.append((speaker, fold))
        made = store.commit(owner, write, actor=actor, cause=cause)
        guarded = watch.after() if made else Guarded()
        if guarded.losses:
            transaction.set_rollback(True)
            return _refused([fold for _speaker, fold in done], dropped, guarded, tuple(sorted(moved)))
    waiting = any(found.waiting for _entry, found in write.new)
    written = tuple(Done(speaker.pk, fold) for speaker, fold in done)
    return Applied(written, tuple(dropped), made, tuple(sorted(moved)), indexed=not waiting, guarded=guarded)


def _speaker(
    owner: Account, write: Write, rows: Mapping[int, Entry], fold: Fold, draft: Draft | None, found: Embedded | None
) -> Entry:
    if draft is None or found is None:
        assert fold.into is not None  # a fold without a line is an absorption
        return rows[fold.into]
    entry = new_entry(owner, draft)
    write.new.append((entry, found))
    return entry


def _rows(owner: Account, folds: Sequence[Fold]) -> dict[int, Entry]:
    ids = sorted({pk for fold in folds for pk in _named(fold)})
    live = Entry.objects.of(owner).live().deliberate()
    return {entry.pk: entry for some in keys.batched(ids) for entry in live.filter(pk__in=some)}


def _moved(owner: Account, plan: Planned, rows: Mapping[int, Entry], folds: Sequence[Fold]) -> set[int]:
    """Of the entries that the folds name, those that are not what the plan was made of, or not live any more."""
    now: dict[int, Source] = {each.id: each for each in fold_plan.sources_of(owner, rows.values())}
    return {pk for fold in folds for pk in _named(fold) if pk not in now or now[pk] != plan.sources.get(pk)}


def _named(fold: Fold) -> tuple[int, ...]:
    return fold.folds if fold.into is None else (*fold.folds, fold.into)


def _refused(folds: Sequence[Fold], dropped: Sequence[Fold], found: Guarded, moved: tuple[int, ...]) -> Applied:
    log.warning("fold refused: %d questions would be given less", len(found.losses))
    refused = (replace(fold, refused=QUESTIONS, folds=()) for fold in folds)
    return Applied((), (*dropped, *refused), None, moved, found.losses, guarded=found)
