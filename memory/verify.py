"""Prove memory: replay the chain, and compare every row, link, text and index with what it says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain

from django.db import DatabaseError
from django.utils.translation import gettext as _

from forgesite.errors import StoreError
from forgesite.models import Account
from memory import change_log, ledger, word_index
from memory.errors import BrokenChainError, BusyError
from memory.proof import verify_index, verify_links, verify_receipts, verify_whole
from memory.proof.findings import INDEX, RECORDED, TOUCHED, Finding, Lines
from memory.proof.notes import Notes
from memory.proof.reading import rows
from memory.proof.scratch import scratch
from memory.proof.snapshot import snapshot, unmapped
from memory.proof.verify_chain import Replayed, replay
from memory.proof.verify_index import Index
from memory.proof.verify_rows import Entries
from memory.proof.verify_touched import adrift

__all__ = ["Finding", "Report", "verify"]

#: Findings that are kept one by one; of more only the count.
MOST = 10_000
ADOPTED = "SELECT adopted FROM said WHERE entry = ?"
COUNT = "SELECT COUNT(*) FROM memory_entry WHERE owner_id = %s"


@dataclass(frozen=True)
class Report:
    """What was read, and every finding. `head`: the address of the owner's last commit; empty without one, or for all.

    `more`: findings past the first 10,000, which are counted alone.
    """

    ok: bool
    commits: int
    entries: int
    head: str
    findings: tuple[Finding, ...]
    receipts: int = 0
    more: int = 0


@dataclass
class Read:
    """What a pass has read so far."""

    commits: int = 0
    entries: int = 0
    receipts: int = 0
    head: str = ""
    findings: list[Finding] = field(default_factory=list)
    more: int = 0

    def take(self, findings: Iterator[Finding]) -> None:
        for finding in findings:
            if len(self.findings) < MOST:
                self.findings.append(finding)
            else:
                self.more += 1


@dataclass
class Proof:
    """What the chain of an owner says, in the scratch, and everything that differs from it.

    `log`: the last line of the change log then. It holds until the chain or the log moves.
    """

    owner: Account
    notes: Notes
    lines: Lines
    chain: Replayed
    findings: list[Finding]
    log: int

    def holds(self) -> bool:
        """Ask it in the transaction that builds on the proof."""
        last = ledger.head(self.owner)
        return (last.address if last else "") == self.chain.head and change_log.last() == self.log


def verify(owner: Account | None = None) -> Report:
    """Of one owner, or of every one and what is nobody's. It reads one moment of the store, and writes go on.

    Raises StoreError for a file that SQLite cannot read any more, BusyError where somebody holds the write lock for
    longer than is waited: the index of words is checked under it, by SQLite itself, in 0.3 s at 100,000 entries.
    """
    read = Read()
    with _readable():
        complaint = words_complaint()
        with snapshot():
            _read(owner, read)
    read.take(iter(complaint))
    findings = tuple(read.findings)
    return Report(not findings, read.commits, read.entries, read.head, findings, read.receipts, read.more)


@contextmanager
def proof(owner: Account) -> Iterator[Proof]:
    """Of one owner, and of what is nobody's. Raises BrokenChainError, and what `verify` does."""
    with scratch() as connection:
        with _readable():
            found = _proof(owner, Notes(connection), words_complaint())
        yield found


def _proof(owner: Account, notes: Notes, complaint: list[Finding]) -> Proof:
    with snapshot():
        lines, log = list(change_log.lines()), change_log.last()
        mine = Lines.read(line for line in lines if line.owner in (owner.pk, None))
        done = replay(owner.pk, notes, mine, [row for row in adrift() if row.owner in (owner.pk, None)])
        refuse_broken(done)
        index = Index.read()
        of_nobody = verify_whole.findings(mine, index, owner.pk)
        found = [*complaint, *of_nobody, *findings(owner.pk, done, notes, mine, index)]
    return Proof(owner, notes, mine, done, found, log)


def refuse_broken(done: Replayed) -> None:
    if done.broken:
        raise BrokenChainError(
            _("%(why)s Nothing was changed: restore a backup that `verify` finds whole.") % {"why": done.broken.message}
        )


@contextmanager
def _readable() -> Iterator[None]:
    """A database that is read as a whole."""
    try:
        with unmapped():
            yield
    except DatabaseError as error:
        raise StoreError(_("The database cannot be read: %(why)s. Restore a backup.") % {"why": error}) from error


def words_complaint() -> list[Finding]:
    """What SQLite says of the index of words against its rows; empty where it agrees. Raises BusyError."""
    complaint = word_index.check()
    if "locked" in complaint:
        raise BusyError(_("Somebody else has been writing for a while. Try again in a moment."))
    words = _("The index of words does not hold what its rows do: %(why)s.") % {"why": complaint}
    return [Finding(INDEX, "memory_fts", None, "", False, words)] if complaint else []


def _read(owner: Account | None, read: Read) -> None:
    lines, loose, index = list(change_log.lines()), adrift(), Index.read()
    owners = [owner] if owner else list(Account.objects.order_by("pk"))
    for each in owners:
        mine = Lines.read(line for line in lines if line.owner == each.pk)
        with scratch() as connection:
            notes = Notes(connection)
            done = replay(each.pk, notes, mine, [row for row in loose if row.owner in (each.pk, None)])
            read.take(findings(each.pk, done, notes, mine, index))
        read.commits += done.commits
        read.entries += rows(COUNT, each.pk)[0][0]
        read.receipts += verify_receipts.count(each.pk)
        read.head = done.head if owner else ""
    known = {each.pk for each in owners}
    nobodys = Lines.read(line for line in lines if line.owner is None or (owner is None and line.owner not in known))
    read.take(verify_whole.findings(nobodys, index, owner.pk if owner else None))
    read.take(verify_whole.of_no_account(nobodys) if owner is None else iter(()))
    read.take(_touched(nobodys, None))


def findings(owner: int, done: Replayed, notes: Notes, lines: Lines, index: Index) -> Iterator[Finding]:
    """Of one owner's memory, over what the chain says. Where the chain is broken, nothing is judged by it."""
    if done.broken:
        return iter([done.broken])
    return chain(
        done.findings,
        Entries(owner, notes, lines).findings(),
        verify_links.findings(owner, notes, lines),
        verify_index.findings(notes, lines, index),
        verify_receipts.findings(owner, notes, lines),
        _touched(lines, notes),
    )


def _touched(lines: Lines, notes: Notes | None) -> Iterator[Finding]:
    """Rows that were changed from outside, and are as the chain says all the same."""
    for line in lines.left():
        if line.table == "memory_vector" and lines.of_entry(line):
            continue  # a text that was edited lost its vectors by that
        [adopted] = (notes.rows(ADOPTED, line.row) if notes and line.table == "memory_entry" else []) or [(None,)]
        code = RECORDED if adopted[0] else TOUCHED
        yield lines.finding(code, line.table, line.row, tick=adopted[0] or 0)
