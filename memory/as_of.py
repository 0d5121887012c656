"""Memory as it was at an earlier commit or time: states from the chain, words by their digest."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from forgesite.models import Account
from memory.listing import Listing
from memory.models import Entry


@dataclass(frozen=True)
class At:
    """A point in the owner's chain: after the commit `tick`, which was made `at` that time or before it."""

    tick: int
    at: datetime


def moment_of(owner: Account, text: str) -> At:
    """What a person names: a commit's address (or its first 8 digits), its tick (`#12`), an ISO date or time.

    A date means its end, and a time without an offset is one of the account's zone. Raises InvalidError for what is
    none of these and for a time before the first that is known, UnknownError for a commit that is not the owner's.
    """
    raise NotImplementedError


def listing(
    owner: Account,
    at: At,
    *,
    kind: str = "",
    status: str = "",
    project: str | None = None,
    limit: int = 50,
    offset: int = 0,
) -> Listing:
    """The entries that there were, as they were then, newest first: unsaved rows. Forgotten ones are none of them."""
    raise NotImplementedError


def entry(owner: Account, at: At, entry_id: int) -> Entry:
    """The entry as it was then, an unsaved row. Raises UnknownError where it was not there yet or is forgotten."""
    raise NotImplementedError
