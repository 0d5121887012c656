"""Record what was changed outside Forge as a commit of its owner: what the rows say becomes what the chain says.

The proof that this rests on is read beforehand, while others write; under the write lock only the edited rows are.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import IntegrityError
from django.utils.translation import gettext as _

from forgesite.errors import ConflictError
from forgesite.models import Account
from memory import change_log, store
from memory.change_log import Line
from memory.errors import BusyError
from memory.forget import forget_deleted
from memory.models import Commit
from memory.people_first import OUTSIDE
from memory.proof.adopt_entries import VECTOR, EntryEdits
from memory.proof.adopt_links import LinkEdits
from memory.proof.findings import EXTRA, RECORDED, TOUCHED, Finding
from memory.store import Write
from memory.verify import Proof, proof

#: What `adopt` records, and what it takes down as said. Everything else is the ledger's own, or Forge's.
ADOPTED = ("memory_entry", "memory_link", "memory_vector", "memory_refusal")
#: Changed, and as the chain says all the same.
SAID_AS_IT_IS = (TOUCHED, RECORDED)
TRIES = 3


@dataclass(frozen=True)
class Adopted:
    """Ids of the entries that were changed or new, and of those that were deleted and are forgotten now.

    `commit`: the one that states what was changed, None where nothing was. `left`: edits that are no part of memory now
    either, each with the reason.
    """

    commit: Commit | None
    entries: tuple[int, ...]
    forgotten: tuple[int, ...]
    left: tuple[Finding, ...] = ()


def adopt(owner: Account, *, actor: str = OUTSIDE, cause: str) -> Adopted:
    """Changed rows are stated, new ones get an address, deleted ones are forgotten for good, by a commit of their own.

    Damage is not adopted, nor is an edit of the ledger: a rebuild takes both back. Raises BrokenChainError, BusyError,
    ConflictError where an edited row hinders it; then nothing changed.
    """
    for _try in range(TRIES):
        with proof(owner) as proved, _unhindered(), change_log.ours():
            if proved.holds():
                return _adopted(proved, actor, cause)
    raise BusyError(_("Memory is being written to. Try again in a moment."))


@contextmanager
def _unhindered() -> Iterator[None]:
    """A row that cannot be adopted itself may be one that has to follow from what can."""
    try:
        yield
    except IntegrityError as error:
        raise ConflictError(
            _("An edited row cannot be what others would make of it. `manage.py rebuild` takes the edits back.")
        ) from error


def _adopted(proved: Proof, actor: str, cause: str) -> Adopted:
    links, entries = LinkEdits(proved), EntryEdits(proved)
    write = Write(moved=entries.moved(), inserted=entries.inserted())
    links.add_to(write)
    commit = store.commit(proved.owner, write, actor=actor, cause=cause)
    gone = forget_deleted(proved.owner, entries.deleted(), actor=actor, cause=cause)
    stated = (*(moved.entry for moved in write.moved), *write.inserted)
    left = (*entries.left, *links.left, *_of_the_rest(proved, {each.row for each in entries.left}))
    _clear(proved, left)
    return Adopted(commit, tuple(entry.pk for entry in stated), gone.ids if gone else (), left)


def _of_the_rest(proved: Proof, left: Container[int | None]) -> Iterable[Finding]:
    """Edits of what only commits may say; vectors of no entry, and of one that is left."""
    for finding in proved.findings:
        is_vector = finding.table == VECTOR and (finding.code == EXTRA or finding.entry in left)
        if finding.outside and finding.code not in SAID_AS_IT_IS and (finding.table not in ADOPTED or is_vector):
            yield finding


def _clear(proved: Proof, left: Iterable[Finding]) -> None:
    """The lines of what is recorded now, or is as it was."""
    kept = {(finding.table, finding.row) for finding in left}
    as_said = {(finding.table, finding.row) for finding in proved.findings if finding.code in SAID_AS_IT_IS}
    change_log.clear(
        line
        for line in proved.lines.all
        if (line.table, line.row) in as_said or (line.table in ADOPTED and not kept & _keys(line))
    )


def _keys(line: Line) -> set[tuple[str, int | None]]:
    """A vector's line stays where its entry's stays."""
    return {(line.table, line.row), *([("memory_entry", line.entry)] if line.table == VECTOR else [])}
