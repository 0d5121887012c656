"""A person's side of the pass: look at what it proposes, say yes or no, and take that back.

A yes is applied once, by memory's own verbs and as the person's act; the commit that it makes is kept with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.errors import ConflictError, ForgeError, InvalidError, UnknownError
from forgesite.models import Account
from memory.commits import commits
from memory.errors import EventError, NotLiveError
from memory.models import Entry, Kind, LinkType
from memory.move import archive
from memory.people_first import PERSON
from memory.relate import relate
from memory.revise import Changes, revise
from memory.undo import undo as undo_commit
from retention.carrying import carry, made_by
from retention.errors import AlreadyDecidedError, OutdatedError
from retention.extraction import saved
from retention.models import Action, Proposal, Resolution, Status

#: What a yes may be settled by: the first where nothing else is said.
SETTLED: dict[str, tuple[str, ...]] = {
    Action.ARCHIVE: (Resolution.ARCHIVE_OLDER,),
    Action.SUPERSEDE: (Resolution.SUPERSEDE,),
    Action.CONFLICT: (Resolution.NONE, Resolution.ARCHIVE_OLDER, Resolution.SUPERSEDE, Resolution.KEEP_BOTH),
}
#: What a no may say besides. That both of a conflict are true is a yes to it: what was found was one.
DECLINED: dict[str, tuple[str, ...]] = {Action.SUPERSEDE: (Resolution.NONE, Resolution.KEEP_BOTH)}
#: Of an entry's id the version that a person read.
Seen = Mapping[int, int]


@dataclass
class Settled:
    """What came of several: those decided, and of each other one why not, in a sentence."""

    done: list[Proposal] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)


def proposals(owner: Account, *, status: str = Status.PROPOSED) -> QuerySet[Proposal]:
    """Newest first, of one batch the likeliest; with their entries at hand."""
    return Proposal.objects.of(owner).filter(status=status).select_related("memory", "related").order_by("-id")


def waiting(owner: Account) -> int:
    """How many nobody has decided on."""
    return Proposal.objects.of(owner).filter(status=Status.PROPOSED).count()


def proposal_of(owner: Account, pk: int) -> Proposal:
    """Raises UnknownError, also for another's."""
    Proposal.objects.one_of(owner, pk=pk)
    return Proposal.objects.of(owner).select_related("memory", "related").get(pk=pk)


def accept(
    owner: Account, pk: int, *, resolution: str = "", text: str = "", kind: str = "", seen: Seen | None = None
) -> Proposal:
    """Do what is proposed; of a conflict what `resolution` says, with `none` the two are marked as in conflict.

    Of a new entry `text` and `kind` are as the person would have them; empty as they are proposed. `seen`: the versions
    that the person decides on, where they read the entries; without it those that were judged must stand there still.

    Raises UnknownError; AlreadyDecidedError; InvalidError for a resolution that the proposal has not; NotLiveError,
    OutdatedError or EventError where an entry of it is put away, was changed since, or is an event; and what memory
    refuses. Then nothing changed.
    """
    if proposal_of(owner, pk).action == Action.NEW:
        return _save_new(owner, pk, text, kind)
    with transaction.atomic():
        proposal = proposal_of(owner, pk)
        refuse_decided(proposal)
        chosen = _resolution(proposal, resolution, SETTLED[proposal.action])
        refuse_gone(proposal)
        _refuse_changed(proposal, seen)
        _decide(proposal, Status.APPLIED, chosen)
        if act := _ACTS.get(chosen):
            act(owner, proposal, cause_of(proposal.pk))
            proposal.commit = commits(owner, limit=1)[0].address
            proposal.save(update_fields=["commit"])
        if chosen == Resolution.SUPERSEDE:
            carry(owner, _memory(proposal).pk, _related(proposal).pk, cause=cause_of(proposal.pk))
    return proposal_of(owner, pk)


