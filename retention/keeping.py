"""What becomes of a verdict: a proposal that waits for a person, or a dismissed one that is kept for calibration."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from forgesite.models import Account
from forgesite.owned import owner_id
from memory.models import Entry, Kind
from retention.domain.items import KEEP, Row, Verdict
from retention.models import Action, Form, Pass, Proposal, Status

Thresholds = Mapping[str, float]
#: Proposals that are read, and ids that one statement takes.
AT_ONCE = 500


@dataclass(frozen=True)
class Planned:
    """`why_not`: why nothing is proposed, in a word; empty where it is."""

    verdict: Verdict
    why_not: str

    @property
    def proposes(self) -> bool:
        return not self.why_not


@dataclass(frozen=True)
class Kept:
    """`moved`: verdicts on what is not any more as it was judged, or was judged meanwhile. They are not stored."""

    proposed: int
    dismissed: int
    moved: int


def planned(verdicts: Sequence[Verdict], thresholds: Thresholds, taken: set[tuple[int, str]]) -> list[Planned]:
    """One proposal an entry and action: of several the likeliest. `taken`: those that there is one of; more come in."""
    found = []
    for verdict in sorted(verdicts, key=lambda one: -one.probability):
        one = (verdict.item.entry.id, verdict.action)
        why = _why_not(verdict, thresholds) or ("open" if one in taken else "")
        if not why:
            taken.add(one)
        found.append(Planned(verdict, why))
    return found


def _why_not(verdict: Verdict, thresholds: Thresholds) -> str:
    if verdict.action == KEEP:
        return "keep"
    if verdict.action not in thresholds:
        return "unmeasured"
    if verdict.probability < thresholds[verdict.action]:
        return "unsure"
    if any(row.kind == Kind.EVENT for row in (verdict.item.entry, *verdict.item.newer)):
        return "event"
    return "pinned" if verdict.action == Action.ARCHIVE and verdict.item.entry.pinned else ""


def open_ones(owner: Account, verdicts: Sequence[Verdict]) -> set[tuple[int, str]]:
    """Entry and action of every proposal on their entries that waits for a person, and is not out of date."""
    some = _waiting(owner).filter(memory__in={verdict.item.entry.id for verdict in verdicts})
    return {(one.memory_id, one.action) for one in some if one.memory_id is not None and is_as_seen(one)}


def keep(owner: Account, made_by: Pass, verdicts: Sequence[Verdict], judge: str, thresholds: Thresholds) -> Kept:
    """Store them in one transaction: nobody else writes between what is looked at here and what is stored."""
    with transaction.atomic():
        still = [verdict for verdict in verdicts if _as_judged(owner, verdict) and not _known(owner, verdict)]
        withdraw_outdated(owner, {verdict.item.entry.id for verdict in still})
        plan = planned(still, thresholds, open_ones(owner, still))
        # The newest come first where they are shown, and of these the likeliest should.
        rows = [_proposal(owner, made_by, one, judge) for one in reversed(plan)]
        Proposal.objects.bulk_create(rows)
    proposed = sum(one.proposes for one in plan)
    return Kept(proposed, len(plan) - proposed, len(verdicts) - len(plan))


def _as_judged(owner: Account, verdict: Verdict) -> bool:
    """Are all the entries that the judge saw live, and of the version that it saw?"""
    rows = (verdict.item.entry, *verdict.item.newer)
    found = (
        Entry.objects.of(owner).live().filter(pk__in=[row.id for row in rows]).values_list("pk", "version", "digest")
    )
    return set(found) == {(row.id, row.version, row.digest) for row in rows}


def _known(owner: Account, verdict: Verdict) -> bool:
    """Did another pass judge the same meanwhile?"""
    item = verdict.item
    since = max(row.fresh_at for row in (item.entry, *(item.newer if item.pair else ())))
    same = Proposal.objects.of(owner).filter(form=_form(verdict), created_at__gte=since)
    if not item.pair:
        return same.filter(memory=item.entry.id).exists()
    ends = (item.entry.id, item.newer[0].id)
    return same.filter(Q(memory=ends[0], related=ends[1]) | Q(memory=ends[1], related=ends[0])).exists()


def _named(verdict: Verdict) -> list[Row]:
    return [row for row in (verdict.item.entry, verdict.related) if row is not None]


def _form(verdict: Verdict) -> Form:
    return Form.PAIR if verdict.item.pair else Form.SINGLE


def _proposal(owner: Account, made_by: Pass, plan: Planned, judge: str) -> Proposal:
    verdict, related = plan.verdict, plan.verdict.related
    return Proposal(
        owner_id=owner_id(owner),
        memory_id=verdict.item.entry.id,
        related_id=related.id if related else None,
        form=_form(verdict),
        action=verdict.action,
        probability=verdict.probability,
        probabilities=dict(_probabilities(verdict)),
        model=judge,
        status=Status.PROPOSED if plan.proposes else Status.DISMISSED,
        reason=verdict.reason[:300],
        seen=seen(verdict),
        made_by=made_by,
        created_at=timezone.now(),
    )


def _probabilities(verdict: Verdict) -> Iterator[tuple[str, float]]:
    """By option; a newer entry by its number, since the judge's own name for it means nothing later."""
    for option, probability in verdict.probabilities.items():
        head, colon, ref = option.partition(":")
        place = int(ref.rpartition("n")[2]) if colon else -1
        yield (f"{head}:{verdict.item.newer[place].id}" if colon else option), round(probability, 4)


def seen(verdict: Verdict) -> dict[str, Any]:
    return {str(row.id): [row.version, row.digest] for row in _named(verdict)}


def withdraw_outdated(owner: Account, entries: Collection[int] | None = None) -> int:
    """Proposals on what is no more as it was judged: edited, put away, replaced. They may be judged anew. How many.

    `entries`: only those on these.
    """
    some = _waiting(owner) if entries is None else _waiting(owner).filter(memory__in=entries)
    gone = [proposal.pk for proposal in some.iterator(chunk_size=AT_ONCE) if not is_as_seen(proposal)]
    return sum(
        Proposal.objects.filter(pk__in=gone[start : start + AT_ONCE], status=Status.PROPOSED).update(
            status=Status.DISMISSED, decided_at=timezone.now()
        )
        for start in range(0, len(gone), AT_ONCE)
    )


def _waiting(owner: Account) -> QuerySet[Proposal]:
    """With their entries, without the words of these."""
    waiting = Proposal.objects.of(owner).filter(status=Status.PROPOSED, memory__isnull=False)
    return waiting.select_related("memory", "related").defer("memory__text", "related__text")


def is_as_seen(proposal: Proposal) -> bool:
    """Is every entry of it live, and what was judged, and did nobody say since that it is still true?"""
    ends = [entry for entry in (proposal.memory, proposal.related) if entry is not None]
    return all(entry.is_live and _unmoved(entry, proposal) for entry in ends)


def _unmoved(entry: Entry, proposal: Proposal) -> bool:
    confirmed = entry.last_reviewed_at
    same = proposal.seen.get(str(entry.pk)) == [entry.version, entry.digest]
    return same and (confirmed is None or confirmed <= proposal.created_at)
