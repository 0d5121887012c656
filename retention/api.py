"""The API's door to the forgetting pass: what it proposes, and what a person says to that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from ninja import Query, Router, Schema
from pydantic import Field

from forgesite.auth import Request
from forgesite.schemas import LARGEST_ID, MIB, In, QueryIn, answers, within
from forgesite.throttle import counted
from memory.models import Kind
from memory.schemas import EntryOut, KindIn, entry_out
from retention import forgetting_pass, review
from retention.models import Action, Proposal, Resolution, Status
from retention.uses import Uses, uses

router = Router(tags=["retention"])


class ProposalsQuery(QueryIn):
    status: Status = Status.PROPOSED
    limit: int = Field(25, ge=1, le=100)


class DecisionIn(In):
    resolution: Resolution | None = Field(
        None, description="How a conflict is settled. Without one, or by `none`, the two are marked as in conflict."
    )
    content: str = Field("", description="Of a new entry, the words as you would have them; empty: as proposed.")
    kind: KindIn | None = Field(None, description="Of a new entry; without one, as proposed.")


class RunIn(In):
    dry_run: bool = Field(True, description="Say what a pass would do. Nothing is written, and no model is asked.")


class ProposalFields(Schema):
    """What a proposal says by itself, without its entries."""

    id: int
    action: Action
    probability: float = Field(description="Of what is proposed; 0 of a new entry, which nobody weighed.")
    probabilities: dict[str, float] = Field(description="Of every option that the judge had; they add up to one.")
    model: str = Field(description="The judge. `rules-…` is arithmetic on words, and no model.")
    status: Status
    resolution: Resolution | Literal[""]
    reason: str = Field(description="The rule that spoke, in a word; empty of a model.")
    content: str = Field(description="The words of a new entry; empty of any other proposal.")
    kind: Kind | Literal[""]
    project: str
    conversation: str = Field(description="Where a new entry was said.")
    message: int | None
    created_at: datetime
    decided_at: datetime | None
    commit: str = Field(description="The commit that a yes made; undoing it undoes that.")


class ProposalOut(ProposalFields):
    memory: EntryOut | None = Field(description="The entry that would change: of two the older one.")
    related: EntryOut | None = Field(description="The other, newer one.")
    used_by_runs: int = Field(description="How many answers were given the entry, as their receipts say.")
    golden: list[str] = Field(description="Golden questions that it is a right entry of.")


class WaitingOut(Schema):
    count: int


class PassOut(Schema):
    candidates: int
    judged: int
    proposed: int
    dismissed: int = Field(description="Kept, or not sure enough.")
    left: int = Field(description="Candidates that the next pass looks at.")
    judge: str
    run_id: str = Field(description="Of its trace; empty of a dry run.")
    trouble: list[str] = Field(description="Why some of it was not judged.")


@router.get("/proposals", response=answers(list[ProposalOut]), summary="What the forgetting pass proposes")
def listed(request: Request, query: Query[ProposalsQuery]) -> list[ProposalOut]:
    """Newest first. `dismissed` are verdicts that nothing came of."""
    some = list(review.proposals(request.auth, status=query.status)[: query.limit])
    return proposals_out(request, some)


@router.get("/proposals/waiting", response=answers(WaitingOut), summary="How many proposals wait for you")
def waiting(request: Request) -> WaitingOut:
    """One query: the page's badge asks for it whenever somebody comes back to the page."""
    return WaitingOut(count=review.waiting(request.auth))


@router.post(
    "/proposals/{proposal_id}/accept",
    response=answers(ProposalOut, 400, 404, 409, 413, 422, 502),
    summary="Say yes to a proposal",
)
def accept(request: Request, proposal_id: int, body: DecisionIn | None = None) -> ProposalOut:
    """Applied once, as your own act, by one commit. 422: it cannot be settled that way.

    409: `already_decided`; `not_live`, `stale_version` or `event` where an entry of it was put away or changed since,
    or is an event.
    """
    chosen = body or DecisionIn.model_validate({})
    text = within(chosen.content, MIB, "content")
    resolution, kind = chosen.resolution or "", chosen.kind or ""
    done = review.accept(request.auth, _known(proposal_id), resolution=resolution, text=text, kind=kind)
    return proposals_out(request, [done])[0]


@router.post(
    "/proposals/{proposal_id}/reject",
    response=answers(ProposalOut, 404, 409, 422),
    summary="Say no to a proposal",
)
def reject(request: Request, proposal_id: int, body: DecisionIn | None = None) -> ProposalOut:
    """Final until the entry moves. 409 `already_decided`.

    `keep_both` says of one that should replace another why not: both are true. 422: any other resolution.
    """
    resolution = (body.resolution if body else None) or ""
    return proposals_out(request, [review.reject(request.auth, _known(proposal_id), resolution=resolution)])[0]


@router.post("/retention/run", response=answers(PassOut, 409, 429), throttle=counted, summary="Run the forgetting pass")
def run(request: Request, body: RunIn | None = None) -> PassOut:
    """Over your own memory. It proposes, and changes nothing. 409 `disabled`: FORGETTING_PASS_ENABLED is off."""
    dry = body.dry_run if body else True
    done = forgetting_pass.preview(request.auth) if dry else forgetting_pass.run(request.auth, seconds=LONGEST)
    return PassOut(**{name: getattr(done, name) for name in PassOut.model_fields})


#: Seconds after which a request begins no further batch of a model's.
LONGEST = 60.0


def proposals_out(request: Request, some: Sequence[Proposal]) -> list[ProposalOut]:
    used = uses(request.auth, some)
    return [_out(proposal, used.get(proposal.memory_id or 0, Uses())) for proposal in some]


def _out(proposal: Proposal, used: Uses) -> ProposalOut:
    return ProposalOut(
        **fields_of(proposal).model_dump(),
        memory=entry_out(proposal.memory) if proposal.memory else None,
        related=entry_out(proposal.related) if proposal.related else None,
        used_by_runs=used.receipts,
        golden=list(used.golden),
    )


def fields_of(proposal: Proposal) -> ProposalFields:
    return ProposalFields(
        id=proposal.pk,
        action=Action(proposal.action),
        probability=round(proposal.probability, 4),
        probabilities=proposal.probabilities,
        model=proposal.model,
        status=Status(proposal.status),
        resolution=Resolution(proposal.resolution) if proposal.resolution else "",
        reason=proposal.reason,
        content=proposal.text,
        kind=Kind(proposal.kind) if proposal.kind else "",
        project=proposal.project,
        conversation=proposal.conversation,
        message=proposal.message,
        created_at=proposal.created_at,
        decided_at=proposal.decided_at,
        commit=proposal.commit,
    )


def _known(proposal_id: int) -> int:
    return max(0, min(proposal_id, LARGEST_ID))
