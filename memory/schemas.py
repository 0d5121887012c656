"""The shapes of memory on the wire: an entry's words are `content` here and `text` in the code."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from ninja import Schema
from pydantic import BeforeValidator, Field

from forgesite.config import Policy
from forgesite.schemas import In, Moment, QueryIn
from memory.models import KIND_SYNONYMS, LIVE, Entry, Kind, Origin, Refusal, Status
from memory.recall import Row


def _kind(value: Any) -> Any:
    return KIND_SYNONYMS.get(value, value) if isinstance(value, str) else value


KindIn = Annotated[Kind, BeforeValidator(_kind), Field(description="`task` is read as `todo`, `episode` as `event`.")]
Project = Annotated[str, Field(max_length=256)]


class RememberIn(In):
    content: str = Field(description="What to remember, stored as it is. Up to 1 MiB.")
    kind: KindIn = Kind.FACT
    project: Project | None = None
    status: Status | None = Field(None, description="A todo is born `open`, everything else `active`.")
    event_at: Moment | None = Field(None, description="When it happens; of a todo, when it is due.")
    said_at: Moment | None = Field(None, description="When it was said, if not now.")
    conversation: Annotated[str, Field(max_length=32)] | None = None

    @property
    def origin(self) -> Origin:
        """Nobody writes an exchange or a summary by hand: it came from somewhere."""
        return Origin.IMPORT if self.kind in (Kind.EXCHANGE, Kind.SUMMARY) else Origin.PERSON


class SavedOut(Schema):
    id: int
    address: str
    kind: Kind
    project: str
    content: str
    count_of_kind: int = Field(description="How many entries of this kind there are now.")
    created: bool = Field(description="False: the same fact was there and is newly confirmed.")
    indexed: bool = Field(
        description="False: its words find it, and its meaning will once the embedding server is back."
    )
    notes: list[str]


class _Search(Schema):
    q: str = Field(description="Any text of up to 256 KiB.")
    top_k: Annotated[int, Field(ge=1, le=50)] = Field(5, description="How many rows come back.")
    kind: KindIn | None = None
    project: Project | None = None
    policy: Policy | None = Field(None, description="Which channels run; empty: the setting RECALL_POLICY.")
    all: bool = Field(False, description="Rows of every status.")


class SearchQuery(_Search, QueryIn):
    pass


class SearchIn(_Search, In):
    pass


class RowOut(Schema):
    """An entry that was found. `distance`: Euclidean, of unit vectors, 0 to 2; null where only words matched."""

    id: int
    address: str
    kind: Kind
    content: str
    project: str
    status: Status
    said_at: datetime = Field(description="When it was said; of an import, the date of the original.")
    created_at: datetime = Field(description="When Forge recorded it.")
    channel: str
    distance: float | None
    score: float | None
    matched_terms: list[str]
    rank: int
    current: bool = Field(description="Live: neither archived, closed nor retracted.")
    summary_stale: bool
    superseded_by: int | None
    superseded_how: str | None


class ListQuery(QueryIn):
    kind: KindIn | None = None
    status: Status | None = None
    project: Project | None = None
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    offset: Annotated[int, Field(ge=0, le=10**9)] = 0


class RefusedQuery(QueryIn):
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    offset: Annotated[int, Field(ge=0, le=10**9)] = 0


class EntryOut(Schema):
    id: int
    address: str
    kind: Kind
    content: str
    project: str
    status: Status
    origin: Origin
    pinned: bool
    version: int = Field(description="Send it back with a change.")
    conversation: str
    message: int | None
    source: str
    said_at: datetime
    event_at: datetime | None
    created_at: datetime = Field(description="When it was stored.")
    updated_at: datetime
    last_reviewed_at: datetime | None


class MemoryOut(Schema):
    total: int
    by_kind: dict[str, int]
    entries: list[EntryOut]


class CommitOut(Schema):
    address: str
    tick: int
    at: datetime
    actor: str
    cause: str
    changes: Any


class LinkOut(Schema):
    type: str
    other: int


class EntryWithHistory(EntryOut):
    indexed: bool = Field(description="False: its words find it, its meaning not yet.")
    history: list[CommitOut]
    links: list[LinkOut]


class PatchIn(In):
    content: str | None = None
    kind: KindIn | None = None
    project: Project | None = None
    status: Status | None = None
    event_at: Moment | None = Field(None, description="null takes it away.")
    pinned: bool | None = None
    version: Annotated[int, Field(ge=1)] = Field(description="The version you read.")


class ForgetQuery(QueryIn):
    my_message: bool = False


class ForgottenOut(Schema):
    ok: bool
    id: int
    left: list[str] = Field(description="Where the same words still stand.")


class RefusalOut(Schema):
    id: int
    rule: str
    content: str
    kind: Kind
    project: str
    conversation: str
    message: int | None
    run_id: str
    created_at: datetime
    saved_as: int | None = Field(description="The entry it became, once saved anyway.")


def entry_out(entry: Entry) -> EntryOut:
    return EntryOut(
        id=entry.pk,
        address=entry.address,
        kind=Kind(entry.kind),
        content=entry.text,
        project=entry.project,
        status=Status(entry.status),
        origin=Origin(entry.origin),
        pinned=entry.pinned,
        version=entry.version,
        conversation=entry.conversation,
        message=entry.message,
        source=entry.source,
        said_at=entry.said_at,
        event_at=entry.event_at,
        created_at=entry.recorded_at,
        updated_at=entry.updated_at,
        last_reviewed_at=entry.last_reviewed_at,
    )


def refusal_out(refusal: Refusal) -> RefusalOut:
    return RefusalOut(
        id=refusal.pk,
        rule=refusal.rule,
        content=refusal.text,
        kind=Kind(refusal.kind),
        project=refusal.project,
        conversation=refusal.conversation,
        message=refusal.message,
        run_id=refusal.run_id,
        created_at=refusal.created_at,
        saved_as=refusal.saved_as_id,
    )


def row_out(row: Row) -> RowOut:
    entry = row.entry
    return RowOut(
        id=entry.pk,
        address=entry.address,
        kind=Kind(entry.kind),
        content=entry.text,
        project=entry.project,
        status=Status(entry.status),
        said_at=entry.said_at,
        created_at=entry.recorded_at,
        channel=row.channel,
        distance=row.distance,
        score=row.score,
        matched_terms=list(row.matched_terms),
        rank=row.rank,
        current=entry.status in LIVE,
        summary_stale=False,
        superseded_by=None,
        superseded_how=None,
    )
