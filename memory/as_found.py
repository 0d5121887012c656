"""Rows that were changed outside Forge, as a verb finds them: the commit that moves one first states it so.

Otherwise the verb's own change, which states the whole row, would take the edit in without a word.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from forgesite.models import Account
from memory import change_log
from memory.domain.chain import vectors_digest, words_digest
from memory.ledger import head
from memory.models import Entry
from memory.past.states import Stated, states_at
from memory.regime import swap as vector_swap
from memory.stating import state_of


def as_found(owner: Account, entries: Sequence[Entry]) -> list[Entry]:
    """Those of these rows that differ from what the chain says by a change from outside, as they are in the database.

    The rows themselves get what no verb sets: the address that the chain knows, and the digest of the vectors there.
    """
    outside = change_log.changed_outside("memory_entry")
    moving = {entry.pk: entry for entry in entries if entry.pk in outside}
    last = head(owner)
    stated = states_at(owner, last.tick, moving) if last and moving else {}
    found = Entry.objects.in_bulk(moving)
    parts = vector_swap.indexed_parts(moving)
    for pk, entry in found.items():
        _complete(entry, moving[pk], stated.get(pk), parts.get(pk, ()))
    return [entry for pk, entry in found.items() if pk not in stated or state_of(entry) != stated[pk].state]


def _complete(found: Entry, moving: Entry, stated: Stated | None, parts: Sequence[tuple[str, bytes]]) -> None:
    found.salt = moving.salt = found.salt or moving.salt or secrets.token_hex(16)
    for entry in (found, moving):
        entry.digest = words_digest(entry.salt, entry.text, entry.project, entry.key, entry.event_words)
        entry.embedded = vectors_digest(entry.salt, parts[0][0], [part for _regime, part in parts]) if parts else ""
        entry.address = stated.address if stated else found.address
