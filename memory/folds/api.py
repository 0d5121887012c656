"""The API's door to folds: what could be folded, what is, and the way back."""

from __future__ import annotations

from typing import Any

from ninja import Router, Schema
from pydantic import Field

from forgesite.auth import Request
from forgesite.schemas import In, answers
from memory.api import entry_named
from memory.domain.fold_values import Fold
from memory.fold import Applied, apply
from memory.folds.plan import planned
from memory.guard import LosesError
from memory.schemas import Ref
from memory.unfold import Standing, folds, unwind

router = Router(tags=["memory"])
ACTOR = "person"


class FoldsIn(In):
    subjects: list[str] | None = Field(None, description="Only these of the preview; left out: all of it.")
    force: bool = Field(False, description="Even where questions would be given less.")


class UnwindIn(In):
    sources: list[Ref] | None = Field(None, description="Only these entries are released; left out: all of them.")


class SuggestionOut(Schema):
    """Two entries that look alike and are not folded."""

    entries: list[int]
    why: str
    verdict: str = Field(description="`conflict` or `keep both`.")


class TokensOut(Schema):
    before: int
    after: int


class FoldOut(Schema):
    """One subject of the plan."""

    subject: str
    sources: list[int] = Field(description="The entries that share it.")
    line: str = Field(description="What would be written; empty where one of them says all of it already.")
    into: int | None = Field(description="The entry that speaks for the others then.")
    gate: str = Field(
        description="Refused by `closure` `repetition` `quorum` `budget` `size` `store` `questions` `moved`; or empty."
    )
    invented: list[str]
    repeated: list[str]
    held_back: dict[int, list[str]] = Field(description="Entries that stay, with their words that the line lacks.")
    why: dict[int, str] = Field(description="Why each of these stays: `negation`, `time`, `another project` …")
    tokens: TokensOut = Field(description="What the folded entries cost of a prompt, and what speaks for them does.")
    folds: list[int] = Field(description="The entries that are spoken for.")
    project: str
    suggestions: list[SuggestionOut]


class PlanOut(Schema):
    subjects: list[FoldOut]
    tokens: TokensOut = Field(description="Of all entries that could be folded.")
    left_alone: dict[str, int] = Field(description="How many entries take no part in any fold, by why.")


class DoneOut(FoldOut):
    id: int = Field(description="Who speaks now: the new entry, or the one that says it all.")


class AppliedOut(Schema):
    folds: list[DoneOut]
    refused: list[FoldOut] = Field(description="Of the plan, and not written; the gate says why.")
    commit: str = Field(description="The address of the commit, which can be undone; empty where nothing was written.")
    indexed: bool = Field(description="False while a new line waits for its vectors.")
    asked: int = Field(description="Golden questions, and others of late, that were asked before and after.")
    unasked: int = Field(description="Those that there was no time for, since nobody else can write meanwhile.")


class StandingOut(Schema):
    id: int
    content: str
    project: str
    sources: list[int]
    written: bool = Field(description="The entry was written for the fold; false: it said all of it already.")


class FoldsOut(Schema):
    folds: list[StandingOut]


class UnwoundOut(Schema):
    id: int
    released: list[int]
    retracted: bool = Field(description="The entry had been written for the fold, and is taken back.")
    commit: str


@router.get("/folds", response=answers(FoldsOut), summary="What is folded")
def standing(request: Request) -> FoldsOut:
    """The entries that speak for others, newest first, each with those that it speaks for."""
    return FoldsOut(folds=[_standing(each) for each in folds(request.auth)])


@router.get("/folds/preview", response=answers(PlanOut), summary="What could be folded")
def preview(request: Request) -> PlanOut:
    """By subject, refused ones too, with the gate that refuses them. Nothing is changed; `POST /folds` applies it."""
    found = planned(request.auth)
    return PlanOut(
        subjects=[FoldOut(**_fold(fold)) for fold in found.plan.folds],
        tokens=TokensOut(before=found.before, after=found.after),
        left_alone=dict(found.plan.left_alone),
    )


@router.post("/folds", response=answers(AppliedOut, 404, 409, 502), summary="Fold entries")
def fold(request: Request, body: FoldsIn) -> AppliedOut:
    """Writes what the preview proposes, in one commit. Every source stays, is found as before, and comes back when the
    fold is unwound. A subject of which an entry changed meanwhile is left out, and named in `refused`.

    Golden questions and the newest that were asked are asked before and after. 409 `loses_answers`: one of them would
    be given less, `detail` names them, and nothing was written; `force` does it all the same. 404: a subject that is
    not proposed. 502: the embedding server failed, and nothing was written.
    """
    done = apply(request.auth, subjects=body.subjects, actor=ACTOR, cause="POST /folds", guard=not body.force)
    if done.losses:
        raise LosesError.of(done.losses)
    return _applied(done)


@router.post("/folds/{ref}/unwind", response=answers(UnwoundOut, 404, 409), summary="Unwind a fold")
def take_back(request: Request, ref: str, body: UnwindIn | None = None) -> UnwoundOut:
    """What the entry speaks for speaks for itself again. One that was written for the fold is retracted.

    409 `no_fold`: it speaks for nothing. 404: it is unknown, or does not speak for one of `sources`.
    """
    sources = body.sources if body else None
    only = None if sources is None else [entry_named(request, str(each)).pk for each in sources]
    entry = entry_named(request, ref)
    done = unwind(request.auth, entry.pk, sources=only, actor=ACTOR, cause="POST /folds/unwind")
    return UnwoundOut(id=done.id, released=list(done.released), retracted=done.retracted, commit=done.commit.address)


def _standing(each: Standing) -> StandingOut:
    entry = each.entry
    return StandingOut(
        id=entry.pk, content=entry.text, project=entry.project, sources=list(each.sources), written=each.written
    )


def _fold(fold: Fold) -> dict[str, Any]:
    return {
        "subject": fold.subject,
        "sources": list(fold.sources),
        "line": fold.line,
        "into": fold.into,
        "gate": fold.refused,
        "invented": list(fold.invented),
        "repeated": list(fold.repeated),
        "held_back": {pk: list(words) for pk, words in fold.held_back.items()},
        "why": dict(fold.why),
        "tokens": {"before": sum(fold.tokens), "after": fold.tokens[0]},
        "folds": list(fold.folds),
        "project": fold.project,
        "suggestions": [
            {"entries": list(each.entries), "why": each.why, "verdict": each.verdict} for each in fold.suggestions
        ],
    }


def _applied(done: Applied) -> AppliedOut:
    return AppliedOut(
        folds=[DoneOut(id=each.id, **_fold(each.fold)) for each in done.done],
        refused=[FoldOut(**_fold(fold)) for fold in done.dropped],
        commit=done.commit.address if done.commit else "",
        indexed=done.indexed,
        asked=done.guarded.asked,
        unasked=done.guarded.unasked,
    )
