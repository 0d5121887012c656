"""The API's door to memory. Every route calls one verb; the shapes are in schemas.py."""

from __future__ import annotations

from functools import partial

from django.http import HttpResponse
from ninja import Query, Router
from ninja import Status as Answer

from forgesite.auth import Request
from forgesite.errors import EmptyError, UnknownError
from forgesite.language import zone_of
from forgesite.models import Account
from forgesite.schemas import LARGEST_ID, MIB, answers, moment, within
from forgesite.throttle import counted
from memory import as_of
from memory.erasing.schemas import ForgottenOut, forgotten_out
from memory.forget import forget
from memory.listing import entry_of, listing
from memory.models import Entry, Kind, Refusal
from memory.recall import Query as Asked
from memory.recall import Recalled, recall
from memory.record import entry_id, entry_now, entry_then
from memory.refuse import save_anyway
from memory.remember import Draft, Saved, remember
from memory.revise import Changes, revise
from memory.schemas import (
    AsOfQuery,
    EntryWithHistory,
    ForgetQuery,
    ListQuery,
    MemoryOut,
    PatchIn,
    RefusalOut,
    RefusedQuery,
    RememberIn,
    RowOut,
    SavedOut,
    SearchIn,
    SearchQuery,
    entry_out,
    refusal_out,
    row_out,
)

router = Router(tags=["memory"])
#: The longest question, in bytes.
QUESTION_LIMIT = MIB // 4
ACTOR = "person"


@router.post(
    "/remember",
    response=answers(SavedOut, 400, 404, 409, 413, 429, 502) | {202: SavedOut},
    throttle=counted,
    summary="Save one thing to memory",
)
def remember_one(request: Request, body: RememberIn) -> Answer[SavedOut]:
    """Stores the text as it is, up to 1 MiB. The same fact again makes no second entry: it is newly confirmed. Under
    the same `key` and project it is a new version: the old one is kept, and replaced.

    400 `empty` or `degenerate`: a blank text, or a single word. A lone surrogate in the JSON is read as U+FFFD. 404: a
    source that is not there. 409 `stale_version`: the key was written meanwhile; `open_todo`: an open todo has the key,
    and this is no todo; `not_current`, `covers_open_todo`: what a summary cannot be made from. 422 `recursive_summary`,
    `longer_summary`, `covers_need_summary`, `needs_source`.
    502: the embedding server failed, and nothing was stored. With EMBEDDING_OUTAGE=queue it is kept instead, found by
    its words at once: 202 and `indexed` false, until the server is back.
    """
    draft = _draft(request, body)
    return _saved(remember(request.auth, draft, actor=ACTOR, cause="POST /remember"))


@router.get(
    "/search",
    response=answers(list[RowOut], 400, 404, 409, 413, 429, 502),
    throttle=counted,
    summary="Search, best first",
)
def search(request: Request, query: Query[SearchQuery], response: HttpResponse) -> list[RowOut]:
    """Any text is a question, never a syntax. A long one is searched by its first 32 distinct terms.

    What was left out of the search is said in the header `Forge-Notice`. With `as_of` memory is searched as it was
    then, without the indexes: slower. What is forgotten stays forgotten at any time.
    Above 256 KiB: 413; blank: 400. 502: the embedding server failed; `policy=lexical` never needs it.
    409 `context_overflow`: the policy guarantees every open todo, and they do not fit RECALL_MAX_BYTES and
    RECALL_MAX_ITEMS; `detail` lists them. None is dropped in silence.
    """
    return _search(request.auth, query, response)


@router.post(
    "/search",
    response=answers(list[RowOut], 400, 404, 409, 413, 429, 502),
    throttle=counted,
    summary="Search by a long text",
)
def search_by_body(request: Request, body: SearchIn, response: HttpResponse) -> list[RowOut]:
    """The same search, for a question too long for an address."""
    return _search(request.auth, body, response)


@router.get("/memory", response=answers(MemoryOut, 404), summary="List entries")
def entries(request: Request, query: Query[ListQuery]) -> MemoryOut:
    """Entries of every status, newest first. `total` and `by_kind` count what the filter lets through. No embedding.

    422 with an `as_of` before the first time that the ledger tells of; it is named.
    """
    listed = partial(as_of.listing, at=as_of.moment_of(request.auth, query.as_of)) if query.as_of else listing
    found = listed(
        request.auth,
        kind=query.kind or "",
        status=query.status or "",
        project=query.project,
        limit=query.limit,
        offset=query.offset,
    )
    entries_out = [entry_out(entry) for entry in found.entries]
    return MemoryOut(total=found.total, by_kind=found.by_kind, entries=entries_out, forgotten=found.forgotten)


@router.get("/memory/refused", response=answers(list[RefusalOut]), summary="What was not saved")
def refused(request: Request, query: Query[RefusedQuery]) -> list[RefusalOut]:
    """The writes that a rule turned down, newest first, each with the rule and its words."""
    found = Refusal.objects.of(request.auth)[query.offset : query.offset + query.limit]
    return [refusal_out(refusal) for refusal in found]


@router.post(
    "/memory/refused/{refusal_id}/save",
    response=answers(SavedOut, 400, 404, 409, 502) | {202: SavedOut},
    summary="Save it anyway",
)
def save_refused(request: Request, refusal_id: int) -> Answer[SavedOut]:
    """Saves what a rule turned down, as its owner wishes. 409 `already_saved` the second time."""
    return _saved(save_anyway(request.auth, _held(refusal_id), actor=ACTOR))


