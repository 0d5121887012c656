"""Change an entry: its text, kind, project, status, event time or pin, as one commit."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from enum import Enum
from typing import Any

from django.db import transaction
from django.utils import timezone

from forgesite.lib.embeddings import Door
from forgesite.models import Account
from memory import embedding, store
from memory.domain.wording import clean
from memory.models import Entry, Kind, Status
from memory.people_first import refuse_stale
from memory.remember import Draft, checked, known_kind, refuse_status
from memory.store import Moved, Write
from memory.to_embed import to_embed


class Keep(Enum):
    """Stands for “as it is” where None is a value of its own."""

    AS_IT_IS = "as it is"


@dataclass(frozen=True)
class Changes:
    """Only what is given changes."""

    text: str | None = None
    kind: str | None = None
    project: str | None = None
    status: str | None = None
    event_at: datetime | Keep | None = Keep.AS_IT_IS
    pinned: bool | None = None


def revise(
    owner: Account,
    entry_id: int,
    changes: Changes,
    *,
    version: int | None,
    actor: str,
    cause: str,
    door: Door | None = None,
) -> Entry:
    """Apply the changes to the owner's entry. The same values again change nothing and make no commit.

    `version`: the one the changes were made from, None for whatever it is. Raises StaleVersionError when the entry
    moved since, UnknownError, what `remember` raises on a text, or EmbeddingError; then nothing changed. A new text
    that waits for its vectors (see to_embed.py) is found by its words alone.
    """
    before = Entry.objects.one_of(owner, pk=entry_id)
    refuse_stale(before, version)
    new = wanted(before, changes)
    texts = [new["text"]] if "text" in new else []
    ready = to_embed(door or embedding.served(), texts, alone=True)
    with transaction.atomic():
        entry = Entry.objects.one_of(owner, pk=entry_id)
        refuse_stale(entry, before.version)
        if new:
            apply(entry, new)
            moved = Moved(entry, "revise", ready.found[0] if ready.found else None)
            store.commit(owner, Write(moved=[moved], regime=ready.regime), actor=actor, cause=cause)
    return entry


def wanted(entry: Entry, changes: Changes) -> dict[str, Any]:
    """The fields that would change, with values that can be stored."""
    given = {field.name: getattr(changes, field.name) for field in fields(changes)}
    new = {name: value for name, value in given.items() if value is not None and value is not Keep.AS_IT_IS}
    if changes.event_at is None:
        new["event_at"] = None
    if "text" in new:
        new["text"] = checked(Draft(new["text"]))[0].text
    if "project" in new:
        new["project"] = clean(new["project"]).text.strip()[:256]
    if "kind" in new:
        new["kind"] = known_kind(new["kind"])
        new.setdefault("status", status_in(new["kind"], entry.status))
    if "status" in new:
        refuse_status(new.get("kind", entry.kind), new["status"])
    return {name: value for name, value in new.items() if value != getattr(entry, name)}


def status_in(kind: str, status: str) -> str:
    """The state that corresponds when the kind changes: only todos are open or closed."""
    if kind == Kind.TODO:
        return Status.OPEN if status == Status.ACTIVE else status
    return Status.ACTIVE if status in (Status.OPEN, Status.CLOSED) else status


def apply(entry: Entry, new: dict[str, Any]) -> None:
    """Set the fields on the row."""
    for name, value in new.items():
        setattr(entry, name, value)
    entry.version += 1
    if set(new) - {"pinned"}:
        entry.updated_at = timezone.now()
    if "event_at" in new:
        entry.event_words = ""
