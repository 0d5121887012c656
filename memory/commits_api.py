"""The API's door to the ledger: what was changed, newest first, and the undo of it."""

from __future__ import annotations

from typing import Annotated

from ninja import Query, Router, Schema
from pydantic import Field

from forgesite.auth import Request
from forgesite.models import Account
from forgesite.schemas import LARGEST_ID, QueryIn, answers
from memory.commits import NAMED, commits, undone
from memory.models import Commit
from memory.schemas import CommitOut
from memory.undo import hindrances, undo

router = Router(tags=["memory"])
ACTOR = "person"
Number = Annotated[int, Field(ge=1, le=LARGEST_ID)]


class CommitsQuery(QueryIn):
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    before: Number | None = Field(None, description="A tick: only commits before that one.")
    entry: Number | None = Field(None, description="An entry's id: only commits that touched it, forgotten or not.")


class ListedCommit(CommitOut):
    """A commit, and whether it can be undone as memory is now."""

    undoable: bool
    why_not: str = Field(description="The code of the error that an undo would end in: `moved`, `erased` …; or empty.")
    undone_by: str | None = Field(description="The address of the commit that undid it, while that one stands.")


class CommitsOut(Schema):
    commits: list[ListedCommit]


@router.get("/commits", response=answers(CommitsOut), summary="What was changed, newest first")
def listed(request: Request, query: Query[CommitsQuery]) -> CommitsOut:
    """Each commit with its changes: they state entries as they were after it, words by salted digest.

    For the next page send the last `tick` as `before`.
    """
    found = commits(request.auth, limit=query.limit, before=query.before, entry=query.entry)
    return CommitsOut(commits=_listed(request.auth, found))


@router.post("/commits/{address}/undo", response=answers(CommitOut, 404, 409, 502), summary="Undo a commit")
def take_back(request: Request, address: str) -> CommitOut:
    """Everything that the commit changed is as it was before; what it created is retracted. Answers the new commit,
    which can be undone in its turn.

    The first 8 digits of the address will do. 409 `moved`: changed again since, and nothing is undone; `erased`: what
    was forgotten stays forgotten; `key_taken`: another entry has the key by now; `nothing_to_undo`.
    """
    return CommitOut.model_validate(undo(request.auth, address, actor=ACTOR, cause="POST /commits/undo"))


def _listed(owner: Account, found: tuple[Commit, ...]) -> list[ListedCommit]:
    if not found:
        return []
    by, why = undone(owner, found[-1].tick), hindrances(owner, found)
    return [
        ListedCommit(
            **CommitOut.model_validate(commit).model_dump(),
            undoable=not why[commit.tick],
            why_not=why[commit.tick],
            undone_by=by.get(commit.address[:NAMED]),
        )
        for commit in found
    ]
