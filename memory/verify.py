"""Prove memory: replay the chain, and compare every row, link, text and index with what it says."""

from __future__ import annotations

from dataclasses import dataclass

from forgesite.models import Account
from memory.findings import Finding

__all__ = ["Finding", "Report", "verify"]


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


def verify(owner: Account | None = None) -> Report:
    """Of one owner, or of every one and what is nobody's. It reads one moment of the store, and writes go on."""
    raise NotImplementedError
