"""The append-only record of every change to a person's memory, one commit a change set, chained by hash."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from forgesite.models import Account
from forgesite.owned import owner_id
from memory.models import Commit, CommitEntry, TextVersion

FORMAT = 1


@dataclass(frozen=True)
class Salted:
    """A text as commits name it: the digest says nothing without the salt, which erasure removes with the text."""

    text: str
    salt: str
    digest: str


def salted(text: str) -> Salted:
    salt = secrets.token_hex(16)
    return Salted(text, salt, hashlib.sha256(f"{salt}{text}".encode()).hexdigest())


def keep(owner: Account, texts: Sequence[tuple[int, Salted]]) -> None:
    """Store the texts that a commit names, each with the id of its entry."""
    TextVersion.objects.bulk_create(
        TextVersion(owner_id=owner_id(owner), entry=entry, salt=each.salt, digest=each.digest, text=each.text)
        for entry, each in texts
    )


def append(owner: Account, actor: str, cause: str, changes: Sequence[dict[str, Any]]) -> Commit:
    """Add a commit to the owner's chain. Call it inside the transaction that makes the changes."""
    head = Commit.objects.of(owner).order_by("-tick").only("tick", "address").first()
    commit = Commit(
        owner_id=owner_id(owner),
        tick=head.tick + 1 if head else 1,
        parent=head.address if head else "",
        at=timezone.now(),
        actor=actor,
        cause=cause[:200],
        changes=list(changes),
    )
    commit.address = hashlib.sha256(canonical(commit)).hexdigest()
    commit.save(force_insert=True)
    return commit


def touch(commit: Commit, entry_ids: Sequence[int]) -> None:
    """Say which entry each change of a commit, by its position, is of."""
    CommitEntry.objects.bulk_create(
        CommitEntry(commit=commit, entry=entry, position=position) for position, entry in enumerate(entry_ids)
    )


def canonical(commit: Commit) -> bytes:
    """What a commit's address is the SHA-256 of: compact JSON with sorted keys, UTF-8."""
    said = {
        "v": FORMAT,
        "parent": commit.parent,
        "owner": commit.owner_id,
        "tick": commit.tick,
        "at": moment(commit.at),
        "actor": commit.actor,
        "cause": commit.cause,
        "changes": commit.changes,
    }
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def entry_address(commit: Commit, position: int) -> str:
    """The address of the entry that the change at `position` created."""
    return hashlib.sha256(f"{commit.address}:{position}".encode()).hexdigest()


def moment(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at else None
