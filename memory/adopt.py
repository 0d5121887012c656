"""Record what was changed outside Forge as a commit of its owner: what the rows say becomes what the chain says."""

from __future__ import annotations

from dataclasses import dataclass

from forgesite.models import Account
from memory.findings import Finding
from memory.models import Commit

#: Who a commit says made a change that no verb made.
OUTSIDE = "outside"


@dataclass(frozen=True)
class Adopted:
    """Ids of the entries that were changed or new, and of those that were deleted and are forgotten now.

    `commit`: None where there was nothing to record. `left`: edits that cannot be, each with the reason.
    """

    commit: Commit | None
    entries: tuple[int, ...]
    forgotten: tuple[int, ...]
    left: tuple[Finding, ...] = ()


def adopt(owner: Account, *, actor: str = OUTSIDE, cause: str) -> Adopted:
    """Changed rows are stated, new ones get an address, deleted ones are forgotten for good. Damage is not adopted.

    Raises BrokenChainError; then nothing changed.
    """
    raise NotImplementedError
