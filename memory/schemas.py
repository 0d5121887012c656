"""The shapes of memory on the wire: an entry's words are `content` here and `text` in the code."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, cast

from ninja import Schema
from pydantic import BeforeValidator, Field, StrictInt, StrictStr

from forgesite.config import Policy
from forgesite.schemas import In, Moment, QueryIn
from memory.domain.union import Channel
from memory.drafts import KEY_BYTES, NAMED
from memory.models import KIND_SYNONYMS, Entry, Kind, Link, LinkType, Origin, Refusal, Status
from memory.recall import Row


def _kind(value: Any) -> Any:
    return KIND_SYNONYMS.get(value, value) if isinstance(value, str) else value


KindIn = Annotated[Kind, BeforeValidator(_kind), Field(description="`task` is read as `todo`, `episode` as `event`.")]
Project = Annotated[str, Field(max_length=256)]
How = Literal["fold", "replaced"]
Ref = Annotated[StrictInt | StrictStr, Field(description="An entry's id or address.")]
Refs = Annotated[list[Ref], Field(max_length=NAMED)]


class RememberIn(In):
    content: str = Field(description="What to remember, stored as it is. Up to 1 MiB.")
    kind: KindIn = Kind.FACT
    project: Project | None = None
    key: Annotated[str, Field(min_length=1)] | None = Field(
        None, description=f"The same key again is a new version. 1 to {KEY_BYTES} bytes of UTF-8."
    )
    status: Status | None = Field(None, description="A todo is born `open`, everything else `active`.")
    sources: Refs = Field([], description="What it rests on.")
    covers: Refs = Field([], description="What a summary stands for; these are sources too.")
    event_at: Moment | None = Field(None, description="When it happens, or is due. Told from the words if not given.")
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
    key: str
    content: str
    event_at: datetime | None
    count_of_kind: int = Field(description="How many entries of this kind there are now.")
    created: bool = Field(description="False: the same fact was there and is newly confirmed.")
    replaced: int | None = Field(description="The version of its key before it, which is kept.")
    indexed: bool = Field(
        description="False: its words find it, and its meaning will once the embedding server is back."
    )
    commit: str = Field(description="The commit that says so: POST /commits/{address}/undo takes it back.")
    notes: list[str]


AsOf = Annotated[
    str,
    Field(
        max_length=100,
        description="As memory was after this commit (its address, 8 digits or more of it, or its tick), on this date "
        "(2026-03-31, to its end) or at this time; empty: now.",
    ),
]


class _Search(Schema):
    q: str = Field(description="Any text of up to 256 KiB.")
    top_k: Annotated[int, Field(ge=1, le=50)] = Field(
        5,
        description="How many rows come back. `union`: those of vectors; up to RECALL_LEXICAL_TOP_K that only words "
        "found follow. `balanced`, `semantic` and `task_maintenance`: as many of them as RECALL_MAX_ITEMS and "
        "RECALL_MAX_BYTES hold, and every open todo that the policy guarantees even past it.",
    )
    kind: KindIn | None = None
    project: Project | None = None
    policy: Policy | None = Field(
        None,
        description="Which channels run, and in which order their rows come; empty: the setting RECALL_POLICY. "
        "`hybrid`: what words and vectors say of a row, added up. `union`: by distance, then what only words found. "
        "`interleave`: words and vectors in turn. `weighted`: VECTOR_WEIGHT and KEYWORD_WEIGHT, less the older a row "
        "is. `vector`, `lexical`: one alone. `recent`: the newest live rows, without those that a summary covers. "
        "`balanced`: every open todo, then words, vectors and recent rows in turn. `semantic`: words, vectors and "
        "procedures in turn. `task_maintenance`: open todos and what is due, nothing else.",
    )
    all: bool = Field(False, description="Rows of every status.")
    as_of: AsOf = ""


class SearchQuery(_Search, QueryIn):
    pass


class SearchIn(_Search, In):
    pass


class _Standing(Schema):
    summary_stale: bool = Field(description="A source of this summary was changed, replaced, retracted or forgotten.")
    superseded_by: int | None = Field(description="The entry that speaks for it.")
    superseded_how: How | None


class RowOut(_Standing):
    """An entry that was found. `distance`: Euclidean, of unit vectors, 0 to 2; null where no vector was measured."""

    id: int
    address: str
    kind: Kind
    content: str
    project: str
    key: str
    status: Status
    said_at: datetime = Field(description="When it was said; of an import, the date of the original.")
    created_at: datetime = Field(description="When Forge recorded it.")
    channel: Channel = Field(description="What found it; `recent`, `tasks` and `procedures` are found by no question.")
    distance: float | None
    score: float | None = Field(
        description="What the policy orders by: the sum of `hybrid` or `weighted`; else what its words score, or null."
    )
    matched_terms: list[str]
    rank: int
    current: bool = Field(description="Live: active or open, spoken for by no other entry, no stale summary.")


class ListQuery(QueryIn):
    kind: KindIn | None = None
    status: Status | None = None
    project: Project | None = None
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    offset: Annotated[int, Field(ge=0, le=10**9)] = 0
    as_of: AsOf = ""


class AsOfQuery(QueryIn):
    as_of: AsOf = ""


class RefusedQuery(QueryIn):
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    offset: Annotated[int, Field(ge=0, le=10**9)] = 0


class EntryOut(_Standing):
    id: int
    address: str
    kind: Kind
    content: str
    project: str
    key: str
    status: Status
    origin: Origin
    pinned: bool
    version: int = Field(description="Send it back with a change.")
    conversation: str
    message: int | None
    source: str
    said_at: datetime
    event_at: datetime | None
    event_words: str = Field(description="The words that `event_at` was told from; empty where it was given.")
    created_at: datetime = Field(description="When it was stored.")
    updated_at: datetime
    last_reviewed_at: datetime | None


class MemoryOut(Schema):
    total: int
    by_kind: dict[str, int]
    entries: list[EntryOut]
    forgotten: int = Field(0, description="With `as_of`: entries of then that are forgotten by now. They stay so.")


class CommitOut(Schema):
    address: str
    tick: int
    at: datetime
    actor: str
    cause: str
    changes: Any


class LinkOut(Schema):
    """A relation, seen from one end: `out` says that the entry supersedes, covers, rests on … the other one."""

    id: int
    type: LinkType
    entry: int
    other: int = Field(description="The id at the other end; that entry may be forgotten.")
    direction: Literal["out", "in"]


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
        key=entry.key,
        status=Status(entry.status),
        origin=Origin(entry.origin),
        pinned=entry.pinned,
        version=entry.version,
        conversation=entry.conversation,
        message=entry.message,
        source=entry.source,
        said_at=entry.said_at,
        event_at=entry.event_at,
        event_words=entry.event_words,
        created_at=entry.recorded_at,
        updated_at=entry.updated_at,
        last_reviewed_at=entry.last_reviewed_at,
        summary_stale=entry.stale,
        superseded_by=entry.superseded_by_id,
        superseded_how=_how(entry),
    )


def _how(entry: Entry) -> How | None:
    return cast(How, str(entry.superseded_how)) if entry.superseded_how else None


def link_out(link: Link, entry: Entry) -> LinkOut:
    """As the entry sees it."""
    out = link.entry_id == entry.pk
    return LinkOut(
        id=link.pk,
        type=LinkType(link.type),
        entry=entry.pk,
        other=link.other_id if out else link.entry_id,
        direction="out" if out else "in",
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
        key=entry.key,
        status=Status(entry.status),
        said_at=entry.said_at,
        created_at=entry.recorded_at,
        channel=cast(Channel, row.channel),
        distance=row.distance,
        score=row.score,
        matched_terms=list(row.matched_terms),
        rank=row.rank,
        current=entry.is_live,
        summary_stale=entry.stale,
        superseded_by=entry.superseded_by_id,
        superseded_how=_how(entry),
    )
