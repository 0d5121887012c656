"""Put the rows back as the chain says. The chain does not move, and what is edited in it is never repaired by guessing.

The proof that this rests on is read beforehand, while others write; under the write lock only what differs is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from forgesite.models import Account
from memory import change_log
from memory.errors import BusyError
from memory.proof import rebuild_index, rebuild_links, rebuild_receipts
from memory.proof.findings import DERIVED, LOST, TOUCHED, Finding
from memory.proof.rebuild_rows import Entries, Texts
from memory.verify import Proof, proof

TRIES = 3
#: The chain says nothing that a row of these could be made from.
REFUSAL, CERTIFICATE, RECEIPT = "memory_refusal", "memory_erasure", "memory_receipt"


@dataclass(frozen=True)
class Rebuilt:
    """`restored`: what is as the chain says again (of a plan: would be). `left`: what no chain can give back."""

    restored: tuple[Finding, ...]
    left: tuple[Finding, ...]


def plan(owner: Account) -> Rebuilt:
    """What `rebuild` would do. Changes nothing. Raises BrokenChainError, and what `verify` does."""
    with proof(owner) as proved:
        texts = Texts(proved)
        return _said(proved, texts, Entries(proved, texts))


def rebuild(owner: Account) -> Rebuilt:
    """Restore rows, links, texts and indexes in one transaction. Raises BrokenChainError, BusyError, and what `verify`
    does; then nothing changed."""
    for _try in range(TRIES):
        with proof(owner) as proved, change_log.ours():
            if proved.holds():
                return _rebuilt(proved)
    raise BusyError(_("Memory is being written to. Try again in a moment."))


def _rebuilt(proved: Proof) -> Rebuilt:
    texts = Texts(proved)
    entries = Entries(proved, texts)
    done = _said(proved, texts, entries)
    texts.apply()
    rebuild_links.touches(proved)
    entries.apply()
    rebuild_links.links(proved)
    rebuild_links.tombstones(proved)
    rebuild_index.index(proved)
    rebuild_receipts.index(proved)
    _clear(proved, done.left)
    return done


def _said(proved: Proof, texts: Texts, entries: Entries) -> Rebuilt:
    lost = [*texts.lost, *entries.lost, *rebuild_links.lost(proved)]
    lost += [each for each in proved.findings if each.code == DERIVED]
    for each in proved.findings:
        if each.table == REFUSAL or (each.table in (CERTIFICATE, RECEIPT) and each.code != TOUCHED):
            lost.append(proved.lines.finding(LOST, each.table, each.row))
    kept = {_place(each) for each in lost}
    return Rebuilt(tuple(each for each in proved.findings if _place(each) not in kept), tuple(lost))


def _place(finding: Finding) -> tuple[str, int | None, int | None]:
    return (finding.table, finding.row, finding.entry)


def _clear(proved: Proof, left: Sequence[Finding]) -> None:
    """The lines of all that is restored."""
    rows = {(each.table, each.row) for each in left}
    entries = {(each.table, each.entry) for each in left if each.row is None}
    lines = [line for line in proved.lines.all if (line.table, line.row) not in rows]
    change_log.clear(line for line in lines if (line.table, line.entry) not in entries)
