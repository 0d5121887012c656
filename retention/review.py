"""A person's side of the pass: look at what it proposes, say yes or no, and take that back.

A yes is applied once, by memory's own verbs and as the person's act; the commit that it makes is kept with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.db import IntegrityError, transaction
from django.db.models import Count, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.errors import ConflictError, ForgeError, InvalidError
from forgesite.models import Account
from forgesite.owned import owner_id
from memory.commits import commits
from memory.errors import EventError, NotLiveError
from memory.models import Entry, GoldenEntry, Kind, LinkType, ReceiptEntry
from memory.move import archive
from memory.people_first import PERSON
from memory.relate import relate
from memory.undo import undo as undo_commit
from retention.errors import AlreadyDecidedError, OutdatedError
from retention.extraction import saved
from retention.models import Action, Proposal, Resolution, Status

#: What a yes may be settled by: the first where nothing else is said.
SETTLED: dict[str, tuple[str, ...]] = {
    Action.ARCHIVE: (Resolution.ARCHIVE_OLDER,),
    Action.SUPERSEDE: (Resolution.SUPERSEDE,),
    Action.CONFLICT: (Resolution.NONE, Resolution.ARCHIVE_OLDER, Resolution.SUPERSEDE, Resolution.KEEP_BOTH),
}


@dataclass(frozen=True)
class Uses:
    """How many answers were given an entry, and the golden questions that it is right for."""

    receipts: int = 0
    golden: tuple[str, ...] = ()


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


def accept(owner: Account, pk: int, *, resolution: str = "", text: str = "", kind: str = "") -> Proposal:
    """Do what is proposed; of a conflict what `resolution` says, with `none` the two are marked as in conflict.

    Of a new entry `text` and `kind` are as the person would have them; empty as they are proposed.

    Raises UnknownError; AlreadyDecidedError; InvalidError for a resolution that the proposal has not; NotLiveError,
    OutdatedError or EventError where an entry of it is put away, was changed since, or is an event; and what memory
    refuses. Then nothing changed.
    """
    if proposal_of(owner, pk).action == Action.NEW:
        return _save_new(owner, pk, text, kind)
    with transaction.atomic():
        proposal = proposal_of(owner, pk)
        refuse_decided(proposal)
        chosen = _resolution(proposal, resolution)
        _refuse_moved(proposal)
        _decide(proposal, Status.APPLIED, chosen)
        if act := _ACTS.get(chosen):
            act(owner, proposal, f"proposal {proposal.pk}")
            proposal.commit = commits(owner, limit=1)[0].address
            proposal.save(update_fields=["commit"])
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


def reject(owner: Account, pk: int) -> Proposal:
    """It is not proposed again before the entry moves. Raises UnknownError, AlreadyDecidedError."""
    with transaction.atomic():
        proposal = proposal_of(owner, pk)
        refuse_decided(proposal)
        _decide(proposal, Status.REJECTED, "")
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
        if proposal.commit:
            undo_commit(owner, proposal.commit, actor=PERSON, cause=f"proposal {pk} taken back")
        proposal = proposal_of(owner, pk)
        _wait_again(proposal)
    return proposal


def decide_many(owner: Account, ids: Sequence[int], decide: Callable[[Account, int], Proposal]) -> Settled:
    """One by one: what cannot be decided keeps no other from it."""
    settled = Settled()
    for pk in ids:
        try:
            settled.done.append(decide(owner, pk))
        except ForgeError as error:
            settled.refused[pk] = error.message
    return settled


def uses(owner: Account, some: Sequence[Proposal]) -> dict[int, Uses]:
    """By entry, of those that would change. Two queries for all of them."""
    ids = {proposal.memory_id for proposal in some if proposal.memory_id}
    given = ReceiptEntry.objects.filter(entry__in=ids, receipt__owner=owner_id(owner)).values_list("entry")
    receipts = dict(given.annotate(times=Count("receipt", distinct=True)).order_by())
    golden: dict[int, list[str]] = {}
    right = GoldenEntry.objects.filter(entry__in=ids, question__owner=owner_id(owner)).select_related("question")
    for row in right.order_by("question_id"):
        golden.setdefault(row.entry_id, []).append(row.question.text)
    return {pk: Uses(receipts.get(pk, 0), tuple(golden.get(pk, ()))) for pk in ids}


def refuse_decided(proposal: Proposal) -> None:
    if proposal.status != Status.PROPOSED:
        raise AlreadyDecidedError(
            _("Proposal #%(id)d is decided already: %(status)s.")
            % {"id": proposal.pk, "status": proposal.get_status_display()},
            detail={"status": proposal.status, "resolution": proposal.resolution},
        )


def _resolution(proposal: Proposal, named: str) -> str:
    """A bare yes to what is no conflict does what is proposed, whether it is named or `none`."""
    allowed = SETTLED[proposal.action]
    if not named or (named == Resolution.NONE and proposal.action != Action.CONFLICT):
        return allowed[0]
    if named not in allowed:
        raise InvalidError(
            _("Proposal #%(id)d cannot be settled by “%(named)s”, but by: %(allowed)s.")
            % {"id": proposal.pk, "named": named[:40], "allowed": ", ".join(allowed)}
        )
    return named


def _refuse_moved(proposal: Proposal) -> None:
    for entry in (proposal.memory, proposal.related):
        if entry is None:
            continue
        if entry.kind == Kind.EVENT:
            raise EventError(_("Entry #%(id)d is an event: what happened stays.") % {"id": entry.pk})
        if not entry.is_live:
            raise NotLiveError(
                _("Entry #%(id)d is no longer live. Reject the proposal, or restore the entry first.")
                % {"id": entry.pk}
            )
        if proposal.seen.get(str(entry.pk)) != [entry.version, entry.digest]:
            told = _(
                "Entry #%(id)d was changed since it was judged. Reject it; the next pass looks at the entry again."
            )
            raise OutdatedError(told % {"id": entry.pk}, detail={"id": entry.pk, "version": entry.version})


def _decide(proposal: Proposal, status: str, resolution: str) -> None:
    waiting = Proposal.objects.filter(pk=proposal.pk, status=Status.PROPOSED)
    now = timezone.now()
    if waiting.update(status=status, resolution=resolution, decided_at=now) != 1:
        refuse_decided(Proposal.objects.get(pk=proposal.pk))
    proposal.status, proposal.resolution, proposal.decided_at = status, resolution, now


def _wait_again(proposal: Proposal) -> None:
    """What is back as it was judged is what was judged, though by another version."""
    proposal.status, proposal.resolution, proposal.decided_at, proposal.commit = Status.PROPOSED, "", None, ""
    for entry in (proposal.memory, proposal.related):
        if entry is not None and proposal.seen.get(str(entry.pk), [0, ""])[1] == entry.digest:
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
