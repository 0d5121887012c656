"""The append-only record of every change to a person's memory, one commit a change set, chained by hash."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.utils import timezone

from forgesite.models import Account
from forgesite.owned import owner_id
from memory.domain.chain import canonical, commit_address, moment
from memory.domain.states import RELATE, UNRELATE
from memory.models import Commit

LINKING = (RELATE, UNRELATE)
# Plain SQL: three statements of each write, which the ORM takes ten times as long to say as the database to do.
WRITE = """
INSERT INTO memory_commit (owner_id, tick, address, parent, at, actor, cause, changes, form)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING id
"""
LAST = "SELECT tick, address, at FROM memory_commit WHERE owner_id = %s ORDER BY tick DESC LIMIT 1"
TOUCH = "INSERT INTO memory_commitentry (commit_id, position, entry, states) VALUES (%s, %s, %s, %s)"


def head(owner: Account) -> Commit | None:
    """The owner's last commit, without its changes; None before there is one."""
    return Commit.objects.of(owner).order_by("-tick").defer("changes").first()


def append(owner: Account, actor: str, cause: str, changes: Sequence[dict[str, Any]]) -> Commit:
    """Add a commit to the owner's chain. Call it inside the transaction that makes the changes.

    Write transactions begin immediate: whoever writes second sees the first one's head, and no chain forks. Times never
    go back, whatever the clock does.
    """
    tick, parent, at = _last(owner)
    commit = Commit(
        owner_id=owner_id(owner),
        tick=tick + 1,
        parent=parent,
        at=at,
        actor=actor,
        cause=cause[:200],
        changes=list(changes),
    )
    said = canonical(commit.changes)
    commit.address = _address(commit, said)
    with connection.cursor() as cursor:
        cursor.execute(WRITE, _columns(commit, said))
        [commit.pk] = cursor.fetchone()
        cursor.executemany(TOUCH, _touched(commit))
    return commit


def _last(owner: Account) -> tuple[int, str, datetime]:
    """Tick and address of the owner's last commit, and the time of the next one: now, or the last one's if later."""
    now = timezone.now()
    with connection.cursor() as cursor:
        found = cursor.execute(LAST, [owner_id(owner)]).fetchone()
    if found is None:
        return 0, "", now
    tick, parent, at = found
    return tick, parent, max(now, at.replace(tzinfo=UTC))


def _columns(commit: Commit, changes: str) -> list[Any]:
    at = connection.ops.adapt_datetimefield_value(commit.at)
    named = (commit.owner_id, commit.tick, commit.address, commit.parent, at, commit.actor, commit.cause)
    return [*named, changes, commit.form]


def address_of(commit: Commit) -> str:
    """What the commit's address must be, by what it says."""
    return _address(commit, canonical(commit.changes))


def _address(commit: Commit, changes: str) -> str:
    return commit_address(
        form=commit.form,
        parent=commit.parent,
        owner=commit.owner_id,
        tick=commit.tick,
        at=moment(commit.at) or "",
        actor=commit.actor,
        cause=commit.cause,
        changes=changes,
    )


def _touched(commit: Commit) -> list[tuple[int, int, int, bool]]:
    return [
        (commit.pk, position, entry, change["do"] not in LINKING)
        for position, change in enumerate(commit.changes)
        for entry in touched(change)
    ]


def touched(change: dict[str, Any]) -> tuple[int, ...]:
    """The entries that a change of the present form is of: both ends of a link."""
    return (change["id"], change["other"]) if change["do"] in LINKING else (change["id"],)
