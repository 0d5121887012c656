"""Put the rows back as the chain says. The chain does not move."""

from __future__ import annotations

from dataclasses import dataclass

from forgesite.models import Account
from memory.findings import Finding


@dataclass(frozen=True)
class Rebuilt:
    """`restored`: what is as the chain says again (of a plan: would be). `left`: what no chain can give back."""

    restored: tuple[Finding, ...]
    left: tuple[Finding, ...]


def plan(owner: Account) -> Rebuilt:
    """What `rebuild` would do. Changes nothing. Raises BrokenChainError."""
    raise NotImplementedError


def rebuild(owner: Account) -> Rebuilt:
    """Restore rows, links, texts and indexes in one transaction. Raises BrokenChainError; then nothing changed."""
    raise NotImplementedError
