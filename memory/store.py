"""The one place where a change of memory is written: rows, words, vectors, links and one commit, together."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from forgesite.lib.vectors import packed
from forgesite.models import Account
from forgesite.owned import owner_id
from memory import change_log, ledger, vector_channel, word_channel
from memory.as_found import as_found
from memory.domain.chain import PRESENT, entry_address, text_digest, vectors_digest, words_digest
from memory.domain.sameness import sameness
from memory.domain.states import ADOPT, CREATE, EMBED, FOLLOW, FORGET, NAMES, RELATE, UNRELATE, as_change
from memory.embedding import Embedded
from memory.folds import folded
from memory.models import Commit, Entry, Link, TextVersion, Tombstone
from memory.numbering import next_ids
from memory.standing import Rows, follow
from memory.stating import state_of as state_of
from memory.vector_channel import Kept

#: What is read back of a row to state it, and written of one that moved.
COLUMNS = (*NAMES, "text", "project", "key", "event_words", "sameness", "salt")
WORDS = ("text", "project", "key", "event_words")
#: What leaves an entry's words and status as they are.
STILL = (EMBED, "reaffirm")
#: As in ledger.py: of each write, and quicker than the ORM can say it.
KEEP_TEXT = """
INSERT INTO memory_textversion (owner_id, entry, digest, salt, text, project, key, event_words, form)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
"""


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
    #: Rows that are there already, though no commit says so: what is put in from outside.
    inserted: list[Entry] = field(default_factory=list)

    @property
    def created(self) -> list[Entry]:
        return [*(entry for entry, _found in self.new), *self.inserted]

    def __bool__(self) -> bool:
        return any((self.new, self.inserted, self.moved, self.linked, self.unlinked, self.gone))


def commit(owner: Account, write: Write, *, actor: str, cause: str) -> Commit | None:
    """Write all of it in one transaction, with the commit that says it. None, and no commit, for nothing at all.

    What follows for other rows (see standing.py) is written and said too. A row that was changed from outside is first
    stated as it was found, and its line stays: nothing is taken in without a word. Call it inside the transaction that
    read what the write rests on, or nobody else may have written since.
    """
    if not write:
        return None
    with change_log.ours(savepoint=False) as edited:
        _end_folds(owner, write)
        _number(write)
        followed = _follow(write)
        found = _found(owner, write, followed) if edited else []
        changes = _changes(write, followed, found)
        made = ledger.append(owner, actor, cause, changes)
        _keep_texts(owner, _unkept(found))
        _rows(owner, write, followed, made)
        return made


def _end_folds(owner: Account, write: Write) -> None:
    """Those that no longer hold once it is written."""
    moved = [moved.entry for moved in write.moved if moved.do not in STILL]
    over = folded.broken(owner, moved, write.linked, write.unlinked)
    write.unlinked += over.links
    write.moved += [Moved(entry, folded.take_back(entry)) for entry in over.entries]


def _number(write: Write) -> None:
    """Ids and salted digests, which the commit names before the rows are there."""
    entries = [entry for entry, _found in write.new]
    for entry, pk in zip(entries, word_channel.prepare([entry.text for entry in entries]), strict=True):
        entry.pk = pk
    for entry, found in write.new:
        _digest(entry)
        entry.embedded = embedded(entry, found, write.regime)
    for entry in write.inserted:
        _digest(entry)
    for moved in write.moved:
        _digest(moved.entry)
        if moved.found is not None:
            moved.entry.embedded = embedded(moved.entry, moved.found, write.regime)
    for link, pk in zip(write.linked, next_ids(Link, len(write.linked)), strict=True):
        link.pk, link.entry_id, link.other_id = pk, link.entry.pk, link.other.pk
        link.digest = link.digest or text_digest(link.other.salt, link.other.text)


def _digest(entry: Entry) -> None:
    entry.salt = entry.salt or secrets.token_hex(16)
    entry.sameness = sameness(entry.text)
    entry.digest = words_digest(entry.salt, entry.text, entry.project, entry.key, entry.event_words)


def embedded(entry: Entry, found: Embedded, regime: str) -> str:
    """What a commit says of these vectors of the entry."""
    return vectors_digest(entry.salt, regime, (packed(vector) for vector in found.vectors))


def _follow(write: Write) -> list[Entry]:
    stated = {entry.pk: entry for entry in (*write.created, *(moved.entry for moved in write.moved))}
    rows = Rows(write.linked, write.unlinked, frozenset(entry.pk for entry in write.gone), dict(stated))
    return [entry for entry in follow(rows, [m.entry.pk for m in write.moved]) if entry.pk not in stated]


def _found(owner: Account, write: Write, followed: Sequence[Entry]) -> list[Entry]:
    verbs = [moved for moved in write.moved if moved.do != ADOPT]
    renewed = {moved.entry.pk: moved.entry.embedded for moved in verbs if moved.found is not None}
    moving = [*(moved.entry for moved in verbs), *followed, *write.gone]
    found = as_found(owner, moving)
    for entry in moving:
        entry.embedded = renewed.get(entry.pk, entry.embedded)
    return found


def _changes(write: Write, followed: Sequence[Entry], found: Sequence[Entry]) -> list[dict[str, Any]]:
    """In this order: new rows, rows as they were found, what moved and what that moved, links, what is gone."""
    return [
        *(as_change(CREATE, entry.pk, state_of(entry)) for entry in write.created),
        *(_said(ADOPT, entry, {}) for entry in found),
        *(_said(moved.do, moved.entry, moved.more) for moved in write.moved),
        *(_said(FOLLOW, entry, {}) for entry in followed),
        *(_related(RELATE, link) for link in write.linked),
        *(_related(UNRELATE, link) for link in write.unlinked),
        *({"do": FORGET, "id": entry.pk, "entry": entry.address} for entry in write.gone),
    ]


def _said(do: str, entry: Entry, more: dict[str, Any]) -> dict[str, Any]:
    return as_change(do, entry.pk, state_of(entry), entry=entry.address, **more)


def _related(do: str, link: Link) -> dict[str, Any]:
    said = {"do": do, "type": str(link.type), "id": link.entry_id, "other": link.other_id, "link": link.pk}
    return said | ({"digest": link.digest} if do == RELATE else {})


def _rows(owner: Account, write: Write, followed: Sequence[Entry], made: Commit) -> None:
    created = write.created
    for position, entry in enumerate(created):
        entry.address = entry_address(made.address, position)
    if write.gone:  # first: another row may take over its key
        _gone(owner, write.gone, made)
    changed = [*(moved.entry for moved in write.moved), *followed]
    if any(entry.key for entry in (*created, *changed)):
        # At no moment may two rows hold a key: whatever their order, one can take over what another has.
        Entry.objects.filter(pk__in=[entry.pk for entry in changed]).exclude(key="").update(key="")
    Entry.objects.bulk_create([entry for entry, _found in write.new], batch_size=500)
    for entry in write.inserted:
        entry.save(update_fields=(*COLUMNS, "address"))
    for entry in changed:
        entry.save(update_fields=COLUMNS)
    _keep_texts(owner, created)
    moved = [moved.entry for moved in write.moved]
    _keep_texts(owner, _unkept(moved))
    if write.inserted or moved:
        word_channel.refold([(entry.pk, entry.text) for entry in (*write.inserted, *moved)])
    _vectors(write)
    _links(write, made)
    if write.gone:
        vector_channel.settle()


def _unkept(entries: Sequence[Entry]) -> list[Entry]:
    """Those whose words no commit named before."""
    if not entries:
        return []
    held = set(TextVersion.objects.filter(digest__in=[e.digest for e in entries]).values_list("digest", flat=True))
    return [entry for entry in entries if entry.digest not in held]


def _keep_texts(owner: Account, entries: Sequence[Entry]) -> None:
    """The words that the commit names."""
    if not entries:
        return
    with connection.cursor() as cursor:
        cursor.executemany(
            KEEP_TEXT,
            [
                (owner_id(owner), each.pk, each.digest, each.salt, *(getattr(each, name) for name in WORDS), PRESENT)
                for each in entries
            ],
        )


def _vectors(write: Write) -> None:
    renewed = [(moved.entry, moved.found) for moved in write.moved if moved.found is not None]
    if renewed:
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
    if write.unlinked:
        Link.objects.filter(pk__in=[link.pk for link in write.unlinked]).update(until=made.tick)
    if write.linked:
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
            at=made.at,
        )
        for entry in gone
    )
