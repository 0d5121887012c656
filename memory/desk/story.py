"""The history of an entry in words, for the desk: when, who, why, what changed, and what can be taken back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from forgesite.models import Account
from memory.desk.words import ACTORS, COUNTED, DID, FIELDS, STATUS_WORDS, cause_words, relation_words, when
from memory.domain.causes import read
from memory.domain.chapters import BESIDE, Field, Linked, SpokenFor
from memory.domain.differences import Piece
from memory.domain.states import FORGET
from memory.histories import NEWEST, Past, history
from memory.models import LIVE, Commit, How, Kind


@dataclass(frozen=True)
class Line:
    """A field in words. `entry`: one that it names."""

    name: str
    before: str
    after: str
    pieces: Sequence[Piece] = ()
    entry: int | None = None


@dataclass(frozen=True)
class Step:
    """One commit of the entry in words. `entries`: how many it states. `undo`: it can be taken back here, for all."""

    commit: Commit
    who: str
    why: str
    why_url: str
    does: Sequence[str]
    lines: Sequence[Line]
    links: Sequence[tuple[str, int]]
    erased: bool
    entries: int
    undo: bool
    undone_by: str


@dataclass(frozen=True)
class Told:
    steps: Sequence[Step]
    more: bool


def story(owner: Account, entry_id: int, *, limit: int | None = NEWEST) -> Told:
    """The commits that touched the entry, newest first, also of one that is forgotten."""
    told = history(owner, entry_id, limit=limit)
    return Told([_step(past) for past in told.past], told.more)


def _step(past: Past) -> Step:
    commit, chapter = past.commit, past.chapter
    why, url = cause_words(read(commit.cause))
    return Step(
        commit=commit,
        who=who(commit.actor),
        why=why,
        why_url=url,
        does=[str(DID.get(do, do)) for do in chapter.does] or [gettext("related")],
        lines=[_line(field) for field in chapter.fields if not _is_born(field)],
        links=[_link(link) for link in chapter.links],
        erased=chapter.erased,
        entries=past.entries,
        undo=chapter.stands,
        undone_by=chapter.undone_by,
    )


def who(actor: str) -> str:
    return str(ACTORS.get(actor, actor))


def _is_born(field: Field) -> bool:
    """Every entry begins live: nothing to tell."""
    return field.name == "status" and field.before is None and field.after in LIVE


def _line(field: Field) -> Line:
    entry = field.after.by if isinstance(field.after, SpokenFor) else None
    pieces = shortened(field.pieces)
    before, after = (_words(field.name, value) for value in (field.before, field.after))
    return Line(str(FIELDS[field.name]), before, after, pieces, entry)


def _words(name: str, value: Any) -> str:
    """A value as a person reads it; empty for none."""
    if isinstance(value, SpokenFor):
        words = gettext("folded into") if value.how == How.FOLD else gettext("replaced by")
        return f"{words} #{value.by}"
    if isinstance(value, datetime):
        return when(value)
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    named = {"status": STATUS_WORDS, "kind": dict(Kind.choices)}.get(name, {})
    return str(named.get(value, value or ""))


def _link(link: Linked) -> tuple[str, int]:
    return relation_words(link.type, outward=link.outward, ended=link.ended), link.other


#: Of what stayed the same, so many characters are shown beside a change; of a change itself, so many at most.
AROUND, MOST = 80, 2000


def shortened(pieces: Sequence[Piece]) -> list[Piece]:
    """The changes with what stands around them; “…” for the rest."""
    last = len(pieces) - 1
    return [
        Piece(
            piece.kind,
            _ends(piece.text, first=place == 0, last=place == last) if piece.kind == "same" else _cut(piece.text),
        )
        for place, piece in enumerate(pieces)
    ]


def _ends(text: str, *, first: bool, last: bool) -> str:
    """Of what stayed: what follows the change before it, and what precedes the change after it."""
    kept = AROUND * (2 - first - last)
    if len(text) <= kept + AROUND:
        return text
    head = "" if first else text[: text.rfind(" ", 0, AROUND) + 1 or AROUND]
    tail = "" if last else text[text.find(" ", -AROUND) if " " in text[-AROUND:] else -AROUND :]
    return f"{head}…{tail}"


def _cut(text: str) -> str:
    return text if len(text) <= MOST else f"{text[:MOST]} …"


def can_undo(dids: Collection[str]) -> bool:
    """Is a button worth offering? The verb itself decides once it is pressed."""
    return FORGET not in dids and not BESIDE.issuperset(dids)


def did(counts: Mapping[str, int]) -> str:
    """`3 created, 1 archived`."""
    return ", ".join(str(COUNTED.get(name, f"%(count)d {name}") % {"count": count}) for name, count in counts.items())
