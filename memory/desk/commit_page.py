"""One commit in words: who, why, what it did to which entry, and its place in the chain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.text import Truncator

from forgesite.models import Account
from memory.commit_counts import counts
from memory.commits import NAMED, undone
from memory.desk.story import can_undo, did, who
from memory.desk.words import DID, cause_words, relation_words
from memory.domain.causes import read
from memory.domain.states import UNRELATE
from memory.ledger import LINKING, address_of
from memory.models import Commit, Entry, TextVersion
from memory.undo import undoable

#: Most changes that are listed, and most for which it is found out beforehand whether the commit can be undone.
LISTED = ASKED = 100


@dataclass(frozen=True)
class Line:
    """One change. `there`: the entry is still in memory. `other`: the far end of a link."""

    did: str
    entry: int | None
    there: bool
    text: str = ""
    erased: bool = False
    other: int | None = None


@dataclass(frozen=True)
class CommitPage:
    """`intact`: the address is what the commit's content makes it. `hindered`: why it cannot be undone."""

    commit: Commit
    who: str
    why: str
    why_url: str
    did: str
    lines: Sequence[Line]
    more: int
    intact: bool
    parent: Commit | None
    child: Commit | None
    undo: bool
    undone_by: str
    hindered: str


def commit_page(owner: Account, commit: Commit) -> CommitPage:
    counted = counts([commit.pk]).get(commit.pk, {})
    why, url = cause_words(read(commit.cause))
    near = {near.tick: near for near in _near(owner, commit)}
    undone_by = undone(owner, commit.tick).get(commit.address[:NAMED], "")
    asked = can_undo(counted) and not undone_by and len(commit.changes) <= ASKED
    hindered = undoable(commit) if asked else ""
    return CommitPage(
        commit=commit,
        who=who(commit.actor),
        why=why,
        why_url=url,
        did=did(counted),
        lines=_lines(owner, commit),
        more=max(len(commit.changes) - LISTED, 0),
        intact=address_of(commit) == commit.address,
        parent=near.get(commit.tick - 1),
        child=near.get(commit.tick + 1),
        undo=can_undo(counted) and not undone_by and not hindered,
        undone_by=undone_by,
        hindered=hindered,
    )


def _near(owner: Account, commit: Commit) -> Sequence[Commit]:
    beside = (commit.tick - 1, commit.tick + 1)
    return list(Commit.objects.of(owner).filter(tick__in=beside).only("tick", "address"))


def _lines(owner: Account, commit: Commit) -> list[Line]:
    """The first changes. Those of the first form name entries by address alone, and a new one not even so."""
    changes = commit.changes[:LISTED]
    ids = {change[end] for change in changes for end in ("id", "other") if end in change}
    there = set(Entry.objects.of(owner).filter(pk__in=ids).values_list("pk", flat=True))
    digests = [digest for change in changes if (digest := change.get("words") or change.get("text"))]
    texts = dict(TextVersion.objects.of(owner).filter(digest__in=digests).values_list("digest", "text"))
    return [_line(change, there, texts) for change in changes]


def _line(change: dict[str, object], there: set[int], texts: dict[str, str]) -> Line:
    do, pk, digest = str(change["do"]), change.get("id"), change.get("words") or change.get("text")
    linking = do in LINKING
    relation = str(change.get("type"))
    words = relation_words(relation, ended=do == UNRELATE) if linking else str(DID.get(do, do))
    text = texts.get(str(digest), "")
    return Line(
        did=words,
        entry=pk if isinstance(pk, int) else None,
        there=pk in there,
        text=Truncator(" ".join(text[:600].split())).chars(160),
        erased=bool(digest) and not text,
        other=change["other"] if linking else None,  # type: ignore[arg-type]
    )
