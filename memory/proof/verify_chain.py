"""Replay an owner's chain: is every commit what its address says, and what do they say of entries, texts and links?

Commits are read one after the other, and what they say goes to the scratch: memory stays flat.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from memory.domain.chain import FIRST, canonical, commit_address
from memory.domain.proof import is_whole, said
from memory.proof.findings import BROKEN, Finding, Lines
from memory.proof.notes import Notes
from memory.proof.reading import in_turn
from memory.proof.verify_touched import Due, Line, Touches

#: `+`: the text as it is there, which need not be a moment.
COMMITS = """
SELECT tick, id, owner_id, address, parent, +at, actor, cause, changes, form FROM memory_commit
WHERE owner_id = %s AND tick > %s ORDER BY tick LIMIT %s
"""
#: Commits of one query: one of an import is half a megabyte.
AT_ONCE = 16
Changes = list[dict[str, Any]]


class Row(NamedTuple):
    """A commit as it stands in the database."""

    tick: int
    id: int
    owner: int
    address: str
    parent: str
    at: str
    actor: str
    cause: str
    changes: str
    form: int


@dataclass
class Replayed:
    """How many commits were read, and the address of the last. `broken`: where the chain ends to be one.

    `findings`: of the table that says which commits an entry is in, and `pairs`: its rows that are not as they must be.
    """

    commits: int = 0
    head: str = ""
    broken: Finding | None = None
    findings: list[Finding] = field(default_factory=list)
    pairs: list[tuple[Line | None, Due | None]] = field(default_factory=list)


def replay(owner: int, notes: Notes, lines: Lines, adrift: Sequence[Line]) -> Replayed:
    """Note what the chain says, up to the commit at which it is broken. `adrift`: of this owner, or of nobody."""
    done, touches, last = Replayed(), Touches(owner, lines), None
    for row in map(Row._make, in_turn(COMMITS, AT_ONCE, owner)):
        changes = _read(row.changes)
        if column := _wrong(row, changes, last):
            done.broken = lines.finding(BROKEN, "memory_commit", row.id, column, tick=row.tick)
            break
        touches.compare(row.id, row.tick, row.form, changes)
        if row.form != FIRST:
            notes.take(row.tick, row.address, row.at, changes)
        done.commits, done.head, last = done.commits + 1, row.address, row
    notes.flush()
    if done.broken is None:
        done.findings, done.pairs = touches.findings(adrift), touches.pairs(adrift)
        done.broken = touches.cut(adrift, done.commits + 1)
    return done


def _read(text: Any) -> Changes:
    """Empty of what is no list of changes, which then is not hashed as it says."""
    try:
        found = json.loads(text)
    except (ValueError, TypeError):
        return []
    return found if isinstance(found, list) and all(isinstance(change, dict) for change in found) else []


def _wrong(row: Row, changes: Changes, last: Row | None) -> str:
    """The column by which the commit is none of this chain; empty where it is."""
    if row.tick != (last.tick + 1 if last else 1):
        return "tick"
    if row.parent != (last.address if last else ""):
        return "parent"
    if not _is_hashed(row, changes):
        return "address"
    if last and FIRST not in (row.form, last.form) and row.at < last.at:
        return "at"
    return "" if row.form == FIRST or all(map(is_whole, changes)) else "changes"


def _is_hashed(row: Row, changes: Changes) -> bool:
    """The stored text is canonical already, but of the first form, and where a tool of somebody's wrote it anew."""
    try:
        return row.address == _address(row, row.changes) or row.address == _address(row, canonical(changes))
    except (TypeError, AttributeError, ValueError):  # no text where one must be
        return False


def _address(row: Row, changes: str) -> str:
    return commit_address(
        form=row.form,
        parent=row.parent,
        owner=row.owner,
        tick=row.tick,
        at=said(row.at),
        actor=row.actor,
        cause=row.cause,
        changes=changes,
    )
