"""The one place where new entries, their words, vectors and commit are written together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from forgesite.models import Account
from memory import ledger, vector_channel, word_channel
from memory.embedding import Embedded
from memory.models import Entry
from memory.vector_channel import Kept


def write(
    owner: Account, entries: Sequence[Entry], found: Sequence[Embedded], regime: str, *, actor: str, cause: str
) -> list[Entry]:
    """Store new entries as one commit, in one transaction. An empty batch makes no commit."""
    if not entries:
        return []
    texts = [ledger.salted(entry.text) for entry in entries]
    projects = {entry.project: ledger.salted(entry.project) for entry in entries if entry.project}
    changes = [
        created(entry, text.digest, projects[entry.project].digest if entry.project else "")
        for entry, text in zip(entries, texts, strict=True)
    ]
    with transaction.atomic():
        commit = ledger.append(owner, actor, cause, changes)
        ids = word_channel.prepare([entry.text for entry in entries])
        for position, entry in enumerate(entries):
            entry.pk, entry.address = ids[position], ledger.entry_address(commit, position)
        written = Entry.objects.bulk_create(entries, batch_size=500)
        ledger.keep(owner, list(zip(ids, texts, strict=True)))
        first = {entry.project: entry.pk for entry in reversed(written)}
        ledger.keep(owner, [(first[project], salted) for project, salted in projects.items()])
        ledger.touch(commit, ids)
        store_vectors(written, found, regime)
    return written


def store_vectors(entries: Sequence[Entry], found: Sequence[Embedded], regime: str) -> None:
    vector_channel.keep(
        Kept(entry.pk, entry.version, part, regime, vector)
        for entry, each in zip(entries, found, strict=True)
        for part, vector in enumerate(each.vectors)
    )


def created(entry: Entry, digest: str, project: str) -> dict[str, Any]:
    """How a commit names a new entry."""
    return {
        "do": "create",
        "kind": str(entry.kind),
        "project": project,
        "status": str(entry.status),
        "origin": str(entry.origin),
        "text": digest,
        "said_at": ledger.moment(entry.said_at),
        "event_at": ledger.moment(entry.event_at),
        "pinned": entry.pinned,
    }
