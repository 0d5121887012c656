"""The API's door to the proof of an answer: what its run was given, and why it was not given something else."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from ninja import Query, Router, Schema
from pydantic import Field

from chat import why_not as asking
from forgesite.auth import Request
from forgesite.schemas import LARGEST_ID, QueryIn, answers
from memory.domain.receipt import address_of
from memory.models import Receipt

router = Router(tags=["traces"])
#: Characters of a text that an entry is looked for by.
LONGEST = 10_000


class ReceiptPart(Schema):
    """It shows what was given, and not what the answer made of it."""

    address: str = Field(description="SHA-256 of `body` as canonical JSON: compact, sorted keys, UTF-8 not escaped.")
    number: int = Field(description="Its place in the chain of your receipts.")
    parent: str = Field(description="The address of the receipt before it; empty for the first.")
    at: datetime
    run_id: str
    tick: int = Field(description="Of your last commit when it was sealed; 0 before there is one.")
    head: str = Field(description="The address of that commit.")
    intact: bool = Field(description="`body` makes `address`. `POST /verify` proves more.")
    body: dict[str, Any] = Field(
        description=(
            "What is hashed: `recalls`, each with its policy, budgets, candidates of each channel, cutoff, the rows "
            "`given` (entry, version, digest of its words, channel, distance, score, rank) and those `left_out` with "
            "the rule; `read`, `block` and `prompt`. No word of a question or an entry is in it."
        )
    )
    questions: list[Any] = Field(description="What each recall asked, in words; empty where they are erased.")


class ReceiptOut(ReceiptPart):
    earlier: list[ReceiptPart] = Field(
        description="What was given before the run wrote to memory: sealed first, and named by the commit."
    )


class WhyNotOut(Schema):
    stage: str = Field(
        description=(
            "How far it came: `never_stored`, `refused`, `forgotten`, `stored_later`, `retracted`, `archived`, "
            "`superseded`, `filtered`, `no_channel`, `cutoff`, `budget`, `skipped`, `hot_block` or `given`."
        )
    )
    rule: str = Field(description="What decided, by its code.")
    words: str = Field(description="The stage in words.")
    detail: str
    remedy: str = Field(description="What you can do about it.")
    entry: int | None = Field(description="The entry that it is about; null for a text that no entry says.")
    same: bool = Field(description="The entry says the text; false: it is the one closest to it.")
    distance: float | None
    cutoff: float | None
    rank: int | None
    by: float | None = Field(description="How far past the rule it was: in distance, or in rows.")
    superseded_by: int | None
    refusal: int | None = Field(description="POST /memory/refused/{refusal}/save saves it anyway.")
    receipt: str | None


class WhyNotQuery(QueryIn):
    entry: Annotated[int, Field(ge=1, le=LARGEST_ID)] | None = Field(None, description="An entry's id.")
    q: Annotated[str, Field(max_length=LONGEST)] = Field("", description="Or a text: what an entry would have said.")


@router.get("/traces/{run_id}/receipt", response=answers(ReceiptOut, 404), summary="What an answer was given")
def receipt(request: Request, run_id: str) -> ReceiptOut:
    """The last receipt of one run of yours. 404 `no_receipt`: it asked nothing of memory."""
    *earlier, last = asking.receipts(request.auth, run_id)
    return ReceiptOut(**part_of(last).model_dump(), earlier=[part_of(each) for each in earlier])


@router.get("/traces/{run_id}/why-not", response=answers(WhyNotOut, 400, 404), summary="Why it was not given something")
def why_not(request: Request, run_id: str, query: Query[WhyNotQuery]) -> WhyNotOut:
    """As of the run, whatever was written since. Name an entry, or a text that one would say."""
    found = asking.why_not(request.auth, run_id, entry=query.entry, q=query.q)
    return WhyNotOut.model_validate(found, from_attributes=True)


def part_of(found: Receipt) -> ReceiptPart:
    return ReceiptPart(
        address=found.address,
        number=found.number,
        parent=found.parent,
        at=found.at,
        run_id=found.run_id,
        tick=found.tick,
        head=found.head,
        intact=address_of(found.body) == found.address,
        body=found.body,
        questions=found.questions,
    )
