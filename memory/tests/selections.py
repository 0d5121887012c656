"""Selections of entries on the desk, for the tests of what is done to many at once."""

from __future__ import annotations

from typing import Any

from django.test import Client

from forgesite.models import Account
from memory import move
from memory.domain.states import State
from memory.models import Entry
from memory.relate import relate
from memory.remember import Draft, remember_many
from memory.store import state_of

LIST = "/admin/memory/entry/"
WHO: dict[str, Any] = {"actor": "person", "cause": "admin"}
MANY = 50
#: What no two acts have in common, on whichever entry: clocks, and what is salted.
APART = {"digest", "embedded", "said_at", "recorded_at", "updated_at", "last_reviewed_at", "superseded_by"}


def shelf(owner: Account, *, mixed: bool = True, many: int = MANY) -> list[Entry]:
    """Facts and todos, some of them put away, taken back, replaced or pinned."""
    drafts = [
        Draft(f"Server {n} is on shelf {n}", kind="todo" if n % 5 == 0 else "fact", pinned=mixed and n % 7 == 0)
        for n in range(many)
    ]
    entries = list(remember_many(owner, drafts, **WHO).entries)
    if mixed:
        move.archive_many(owner, [entry.pk for entry in entries[1:10]], **WHO)
        move.retract_many(owner, [entry.pk for entry in entries[11:15]], **WHO)
        relate(owner, entries[16].pk, "supersedes", entries[17].pk, **WHO)
    return entries


def in_bulk(desk: Client, act: str, entries: list[Entry]) -> str:
    action = {"action": f"{act}_selected", "_selected_action": [entry.pk for entry in entries]}
    return desk.post(LIST, action, follow=True).content.decode()


def states(owner: Account) -> list[dict[str, Any]]:
    """Every row of the owner's, without what differs each time."""
    rows = Entry.objects.of(owner).order_by("id")
    return [_state(state_of(entry), bool(entry.last_reviewed_at)) | {"project": entry.project} for entry in rows]


def _state(state: State, confirmed: bool) -> dict[str, Any]:
    return {name: value for name, value in vars(state).items() if name not in APART} | {"confirmed": confirmed}
