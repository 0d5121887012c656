"""The API's door to the queue."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from ninja import Query, Router, Schema
from pydantic import Field

from forgesite.auth import Request
from forgesite.job_list import jobs_of
from forgesite.schemas import QueryIn, answers

router = Router(tags=["site"])


class JobOut(Schema):
    id: str
    name: str = Field(validation_alias="path", description="What runs, by its dotted name.")
    key: str = Field(description="Of jobs with one key only one waits at a time.")
    state: str = Field(description="waiting · running · again: it failed and is tried again · failed · done")
    tries: int
    at: datetime | None = Field(description="When it ended, or is tried next.")
    seconds: float | None
    error: str = Field(description="Empty unless it failed. Of a job over everybody's rows only its kind.")
    own: bool = Field(description="It is about your rows alone.")


class DueOut(Schema):
    name: str = Field(validation_alias="path")
    every: str = Field(description="I: minutes · D: daily · and so on, as django-q2 calls them.")
    minutes: int
    next_run: datetime | None
    ok: bool | None = Field(description="How its last run ended; null: not known.")


class WorkerOut(Schema):
    alive: bool


class JobsOut(Schema):
    worker: WorkerOut
    total: int
    jobs: list[JobOut]
    schedules: list[DueOut]
    hidden: int = Field(description="Jobs of other accounts, of which nothing is told.")
    more: bool = Field(description="There are so many that some were not looked at.")


class JobsIn(QueryIn):
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    offset: Annotated[int, Field(ge=0, le=100_000)] = 0


@router.get("/jobs", response=answers(JobsOut), summary="What the worker has to do")
def jobs(request: Request, asked: Query[JobsIn]) -> dict[str, Any]:
    """Your own jobs and, with the right to see the queue, those of the whole installation. No argument is told."""
    found = jobs_of(request.auth)
    return {
        "worker": {"alive": found.alive},
        "total": len(found.jobs),
        "jobs": found.jobs[asked.offset : asked.offset + asked.limit],
        "schedules": found.due,
        "hidden": found.hidden,
        "more": found.more,
    }