def _save_new(owner: Account, pk: int, text: str, kind: str) -> Proposal:
    """Saved first, since the embedder is asked for it outside of any transaction. A process that is killed in between
    leaves a proposal that waits; a second yes then confirms the entry that is there."""
    proposal = proposal_of(owner, pk)
    refuse_decided(proposal)
    commit = saved(proposal, PERSON, text=text, kind=kind).commit
    _decide(proposal, Status.APPLIED, "")
    proposal.commit = commit
    proposal.save(update_fields=["commit"])
    return proposal_of(owner, pk)


def reject(owner: Account, pk: int, *, resolution: str = "") -> Proposal:
    """It is not proposed again before the entry moves. `keep_both` says why: neither replaces the other.

    Raises UnknownError, AlreadyDecidedError, and InvalidError for a resolution that a no to it has not.
    """
    with transaction.atomic():
        proposal = proposal_of(owner, pk)
        refuse_decided(proposal)
        said = _resolution(proposal, resolution, DECLINED.get(proposal.action, (Resolution.NONE,)))
        _decide(proposal, Status.REJECTED, "" if said == Resolution.NONE else said)
    return proposal_of(owner, pk)


def take_back(owner: Account, pk: int) -> Proposal:
    """Undo a decision: it waits again, and what a yes changed is as it was before.

    Raises UnknownError; ConflictError where it waits already, or another one of its kind does; and what undoing the
    commit raises. Then nothing changed.
    """
    proposal = proposal_of(owner, pk)
    if proposal.status not in (Status.APPLIED, Status.REJECTED):
        raise ConflictError(_("Nobody has decided on proposal #%(id)d.") % {"id": pk})
    with transaction.atomic():
        for address in made_by(owner, proposal.commit, cause=cause_of(pk)):
            undo_commit(owner, address, actor=PERSON, cause=f"proposal {pk} taken back")
        proposal = proposal_of(owner, pk)
        _wait_again(proposal)
    return proposal


def edited(owner: Account, pk: int, entry_id: int, *, text: str, version: int) -> Entry:
    """Other words for one of its entries, before a decision; a yes is then to what stands there.

    Raises UnknownError where the entry is none of its, AlreadyDecidedError, and what `revise` does.
    """
    proposal = proposal_of(owner, pk)
    refuse_decided(proposal)
    if entry_id not in versions(proposal):
        raise UnknownError(_("Proposal #%(id)d is not about entry #%(entry)d.") % {"id": pk, "entry": entry_id})
    cause = f"review of proposal {pk}"
    return revise(owner, entry_id, Changes(text=text), version=version, actor=PERSON, cause=cause)


def cause_of(pk: int) -> str:
    """What the commits of a yes say."""
    return f"proposal {pk}"


def decide_many(owner: Account, ids: Sequence[int], decide: Callable[[Account, int], Proposal]) -> Settled:
    """One by one: what cannot be decided keeps no other from it."""
    settled = Settled()
    for pk in ids:
        try:
            settled.done.append(decide(owner, pk))
        except ForgeError as error:
            settled.refused[pk] = error.message
    return settled


def refuse_decided(proposal: Proposal) -> None:
    if proposal.status != Status.PROPOSED:
        raise AlreadyDecidedError(
            _("Proposal #%(id)d is decided already: %(status)s.")
            % {"id": proposal.pk, "status": proposal.get_status_display()},
            detail={"status": proposal.status, "resolution": proposal.resolution},
        )


def _resolution(proposal: Proposal, named: str, allowed: Sequence[str]) -> str:
    """The first where none is named. A bare yes to what is no conflict does what is proposed, also if told `none`."""
    if not named or (named == Resolution.NONE and proposal.action != Action.CONFLICT):
        return allowed[0]
    if named not in allowed:
        raise InvalidError(
            _("Proposal #%(id)d cannot be settled by “%(named)s”, but by: %(allowed)s.")
            % {"id": proposal.pk, "named": named[:40], "allowed": ", ".join(allowed)}
        )
    return named


def sides(proposal: Proposal) -> tuple[Entry, ...]:
    """The entry that would change and the other one, as far as it has them."""
    return tuple(entry for entry in (proposal.memory, proposal.related) if entry is not None)


def versions(proposal: Proposal) -> dict[int, int]:
    """Of its entries as they were read."""
    return {entry.pk: entry.version for entry in sides(proposal)}


