"""A run's receipts: what it was given until it writes to memory, and until its end, sealed one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.domain.causes import of_run
from memory.given.gathered import Gathered
from memory.receipts import seal as sealed

if TYPE_CHECKING:
    from chat.progress import Progress


def cause_of(progress: Progress) -> str:
    """Why a commit of this run is made. What it was given until then is sealed first, and the commit names it."""
    return of_run(progress.begun.run_id, seal(progress))


def seal(progress: Progress) -> str:
    """The address of the run's last receipt: a new one where it was given something since; empty where it never was.

    Call it in the transaction that ends the run, or before a write.
    """
    gathered = progress.gathered
    gathered.read = {pk: text for pk, text in progress.given.items() if pk not in gathered.known | progress.sealed}
    if gathered:
        progress.parts += 1
        progress.receipt = sealed(
            progress.owner,
            gathered,
            run_id=progress.begun.run_id,
            part=progress.parts,
            before=progress.receipt,
            prompt=progress.sent.told() if progress.sent else None,
            keep_words=not progress.begun.temporary,
            since=progress.recorder.started_at,
        )
        progress.sealed |= gathered.known | gathered.read.keys()
        progress.gathered = Gathered()
    return progress.receipt
