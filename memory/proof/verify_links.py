"""Links and tombstones against the chain, certificates against themselves, and what links mean for entries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from memory.domain.chain import canonical, sha256, text_digest
from memory.domain.proof import stored
from memory.models import How, Status
from memory.proof.findings import DERIVED, DIFFERS, EXTRA, MISSING, Finding, Lines
from memory.proof.notes import Notes
from memory.proof.reading import AT_ONCE, in_turn, rows, rows_of
from memory.proof.verify_texts import WORDS, digest_of

LINK, TOMBSTONE, ERASURE = "memory_link", "memory_tombstone", "memory_erasure"
LINK_COLUMNS = ("type", "entry_id", "other_id", "digest", "since", "until")
LINKS = f"SELECT id, owner_id, {', '.join(LINK_COLUMNS)} FROM memory_link WHERE id IN ({{ids}})"
SAID_LINKS = "SELECT id, type, entry, other, digest, since, until FROM link WHERE id > ? ORDER BY id LIMIT ?"
BURIED_COLUMNS = ("address", "message", "source", "commit", "at")
BURIED = """
SELECT entry, id, address, message, source, "commit", +at FROM memory_tombstone
WHERE entry IN ({ids}) AND owner_id = %s
"""
SAID_BURIED = """
SELECT entry, kind, address, message, source, forgotten, forgotten_at FROM said
WHERE entry > ? AND forgotten IS NOT NULL ORDER BY entry LIMIT ?
"""
IDS = "SELECT id FROM {table} WHERE owner_id = %s AND id > %s ORDER BY id LIMIT %s"
TOMBSTONES = "SELECT id, entry FROM memory_tombstone WHERE owner_id = %s AND id > %s ORDER BY id LIMIT %s"
CERTIFICATES = """
SELECT id, address, "commit", +at, report FROM memory_erasure WHERE owner_id = %s AND id > %s ORDER BY id LIMIT %s
"""
FORGETTING = "SELECT DISTINCT forgotten FROM said WHERE forgotten IS NOT NULL ORDER BY forgotten"
#: Whoever is replaced, folded or neither, against what its standing links say.
NOT_DERIVED = """
SELECT s.entry FROM said s LEFT JOIN (
    SELECT other, MAX(CASE WHEN type IN ('supersedes', 'version_of') THEN entry END) AS replaced,
        MAX(CASE WHEN type = 'speaks_for' THEN entry END) AS folded
    FROM link WHERE until IS NULL GROUP BY other
) k ON k.other = s.entry
WHERE s.forgotten IS NULL AND (
    s.superseded_by_id IS NOT COALESCE(k.replaced, k.folded)
    OR s.superseded_how <>
        CASE WHEN k.replaced IS NOT NULL THEN 'replaced' WHEN k.folded IS NOT NULL THEN 'fold' ELSE '' END
) ORDER BY s.entry
"""
#: What every summary rests on; of a source that is forgotten, no status.
RESTS = """
SELECT s.entry, s.stale, l.id, l.digest, o.digest, o.status, o.superseded_how FROM said s
LEFT JOIN link l ON l.entry = s.entry AND l.type = 'source' AND l.until IS NULL
LEFT JOIN said o ON o.entry = l.other AND o.forgotten IS NULL
WHERE s.kind = 'summary' AND s.forgotten IS NULL ORDER BY s.entry
"""
TEXT = f"SELECT {', '.join(WORDS)} FROM memory_textversion WHERE digest = %s"


def findings(owner: int, notes: Notes, lines: Lines) -> Iterator[Finding]:
    yield from _links(owner, notes, lines)
    yield from _tombstones(owner, notes, lines)
    yield from _certificates(owner, notes, lines)
    for (entry,) in notes.each(NOT_DERIVED):
        yield lines.finding(DERIVED, "memory_entry", entry, "superseded_by_id")
    for entry in _wrongly_stale(notes):
        yield lines.finding(DERIVED, "memory_entry", entry, "stale")


def _links(owner: int, notes: Notes, lines: Lines) -> Iterator[Finding]:
    seen = 0
    for said_ in notes.by_key(SAID_LINKS, AT_ONCE):
        there = {row[0]: row for row in rows_of(LINKS, [row[0] for row in said_])}
        for pk, *must in said_:
            row = there.get(pk)
            if row is None:
                yield lines.finding(MISSING, LINK, pk, entry=must[1])
                continue
            seen += row[1] == owner
            for column in _columns(("owner_id", *LINK_COLUMNS), (owner, *must), row[1:]):
                yield lines.finding(DIFFERS, LINK, pk, column)
    if seen != _count(LINK, owner):
        for (pk,) in in_turn(IDS.format(table=LINK), AT_ONCE, owner):
            if not notes.rows("SELECT 1 FROM link WHERE id = ?", pk):
                yield lines.finding(EXTRA, LINK, pk)


def _columns(names: tuple[str, ...], must: tuple[Any, ...], row: tuple[Any, ...]) -> list[str]:
    return [name for name, one, other in zip(names, must, row, strict=True) if one != other]


def _count(table: str, owner: int) -> int:
    return int(rows(f"SELECT COUNT(*) FROM {table} WHERE owner_id = %s", owner)[0][0])


def _tombstones(owner: int, notes: Notes, lines: Lines) -> Iterator[Finding]:
    seen = 0
    for said_ in notes.by_key(SAID_BURIED, AT_ONCE):
        there = {row[0]: row for row in rows_of(BURIED, [row[0] for row in said_], owner)}
        for entry, kind, *must in said_:
            row = there.get(entry)
            if row is None:
                yield lines.finding(MISSING, TOMBSTONE, None, entry=entry)
                continue
            seen += 1
            must = must if kind else [must[0], *row[3:5], *must[3:]]  # of one that no commit stated
            for column in _columns(BURIED_COLUMNS, tuple(must), row[2:]):
                yield lines.finding(DIFFERS, TOMBSTONE, row[1], column, entry=entry)
    if seen != _count(TOMBSTONE, owner):
        for pk, entry in in_turn(TOMBSTONES, AT_ONCE, owner):
            if not notes.rows("SELECT 1 FROM said WHERE entry = ? AND forgotten IS NOT NULL", entry):
                yield lines.finding(EXTRA, TOMBSTONE, pk)


def _certificates(owner: int, notes: Notes, lines: Lines) -> Iterator[Finding]:
    """One of each act of forgetting, and of nothing else."""
    due = {commit for (commit,) in notes.each(FORGETTING)}
    for pk, address, commit, at, report in in_turn(CERTIFICATES, 20, owner):
        column = _wrong(owner, address, commit, at, report)
        column = column or ("" if commit in due else "commit")
        due.discard(commit)
        if column:
            yield lines.finding(DIFFERS, ERASURE, pk, column)
    for _commit in sorted(due):
        yield lines.finding(MISSING, ERASURE, None)


def _wrong(owner: int, address: str, commit: str, at: str, report: str) -> str:
    try:
        said_ = json.loads(report)
        if sha256(canonical(said_)) != address:
            return "report"
        told = {"owner_id": said_["owner"] == owner, "commit": said_["commit"] == commit}
        told["at"] = stored(said_["at"]) == at
    except (TypeError, ValueError, KeyError):
        return "report"
    return next((column for column, right in told.items() if not right), "")


def _wrongly_stale(notes: Notes) -> Iterator[int]:
    for entry, rests in groupby(notes.each(RESTS), key=itemgetter(0)):
        links = list(rests)
        leaning = [_leans_on_air(*link[2:]) for link in links]
        if None not in leaning and bool(links[0][1]) != any(leaning):
            yield entry


def _leans_on_air(
    link: int | None, leaned_on: str, words: str | None, status: str | None, how: str | None
) -> bool | None:
    """As standing.py has it, over what the chain says; None where the words are not there to tell."""
    if link is None:
        return False
    if status in (None, Status.RETRACTED) or how == How.REPLACED:
        return True
    kept = next((row for row in rows(TEXT, words) if digest_of(row) == words), None)
    return None if kept is None else text_digest(*kept[:2]) != leaned_on
