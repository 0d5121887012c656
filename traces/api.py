"""The API's door to what runs did."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from ninja import Query, Router, Schema
from pydantic import Field

from forgesite.auth import Request
from forgesite.schemas import QueryIn, answers
from traces.records import newest, record, run_of

router = Router(tags=["traces"])


class StepOut(Schema):
    step: int
    tool: str
    preview: str
    ok: bool
    error: str | None
    duration_ms: int
    detail: dict[str, Any] = Field(description="What the tool gave; of a recall: the entries, with their distances.")


class LlmOut(Schema):
    calls: int
    ms: int
    first_ms: int | None = Field(None, description="Until the first words came.")
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    max_prompt_tokens: int | None = None
    models: list[str] = []


class TraceOut(Schema):
    """`ok`: the run did not crash. `not_answered`: why it gave no answer, or null. `not_indexable`: why its answer may
    not enter memory, or null. Three different questions.
    """

    run_id: str
    timestamp: datetime
    conversation: str
    user_input_preview: str
    steps: list[StepOut]
    final_tool: str
    ok: bool
    not_answered: str | None
    not_indexable: str | None
    degraded: str | None
    error: Any
    total_ms: int
    llm: LlmOut | None
    receipt: str | None


class TracesOut(Schema):
    traces: list[TraceOut]


class TracesQuery(QueryIn):
    n: Annotated[int, Field(ge=1, le=200)] = Field(10, description="How many runs.")


@router.get("/traces", response=answers(TracesOut), summary="The last runs")
def traces(request: Request, query: Query[TracesQuery]) -> TracesOut:
    """The last `n` runs, oldest first: steps, durations, and whether each answered."""
    found = [TraceOut.model_validate(record(run)) for run in newest(request.auth, query.n)]
    return TracesOut(traces=found)


@router.get("/traces/{run_id}", response=answers(TraceOut, 404), summary="One run")
def trace(request: Request, run_id: str) -> TraceOut:
    """The record of one run of yours."""
    return TraceOut.model_validate(record(run_of(request.auth, run_id)))
