"""The append-only record of every change to a person's memory, one commit a change set, chained by hash."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from forgesite.models import Account
from forgesite.owned import owner_id
from memory.domain.chain import canonical, commit_address, moment
from memory.domain.states import RELATE, UNRELATE
from memory.models import Commit, CommitEntry

LINKING = (RELATE, UNRELATE)


def head(owner: Account) -> Commit | None:
    """The owner's last commit, without its changes; None before there is one."""
    return Commit.objects.of(owner).order_by("-tick").defer("changes").first()


def append(owner: Account, actor: str, cause: str, changes: Sequence[dict[str, Any]]) -> Commit:
    """Add a commit to the owner's chain. Call it inside the transaction that makes the changes.

    Write transactions begin immediate: whoever writes second sees the first one's head, and no chain forks. Times never
    go back, whatever the clock does.
    """
    last, now = head(owner), timezone.now()
    commit = Commit(
        owner_id=owner_id(owner),
        tick=last.tick + 1 if last else 1,
        parent=last.address if last else "",
        at=max(now, last.at) if last else now,
        actor=actor,
        cause=cause[:200],
        changes=list(changes),
    )
    commit.address = address_of(commit)
    commit.save(force_insert=True)
    CommitEntry.objects.bulk_create(_touched(commit), batch_size=1000)
    return commit


def address_of(commit: Commit) -> str:
    """What the commit's address must be, by what it says."""
    return commit_address(
        form=commit.form,
        parent=commit.parent,
        owner=commit.owner_id,
        tick=commit.tick,
        at=moment(commit.at) or "",
        actor=commit.actor,
        cause=commit.cause,
        changes=canonical(commit.changes),
    )


def _touched(commit: Commit) -> list[CommitEntry]:
    return [
        CommitEntry(commit=commit, position=position, entry=entry, states=change["do"] not in LINKING)
        for position, change in enumerate(commit.changes)
        for entry in touched(change)
    ]


def touched(change: dict[str, Any]) -> tuple[int, ...]:
    """The entries that a change of the present form is of: both ends of a link."""
    return (change["id"], change["other"]) if change["do"] in LINKING else (change["id"],)