@router.get("/memory/{ref}", response=answers(EntryWithHistory, 404), summary="One entry with its history")
def one(request: Request, ref: str, query: Query[AsOfQuery]) -> EntryWithHistory:
    """By id or by address, with the commits that made it what it is, oldest first."""
    if query.as_of:
        at = as_of.moment_of(request.auth, query.as_of)
        return entry_then(request.auth, at, _held(entry_id(request.auth, ref)))
    return with_history(request, entry_named(request, ref))


@router.patch(
    "/memory/{ref}",
    response=answers(EntryWithHistory, 400, 404, 409, 413, 502) | {202: EntryWithHistory},
    summary="Change an entry",
)
def change(request: Request, ref: str, body: PatchIn) -> Answer[EntryWithHistory]:
    """Only what is sent changes. `version` is the one you read: 409 `stale_version` if the entry moved since.

    409 `key_taken`: another entry has the key in that project. 422 `longer_summary`, `covers_need_summary`,
    `recursive_summary`, `needs_source`: what the entry rests on, or what rests on it, forbids the new kind or text.

    202: a new text that waits for the embedding server, as with `/remember`.
    """
    entry = entry_named(request, ref)
    changes = _changes(request.auth, body)
    revised = revise(request.auth, entry.pk, changes, version=body.version, actor=ACTOR, cause="PATCH /memory")
    out = with_history(request, revised)
    return Answer(200 if out.indexed or body.content is None else 202, out)


@router.delete("/memory/{ref}", response=answers(ForgottenOut, 404), summary="Forget an entry for good")
def erase(request: Request, ref: str, query: Query[ForgetQuery]) -> ForgottenOut:
    """At once and for good: the text leaves every index, and every quotation of it that is not yours becomes a mark.

    `left` names where the same words still stand: your own messages stay. `my_message=true` takes the message away
    that the entry was saved from. The certificate says what went, and which files of the data folder hold it still.
    """
    entry = entry_named(request, ref)
    gone = forget(request.auth, [entry.pk], actor=ACTOR, cause="DELETE /memory", my_message=query.my_message)
    return forgotten_out(entry.pk, gone)


def _draft(request: Request, body: RememberIn) -> Draft:
    zone = zone_of(request.auth.time_zone)
    return Draft(
        text=body.content,
        kind=body.kind,
        project=body.project or "",
        status=body.status or "",
        event_at=moment(body.event_at, zone),
        said_at=moment(body.said_at, zone),
        origin=body.origin,
        conversation=body.conversation or "",
        key=body.key or "",
        sources=tuple(entry_named(request, str(ref)).pk for ref in body.sources),
        covers=tuple(entry_named(request, str(ref)).pk for ref in body.covers),
    )


def _search(owner: Account, asked: SearchQuery | SearchIn, response: HttpResponse) -> list[RowOut]:
    text = within(asked.q, QUESTION_LIMIT, "question")
    if not text.strip():
        raise EmptyError("The question `q` is blank.")
    query = Asked(
        text=text,
        policy=asked.policy or "",
        top_k=asked.top_k,
        kind=asked.kind or "",
        project=asked.project,
        everything=asked.all,
        explicit=True,
        as_of=asked.as_of,
    )
    found = recall(owner, query)
    if notice := _notice(found):
        response["Forge-Notice"] = notice
    return [row_out(row) for row in found.rows]


def _notice(found: Recalled) -> str:
    said = " ".join(filter(None, (*found.notices, found.degraded)))
    return " ".join(said.split()).encode("latin-1", "replace").decode("latin-1")


def _changes(owner: Account, body: PatchIn) -> Changes:
    sent = body.model_dump(exclude_unset=True, exclude={"version", "content"})
    if "content" in body.model_fields_set and body.content is not None:
        sent["text"] = body.content
    if "event_at" in sent:
        sent["event_at"] = moment(sent["event_at"], zone_of(owner.time_zone))
    return Changes(**sent)


def entry_named(request: Request, ref: str) -> Entry:
    """The asker's entry by id or address. Raises UnknownError."""
    if ref.isascii() and ref.isdigit():
        _held(int(ref) if len(ref) < 20 else LARGEST_ID + 1)
    return entry_of(request.auth, ref)


def _held(number: int) -> int:
    """A number that the database could hold as an id."""
    if not 0 <= number <= LARGEST_ID:
        raise UnknownError("No row has such an id.")
    return number


def with_history(request: Request, entry: Entry) -> EntryWithHistory:
    return entry_now(request.auth, entry)


def _saved(saved: Saved) -> Answer[SavedOut]:
    entry = saved.entry
    out = SavedOut(
        id=entry.pk,
        address=entry.address,
        kind=Kind(entry.kind),
        project=entry.project,
        key=entry.key,
        content=entry.text,
        event_at=entry.event_at,
        count_of_kind=saved.count_of_kind,
        created=saved.created,
        replaced=saved.replaced.pk if saved.replaced else None,
        indexed=saved.indexed,
        commit=saved.commit,
        notes=list(saved.notes),
    )
    return Answer(200 if saved.indexed else 202, out)
