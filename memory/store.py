"""The one place where a change of memory is written: rows, words, vectors, links and one commit, together."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from forgesite.lib.vectors import packed
from forgesite.models import Account
from forgesite.owned import owner_id
from memory import change_log, ledger, vector_channel, word_channel
from memory.domain.chain import entry_address, moment, text_digest, vectors_digest, words_digest
from memory.domain.sameness import sameness
from memory.domain.states import FORGET, MOMENTS, NAMES, RELATE, UNRELATE, State, as_change
from memory.embedding import Embedded
from memory.models import Commit, Entry, Link, TextVersion, Tombstone
from memory.standing import Rows, follow
from memory.vector_channel import Kept

#: What is read back of a row to state it, and written of one that moved.
COLUMNS = (*NAMES, "text", "project", "key", "event_words", "sameness", "salt")
WORDS = ("text", "project", "key", "event_words")
#: How a commit names what a change of links did to a row beside the one that the verb was about.
FOLLOWED = "follow"


@dataclass(frozen=True)
class Moved:
    """A row with its new values set. `do`: the verb. `found`: its vectors, where the text is new or they come late."""

    entry: Entry
    do: str
    found: Embedded | None = None
    more: dict[str, Any] = field(default_factory=dict)


@dataclass
class Write:
    """What one commit is to say. New links may name new entries: they get their ids here."""

    new: list[tuple[Entry, Embedded]] = field(default_factory=list)
    moved: list[Moved] = field(default_factory=list)
    linked: list[Link] = field(default_factory=list)
    unlinked: list[Link] = field(default_factory=list)
    gone: list[Entry] = field(default_factory=list)
    #: The regime of the vectors in it.
    regime: str = ""

    def __bool__(self) -> bool:
        return any((self.new, self.moved, self.linked, self.unlinked, self.gone))


def commit(owner: Account, write: Write, *, actor: str, cause: str) -> Commit | None:
    """Write all of it in one transaction, with the commit that says it. None, and no commit, for nothing at all.

    What follows for other rows (see standing.py) is written and said too. Call it inside the transaction that read
    what the write rests on, or nobody else may have written since.
    """
    if not write:
        return None
    with change_log.ours():
        _number(write)
        followed = _follow(write)
        changes = _changes(write, followed)
        made = ledger.append(owner, actor, cause, changes)
        _rows(owner, write, followed, made)
        return made


def _number(write: Write) -> None:
    """Ids and salted digests, which the commit names before the rows are there."""
    entries = [entry for entry, _found in write.new]
    for entry, pk in zip(entries, word_channel.prepare([entry.text for entry in entries]), strict=True):
        entry.pk = pk
    for entry, found in write.new:
        _digest(entry)
        entry.embedded = _embedded(entry, found, write.regime)
    for moved in write.moved:
        _digest(moved.entry)
        if moved.found is not None:
            moved.entry.embedded = _embedded(moved.entry, moved.found, write.regime)
    for link in write.linked:
        link.entry_id, link.other_id = link.entry.pk, link.other.pk
        link.digest = link.digest or text_digest(link.other.salt, link.other.text)


def _digest(entry: Entry) -> None:
    entry.salt = entry.salt or secrets.token_hex(16)
    entry.sameness = sameness(entry.text)
    entry.digest = words_digest(entry.salt, entry.text, entry.project, entry.key, entry.event_words)


def _embedded(entry: Entry, found: Embedded, regime: str) -> str:
    return vectors_digest(entry.salt, regime, (packed(vector) for vector in found.vectors))


def _follow(write: Write) -> list[Entry]:
    held = {entry.pk: entry for entry, _found in write.new} | {moved.entry.pk: moved.entry for moved in write.moved}
    rows = Rows(write.linked, write.unlinked, frozenset(entry.pk for entry in write.gone), held)
    new = {entry.pk for entry, _found in write.new}
    stated = {moved.entry.pk for moved in write.moved} | new
    return [entry for entry in follow(rows, [m.entry.pk for m in write.moved]) if entry.pk not in stated]


def _changes(write: Write, followed: Sequence[Entry]) -> list[dict[str, Any]]:
    """In this order: what is new, what moved and what that moved, links made and ended, what is gone."""
    return [
        *(as_change("create", entry.pk, state_of(entry)) for entry, _found in write.new),
        *(_said(moved.do, moved.entry, moved.more) for moved in write.moved),
        *(_said(FOLLOWED, entry, {}) for entry in followed),
        *(_related(RELATE, link) for link in write.linked),
        *(_related(UNRELATE, link) for link in write.unlinked),
        *({"do": FORGET, "id": entry.pk, "entry": entry.address} for entry in write.gone),
    ]


def _said(do: str, entry: Entry, more: dict[str, Any]) -> dict[str, Any]:
    return as_change(do, entry.pk, state_of(entry), entry=entry.address, **more)


def _related(do: str, link: Link) -> dict[str, Any]:
    said = {"do": do, "type": str(link.type), "id": link.entry_id, "other": link.other_id}
    return said | ({"digest": link.digest} if do == RELATE else {})


def state_of(entry: Entry) -> State:
    """The row as a commit states it."""
    said: dict[str, Any] = {name: getattr(entry, name) for name in NAMES if name != "superseded_by"}
    said |= {name: moment(said[name]) for name in MOMENTS}
    return State(superseded_by=entry.superseded_by_id, **said)


def _rows(owner: Account, write: Write, followed: Sequence[Entry], made: Commit) -> None:
    created = [entry for entry, _found in write.new]
    for position, entry in enumerate(created):
        entry.address = entry_address(made.address, position)
    changed = [*(moved.entry for moved in write.moved), *followed]
    if any(entry.key for entry in (*created, *changed)):
        # At no moment may two rows hold a key: whatever their order, one can take over what another has.
        Entry.objects.filter(pk__in=[entry.pk for entry in changed]).exclude(key="").update(key="")
    Entry.objects.bulk_create(created, batch_size=500)
    for entry in changed:
        entry.save(update_fields=COLUMNS)
    _words(owner, created, [moved.entry for moved in write.moved])
    _vectors(write)
    _links(write, made)
    if write.gone:
        _gone(owner, write.gone, made)


def _words(owner: Account, created: Sequence[Entry], moved: Sequence[Entry]) -> None:
    """The texts that the commit names, and the folded words of those that changed. New ones have theirs already."""
    known = TextVersion.objects.filter(digest__in=[entry.digest for entry in moved]).values_list("digest", flat=True)
    held = set(known) if moved else set()
    fresh = [entry for entry in moved if entry.digest not in held]
    TextVersion.objects.bulk_create(
        (
            TextVersion(
                owner_id=owner_id(owner),
                entry=entry.pk,
                digest=entry.digest,
                salt=entry.salt,
                **{name: getattr(entry, name) for name in WORDS},
            )
            for entry in (*created, *fresh)
        ),
        batch_size=500,
    )
    word_channel.refold([(entry.pk, entry.text) for entry in moved])


def _vectors(write: Write) -> None:
    renewed = [(moved.entry, moved.found) for moved in write.moved if moved.found is not None]
    vector_channel.drop([entry.pk for entry, _found in renewed])
    keep_vectors([*write.new, *renewed], write.regime)


def keep_vectors(pairs: Sequence[tuple[Entry, Embedded]], regime: str) -> None:
    vector_channel.keep(
        Kept(entry.pk, entry.version, part, regime, vector)
        for entry, each in pairs
        for part, vector in enumerate(each.vectors)
    )


def _links(write: Write, made: Commit) -> None:
    for link in write.linked:
        link.owner_id, link.since = made.owner_id, made.tick
    Link.objects.filter(pk__in=[link.pk for link in write.unlinked]).update(until=made.tick)
    Link.objects.bulk_create(write.linked, batch_size=500)


def _gone(owner: Account, gone: Sequence[Entry], made: Commit) -> None:
    """The rows; triggers take their words and vectors. A tombstone stays, without a word of them."""
    ids = [entry.pk for entry in gone]
    TextVersion.objects.of(owner).filter(entry__in=ids).delete()
    vector_channel.drop(ids)
    Entry.objects.of(owner).filter(pk__in=ids).delete()
    Tombstone.objects.bulk_create(
        Tombstone(
            owner_id=owner_id(owner),
            entry=entry.pk,
            address=entry.address,
            message=entry.message,
            source=entry.source,
            commit=made.address,
            at=timezone.now(),
        )
        for entry in gone
    )
    vector_channel.settle()