def changed(proposal: Proposal) -> list[int]:
    """Its entries that are not as they were judged."""
    return [one.pk for one in sides(proposal) if proposal.seen.get(str(one.pk)) != [one.version, one.digest]]


def refuse_gone(proposal: Proposal) -> None:
    """Raises EventError or NotLiveError where it can be done no more, whoever says yes."""
    named = (proposal.memory_id, proposal.related_id)
    if len(sides(proposal)) < sum(pk is not None for pk in named):  # another program deleted the row
        raise NotLiveError(
            _("An entry of proposal #%(id)d is not in memory any more. Reject the proposal.") % {"id": proposal.pk}
        )
    for entry in sides(proposal):
        if entry.kind == Kind.EVENT:
            raise EventError(_("Entry #%(id)d is an event: what happened stays.") % {"id": entry.pk})
        if not entry.is_live:
            raise NotLiveError(
                _("Entry #%(id)d is no longer live. Reject the proposal, or restore the entry first.")
                % {"id": entry.pk}
            )


def is_as_judged(proposal: Proposal) -> bool:
    """Would a bare yes be done?"""
    try:
        refuse_gone(proposal)
    except ForgeError:
        return False
    return not changed(proposal)


def _refuse_changed(proposal: Proposal, seen: Seen | None) -> None:
    now, judged = versions(proposal), changed(proposal)
    for pk in [pk for pk in now if seen.get(pk) != now[pk]] if seen else judged:
        told = _("Entry #%(id)d was changed since it was judged. Reject it; the next pass looks at the entry again.")
        if seen:
            told = _("Entry #%(id)d was changed while you looked at it. Read it as it is now, and decide again.")
        raise OutdatedError(told % {"id": pk}, detail={"id": pk, "version": now[pk]})


def _decide(proposal: Proposal, status: str, resolution: str) -> None:
    waiting = Proposal.objects.filter(pk=proposal.pk, status=Status.PROPOSED)
    now = timezone.now()
    if waiting.update(status=status, resolution=resolution, decided_at=now) != 1:
        refuse_decided(Proposal.objects.get(pk=proposal.pk))
    proposal.status, proposal.resolution, proposal.decided_at = status, resolution, now


def _wait_again(proposal: Proposal) -> None:
    """What is back as it was judged is what was judged, though by another version."""
    proposal.status, proposal.resolution, proposal.decided_at, proposal.commit = Status.PROPOSED, "", None, ""
    for entry in sides(proposal):
        if proposal.seen.get(str(entry.pk), [0, ""])[1] == entry.digest:
            proposal.seen[str(entry.pk)] = [entry.version, entry.digest]
    try:
        with transaction.atomic():
            proposal.save(update_fields=["status", "resolution", "decided_at", "commit", "seen"])
    except IntegrityError:
        raise ConflictError(
            _("Another proposal for entry #%(id)d waits already: decide on that one.") % {"id": proposal.memory_id}
        ) from None


def _archive(owner: Account, proposal: Proposal, cause: str) -> None:
    archive(owner, _memory(proposal).pk, actor=PERSON, cause=cause)


def _supersede(owner: Account, proposal: Proposal, cause: str) -> None:
    relate(owner, _related(proposal).pk, LinkType.SUPERSEDES, _memory(proposal).pk, actor=PERSON, cause=cause)


def _mark(owner: Account, proposal: Proposal, cause: str) -> None:
    relate(owner, _related(proposal).pk, LinkType.CONFLICTS, _memory(proposal).pk, actor=PERSON, cause=cause)


def _memory(proposal: Proposal) -> Entry:
    assert proposal.memory is not None  # a constraint of the table
    return proposal.memory


def _related(proposal: Proposal) -> Entry:
    assert proposal.related is not None  # a constraint of the table
    return proposal.related


#: Of two that both stay the decision itself is all that is kept: it holds until one of them moves.
_ACTS: dict[str, Callable[[Account, Proposal, str], None]] = {
    Resolution.ARCHIVE_OLDER: _archive,
    Resolution.SUPERSEDE: _supersede,
    Resolution.NONE: _mark,
}
