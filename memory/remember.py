"""Write entries: one that a person, a tool or the API hands over, or a batch.

The embedder is asked before the transaction: inside it, its seconds would be seconds in which nobody else can write.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.lib.embeddings import Door
from forgesite.models import Account
from forgesite.owned import owner_id
from memory import aliases, embedding, keys, sources, store
from memory.domain.sameness import sameness
from memory.domain.wording import is_degenerate
from memory.drafts import Draft, checked
from memory.erasing.tombstones import forgotten, refuse_forgotten
from memory.event_time import with_time
from memory.ground import ground
from memory.known import same, unseen
from memory.models import Commit, Entry, Kind, Link
from memory.regime.pending import is_indexed
from memory.regime.to_embed import to_embed, waiting_note
from memory.sources import Rests
from memory.store import Moved, Write
from memory.written import notes_on

__all__ = ["Batch", "Draft", "Saved", "count_of_kind", "remember", "remember_many", "unseen"]


@dataclass(frozen=True)
class Saved:
    """`created` is False for the same fact, newly confirmed. `count_of_kind`: live entries of that kind, this too.

    `replaced`: the version of its key before it. `indexed` is False while it waits for its vectors: until then its
    words alone find it. `commit`: the address of the commit that says so, and can be undone.
    """

    entry: Entry
    count_of_kind: int
    created: bool
    notes: tuple[str, ...]
    indexed: bool = True
    replaced: Entry | None = None
    commit: str = ""


@dataclass(frozen=True)
class Batch:
    """The new entries, and how many drafts were skipped: there already, no memory, or from where one was forgotten.

    `waiting`: those of the new ones that have no vectors yet.
    """

    entries: tuple[Entry, ...]
    duplicates: int
    degenerate: int
    waiting: tuple[Entry, ...] = ()
    forgotten: int = 0


def remember(owner: Account, draft: Draft, *, actor: str, cause: str, door: Door | None = None) -> Saved:
    """Save one entry, or confirm the one that says the same (same kind, project, key and event time).

    Under a key it takes the place of that key's current version, which is kept. Raises what drafts.py, ground.py and
    tombstones.py refuse, or EmbeddingError; then nothing was stored. With EMBEDDING_OUTAGE=queue an embedder that fails
    raises nothing: the entry waits for its vectors.
    """
    draft, notes = prepared(owner, draft)
    refuse_forgotten(owner, draft)
    if same(owner, draft) and (known := confirmed(owner, draft, notes, actor=actor, cause=cause)):
        return known
    before = ground(owner, [draft], actor)
    ready = to_embed(door or embedding.served(), [draft.text], alone=True)
    [found] = ready.found
    with keys.transaction():
        refuse_forgotten(owner, draft)
        if known := confirmed(owner, draft, notes, actor=actor, cause=cause):  # another writer was first
            return known
        now = ground(owner, [draft], actor, before)
        entry = new_entry(owner, draft)
        write = Write(new=[(entry, found)], linked=now.links(0, entry), regime=ready.regime)
        made = store.commit(owner, write, actor=actor, cause=cause)
        replaced = now.currents.get(keys.name_of(draft))
        aliases.propose(owner, entry, replaced.text if replaced else "")
    notes += (*tail_note(found.dropped), *waiting_note(found))
    notes += (*version_note(replaced), *unproved_note(entry, now.rests[0]), *notes_on(owner, entry))
    return Saved(entry, count_of_kind(owner, entry.kind), True, notes, not found.waiting, replaced, address_of(made))


def remember_many(
    owner: Account, drafts: Sequence[Draft], *, actor: str, cause: str, door: Door | None = None
) -> Batch:
    """Save a batch in one transaction and one commit, or nothing of it.

    Skipped: what is degenerate or blank, what tombstones.py refuses, and exact duplicates (text, kind, project and
    event time, or `source`) within the batch and against the owner's store, whatever their status; under a key against
    its current version alone, and each key once. One that is too large for the embedding model is stored all the same,
    and waits; an embedder that fails is dealt with as `remember` does.
    """
    usable = [prepared(owner, draft)[0] for draft in drafts if not is_degenerate(draft.text)]
    keys.refuse_twice(usable)
    fresh, gone = _fresh(owner, usable)
    before = ground(owner, fresh, actor)
    ready = to_embed(door or embedding.served(), [draft.text for draft in fresh])
    with keys.transaction():
        still, gone_since = _fresh(owner, fresh)  # another writer may have been first
        now = ground(owner, still, actor, before)
        vectors = dict(zip(fresh, ready.found, strict=True))
        new = [(new_entry(owner, draft), vectors[draft]) for draft in still]
        linked = [link for place, (entry, _found) in enumerate(new) for link in now.links(place, entry)]
        store.commit(owner, Write(new=new, linked=linked, regime=ready.regime), actor=actor, cause=cause)
    return Batch(
        entries=tuple(entry for entry, _found in new),
        duplicates=len(usable) - len(new) - gone - gone_since,
        degenerate=len(drafts) - len(usable),
        waiting=tuple(entry for entry, found in new if found.waiting),
        forgotten=gone + gone_since,
    )


def _fresh(owner: Account, drafts: Sequence[Draft]) -> tuple[list[Draft], int]:
    """The drafts that are to be written, and how many are not because where they came from is forgotten."""
    gone = forgotten(owner, drafts)
    left = [draft for draft in drafts if draft not in gone] if gone else drafts
    return unseen(owner, left), len(drafts) - len(left)


def prepared(owner: Account, draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """As it can be stored, with the time that its words tell."""
    draft, notes = checked(draft)
    draft, read = with_time(owner, draft)
    return draft, (*notes, *read)


def confirmed(owner: Account, draft: Draft, notes: tuple[str, ...], *, actor: str, cause: str) -> Saved | None:
    """The same said again: it counts as reviewed now, and rests on the new sources too. None where nothing says it."""
    with keys.transaction():
        entry = same(owner, draft)
        if entry is None:
            return None
        [rests] = sources.rests_of(owner, [draft])
        known = set(Link.objects.of(owner).standing().filter(entry=entry).values_list("type", "other"))
        linked = [link for link in rests.links(entry) if (link.type, link.other_id) not in known]
        entry.last_reviewed_at = timezone.now()
        made = store.commit(owner, Write(moved=[Moved(entry, "reaffirm")], linked=linked), actor=actor, cause=cause)
    count = count_of_kind(owner, entry.kind)
    return Saved(entry, count, False, notes, is_indexed(entry), commit=address_of(made))


def address_of(commit: Commit | None) -> str:
    return commit.address if commit else ""


def tail_note(dropped: int) -> tuple[str, ...]:
    if not dropped:
        return ()
    return (_("The last %(count)d characters are found by words only: the text is long.") % {"count": dropped},)


def version_note(replaced: Entry | None) -> tuple[str, ...]:
    if replaced is None:
        return ()
    return (_("It is the new version of #%(id)d, which is kept.") % {"id": replaced.pk},)


def unproved_note(entry: Entry, rests: Rests) -> tuple[str, ...]:
    if entry.kind != Kind.SUMMARY or rests.sources:
        return ()
    return (_("Its sources are not known here: nothing will say when this summary is no longer true."),)


def count_of_kind(owner: Account, kind: str) -> int:
    return Entry.objects.of(owner).live().filter(kind=kind).count()


def new_entry(owner: Account, draft: Draft) -> Entry:
    now = timezone.now()
    return Entry(
        owner_id=owner_id(owner),
        project=draft.project,
        key=draft.key,
        kind=draft.kind,
        status=draft.status,
        origin=draft.origin,
        text=draft.text,
        sameness=sameness(draft.text),
        conversation=draft.conversation,
        message=draft.message,
        source=draft.source,
        said_at=draft.said_at or now,
        event_at=draft.event_at,
        event_words=draft.event_words,
        recorded_at=now,
        updated_at=now,
        pinned=draft.pinned,
    )
