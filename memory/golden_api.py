"""The API's door to golden questions: questions that must go on finding their right entries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ninja import Query, Router, Schema
from pydantic import Field

from forgesite.auth import Request
from forgesite.schemas import LARGEST_ID, MIB, In, QueryIn, answers, within
from forgesite.throttle import counted
from memory import golden
from memory.api import entry_named
from memory.domain.golden import Change, Comparison, Replay
from memory.models import GoldenQuestion
from memory.schemas import Ref

router = Router(tags=["memory"])
#: The longest question, in bytes.
LONGEST = MIB // 4


class GoldenIn(In):
    question: str
    entries: list[Ref] = Field(description="Its right entries: ids or addresses.", min_length=1, max_length=64)
    run_id: str = Field("", max_length=32, description="The run whose answer leaned on them.")


class ReplayIn(In):
    top_k: int = Field(golden.TOP_K, ge=1, le=50)


class GoldenQuery(QueryIn):
    limit: int = Field(50, ge=1, le=500)
    offset: int = Field(0, ge=0, le=LARGEST_ID)


class RightOut(Schema):
    id: int
    current: int = Field(description="The entry that stands for it now; the same id where none does.")
    rank: int | None = Field(description="Where the last replay found it; null: not among the rows.")


class ResultOut(Schema):
    at: datetime
    top_k: int
    given: int = Field(description="How many of the first rows a turn is given.")
    reached: int = Field(description="How many of the right entries are among the rows.")
    degraded: str = Field(description="Why only words were searched: no_embedder, no_extension, embedding; or empty.")


class GoldenOut(Schema):
    id: int
    question: str
    run_id: str
    created_at: datetime
    entries: list[RightOut] = Field(description="Empty: all of its right entries are forgotten.")
    last_result: ResultOut | None


class ChangeOut(Schema):
    id: int
    question: str
    lost: list[int] = Field(description="Right entries that a turn is no longer given, or that no row holds any more.")
    gained: list[int]


class ReplayOut(Schema):
    """Against the results before. `unlike`: asked once with vectors and once without; the two say nothing."""

    questions: int
    reached: int = Field(description="Questions that found one of their right entries.")
    worse: list[ChangeOut]
    better: list[ChangeOut]
    unlike: list[int]


class UnstarredOut(Schema):
    ok: bool
    id: int


@router.get("/golden", response=answers(list[GoldenOut]), summary="Golden questions")
def listed(request: Request, query: Query[GoldenQuery]) -> list[GoldenOut]:
    """Newest first, each with its right entries and what the last replay found."""
    rows = golden.golden_questions(request.auth)[query.offset : query.offset + query.limit]
    return [golden_out(row) for row in rows]


@router.post("/golden", response=answers(GoldenOut, 400, 404, 413, 429), throttle=counted, summary="Star a question")
def star(request: Request, body: GoldenIn) -> GoldenOut:
    """The question with its right entries, asked at once. The same words again: the entries are added to it.

    400 `empty`: a blank question. 404: an entry that is not there.
    """
    text = within(body.question, LONGEST, "question")
    entries = [entry_named(request, str(ref)).pk for ref in body.entries]
    return golden_out(golden.star(request.auth, text, entries, run_id=body.run_id))


# Before the route with an id, which would take the word for one.
@router.post("/golden/replay", response=answers(ReplayOut, 429), throttle=counted, summary="Ask them again")
def replay(request: Request, body: ReplayIn) -> ReplayOut:
    """Asks every golden question as a turn would, keeps what it found, and says what became worse or better since."""
    before = golden.kept(request.auth)
    after = golden.replayed(request.auth, top_k=body.top_k)
    return replay_out(after, golden.compare(before, after))


@router.delete("/golden/{question_id}", response=answers(UnstarredOut, 404), summary="Take a star away")
def unstar(request: Request, question_id: int) -> UnstarredOut:
    """The question goes; its entries stay."""
    golden.unstar(request.auth, max(0, min(question_id, LARGEST_ID)))
    return UnstarredOut(ok=True, id=question_id)


def replay_out(after: Replay, compared: Comparison) -> ReplayOut:
    return ReplayOut(
        questions=len(after.questions),
        reached=sum(asked.reached > 0 for asked in after.questions),
        worse=changes_out(compared.worse),
        better=changes_out(compared.better),
        unlike=[change.id for change in compared.unlike],
    )


def changes_out(changes: Sequence[Change]) -> list[ChangeOut]:
    return [ChangeOut(id=one.id, question=one.text, lost=list(one.lost), gained=list(one.gained)) for one in changes]


def golden_out(row: GoldenQuestion) -> GoldenOut:
    kept = row.last_result
    found = {right["entry"]: right for right in kept["right"]} if kept else {}
    return GoldenOut(
        id=row.pk,
        question=row.text,
        run_id=row.run_id,
        created_at=row.created_at,
        entries=[_right(right.entry_id, found.get(right.entry_id)) for right in row.right.all()],
        last_result=ResultOut(**{name: kept[name] for name in ResultOut.model_fields}) if kept else None,
    )


def _right(entry: int, found: dict[str, int | None] | None) -> RightOut:
    return RightOut(id=entry, current=(found and found["stands"]) or entry, rank=found["rank"] if found else None)
