"""Change an entry: its text, kind, project, status, event time or pin, as one commit."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from enum import Enum
from typing import Any

from django.utils import timezone

from forgesite.lib.embeddings import Door
from forgesite.models import Account
from memory import aliases, embedding, keys, sources, store
from memory.domain.wording import size
from memory.drafts import checked_project, checked_text, known_kind, refuse_long, refuse_status
from memory.event_time import told_again
from memory.models import Entry, Kind, Link, LinkType, Origin, Status
from memory.people_first import PERSON, refuse_closing, refuse_job, refuse_stale
from memory.regime.to_embed import to_embed
from memory.store import Moved, Write


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
    moved since, UnknownError, KeyTakenError, what a draft of these values would be refused for, what jobs may not (see
    people_first.py), or EmbeddingError; then nothing changed. A new text that waits for its vectors (see to_embed.py)
    is found by its words alone. An event time that was told from the old text is told from the new one.
    """
    before = Entry.objects.one_of(owner, pk=entry_id)
    refuse_stale(before, version)
    new = wanted(owner, before, changes)
    refuse(before, new, actor, version)
    texts = [new["text"]] if "text" in new else []
    ready = to_embed(door or embedding.served(), texts, alone=True)
    with keys.transaction():
        entry = Entry.objects.one_of(owner, pk=entry_id)
        refuse_stale(entry, before.version)
        refuse(entry, new, actor, version)
        if new:
            was = entry.text
            apply(entry, new)
            keys.refuse_taken(entry)
            moved = Moved(entry, "revise", ready.found[0] if ready.found else None)
            store.commit(owner, Write(moved=[moved], regime=ready.regime), actor=actor, cause=cause)
            if "text" in new:
                aliases.propose(owner, entry, was)
    return entry


def wanted(owner: Account, entry: Entry, changes: Changes) -> dict[str, Any]:
    """The fields that would change, with values that can be stored."""
    given = {field.name: getattr(changes, field.name) for field in fields(changes)}
    new = {name: value for name, value in given.items() if value is not None and value is not Keep.AS_IT_IS}
    if changes.event_at is not Keep.AS_IT_IS:
        new |= {"event_at": changes.event_at, "event_words": ""}
    if "text" in new:
        new["text"] = checked_text(new["text"]).text
    if "project" in new:
        new["project"] = checked_project(new["project"])
    if "kind" in new:
        new["kind"] = known_kind(new["kind"])
        new.setdefault("status", status_in(new["kind"], entry.status))
    if "status" in new:
        refuse_status(new.get("kind", entry.kind), new["status"])
    if "text" in new and "event_at" not in new and entry.event_words:
        new["event_at"], new["event_words"] = told_again(owner, entry, new["text"], new.get("kind", entry.kind))
    return {name: value for name, value in new.items() if value != getattr(entry, name)}


def refuse(entry: Entry, new: dict[str, Any], actor: str, version: int | None) -> None:
    """Raises what this one may not do to this entry."""
    if actor == Origin.MODEL and "text" in new:
        refuse_long(new["text"])
    if new.get("status", Status.OPEN) != Status.OPEN or new.get("kind", Kind.TODO) != Kind.TODO:
        refuse_closing(entry, actor)
    refuse_job(entry, actor, version)
    if "kind" in new or ("text" in new and entry.kind == Kind.SUMMARY):
        _refuse_for_links(entry, new, actor)


def _refuse_for_links(entry: Entry, new: dict[str, Any], actor: str) -> None:
    """What it rests on, and what rests on it, would not fit the new kind or text any more."""
    rests = sources.rests_now(entry)
    if "kind" not in new:
        # Of what it covers some may be shorter by now, or forgotten: what makes it no longer is never refused.
        if size(new["text"]) > size(entry.text):
            sources.refuse_longer(new["text"], rests.covers)
        return
    origin = Origin.PERSON if actor == PERSON else entry.origin
    sources.refuse(new["kind"], origin, new.get("text", entry.text), rests)
    if Link.objects.standing().filter(type=LinkType.SOURCE, other=entry, entry__kind=Kind.SUMMARY).exists():
        sources.refuse_recursion(entry.pk, new["kind"])


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
    if set(new) - {"pinned", "event_words"}:
        entry.updated_at = timezone.now()
