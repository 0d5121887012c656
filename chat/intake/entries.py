"""What a store of an earlier Forge adds to memory: its entries, and which of them speaks for which.

Kinds, keys and states are kept; vectors never are. A second import changes nothing: each entry is known by what its
store called it, and what a person changed, replaced or forgot here since stays as they left it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from chat.embedding_ahead import Ahead
from chat.importers.entries import ReadEntries, ReadEntry
from chat.importers.imported import Note, Skipped
from chat.intake.plan import Foreseen
from chat.intake.report import BroughtEntries
from chat.intake.write import ACTOR
from forgesite.errors import ForgeError
from forgesite.models import Account
from memory.aliases import propose_all
from memory.domain.sameness import sameness
from memory.erasing.tombstones import forgotten
from memory.errors import EmbeddingError
from memory.ground import ground
from memory.keys import batched
from memory.models import Entry, Kind, Link, LinkType, Origin, Tombstone
from memory.relate import relate
from memory.remember import Draft, prepared, remember_many, unseen

#: Entries written together: all of them or none.
TOGETHER = 500
Pair = tuple[Draft, Draft]


@dataclass(frozen=True)
class EntryPlan:
    """`drafts` by name are new; `pairs` are to be linked: what speaks first, as memory would store both."""

    drafts: dict[str, Draft]
    pairs: tuple[Pair, ...]
    told: BroughtEntries


def foresee_entries(owner: Account, store: ReadEntries, otherwise: datetime, foreseen: Foreseen) -> BroughtEntries:
    """What `bring_entries` would do after everything that is foreseen already. Nothing is written."""
    return _plan(owner, store, otherwise, foreseen).told


def bring_entries(owner: Account, store: ReadEntries, otherwise: datetime, door: Ahead | None) -> BroughtEntries:
    """Write what is new of it. `otherwise`: when it was said, where the store does not know.

    Raises EmbeddingError; what was written up to there stays, and importing again goes on.
    """
    plan = _plan(owner, store, otherwise, Foreseen())
    new: Counter[str] = Counter()
    waiting = 0
    skipped = list(plan.told.skipped)
    for drafts in _together(plan.drafts):
        if door:
            door.prepare([draft.text for draft in drafts.values()])
        try:
            with transaction.atomic():
                batch = remember_many(owner, [*drafts.values()], actor=ACTOR, cause=_cause(store), door=door)
                propose_all(owner, batch.entries)
        except EmbeddingError:
            raise
        except ForgeError as error:  # of a key that somebody took meanwhile
            if len(drafts) > 1:
                raise
            skipped += [Skipped(name, error.message) for name in drafts]
            continue
        new.update(entry.kind for entry in batch.entries)
        waiting += len(batch.waiting)
    linked, refused = _link(owner, plan.pairs, _cause(store))
    return replace(plan.told, new=new, waiting=waiting, spoken_for=linked, skipped=(*skipped, *refused))


def _cause(store: ReadEntries) -> str:
    return f"import {store.format}"


def _together(drafts: dict[str, Draft]) -> Iterator[dict[str, Draft]]:
    """What has a key goes alone: the next one may be its new version, and a person's own version is not replaced."""
    plain = [name for name, draft in drafts.items() if not draft.key]
    yield from ({name: drafts[name] for name in some} for some in batched(plain, TOGETHER))
    yield from ({name: draft} for name, draft in drafts.items() if draft.key)


# -- what is new


def _plan(owner: Account, store: ReadEntries, otherwise: datetime, foreseen: Foreseen) -> EntryPlan:
    usable, skipped = _usable(owner, store, otherwise)
    gone = forgotten(owner, [*usable.values()]) | _buried(owner, store, usable)
    left = {name: draft for name, draft in usable.items() if draft not in gone}
    new = {draft.source for draft in unseen(owner, [*left.values()])}
    fresh = {name: draft for name, draft in left.items() if draft.source in new and not _foreseen(foreseen, draft)}
    refused = list(_refused(owner, fresh))
    drafts = {name: draft for name, draft in fresh.items() if name not in {one.name for one in refused}}
    pairs = _pairs(owner, store, left)
    undated = sum(entry.at is None for entry in store.entries)
    told = BroughtEntries(
        store.format,
        Counter(draft.kind for draft in drafts.values()),
        there=len(left) - len(fresh),
        spoken_for=len(pairs),
        forgotten=len(gone),
        skipped=(*store.skipped, *skipped, *refused),
        notes=store.notes + Counter({Note.NO_DATE: undated} if undated else {}),
    )
    raw = {entry.name: _draft(store, entry, otherwise) for entry in store.entries}
    return EntryPlan({name: raw[name] for name in drafts}, pairs, told)


def _buried(owner: Account, store: ReadEntries, usable: dict[str, Draft]) -> set[Draft]:
    """Those that were exported here, and forgotten since."""
    names = {entry.source_id: entry.name for entry in store.entries if entry.name in usable}
    here = Tombstone.objects.of(owner).values_list("address", flat=True)
    return {usable[names[address]] for some in batched([*names]) for address in here.filter(address__in=some)}


def _usable(owner: Account, store: ReadEntries, otherwise: datetime) -> tuple[dict[str, Draft], list[Skipped]]:
    """By name, as memory would store them; and what it would not."""
    usable: dict[str, Draft] = {}
    skipped: list[Skipped] = []
    for entry in store.entries:
        try:
            usable[entry.name], _notes = prepared(owner, _draft(store, entry, otherwise))
        except ForgeError as error:
            skipped.append(Skipped(entry.name, error.message))
    return usable, skipped


def _draft(store: ReadEntries, entry: ReadEntry, otherwise: datetime) -> Draft:
    return Draft(
        text=entry.text,
        kind=entry.kind,
        project=entry.project,
        key=entry.key,
        status=entry.status,
        event_at=entry.event_at,
        said_at=entry.at or otherwise,
        origin=Origin.IMPORT,
        source=f"{store.format}:{entry.source_id}",
    )


def _foreseen(foreseen: Foreseen, draft: Draft) -> bool:
    """Whether a plan that is not carried out yet brings it; if not, this one will have."""
    plain = draft.kind == Kind.EXCHANGE and not draft.project and draft.event_at is None
    if foreseen.entries.has(draft) or (plain and draft.text in foreseen.texts):
        return True
    foreseen.entries.add(draft)
    if plain:
        foreseen.texts.add(draft.text)
    return False


def _refused(owner: Account, drafts: dict[str, Draft]) -> Iterator[Skipped]:
    """What holds a key already that no import may take."""
    for name, draft in drafts.items():
        if not draft.key:
            continue
        try:
            ground(owner, [draft], ACTOR)
        except ForgeError as error:
            yield Skipped(name, error.message)


# -- what speaks for what


def _pairs(owner: Account, store: ReadEntries, held: dict[str, Draft]) -> tuple[Pair, ...]:
    """Those that no import has linked yet: what a person unwound stays unwound."""
    drafts = {entry.source_id: held[entry.name] for entry in store.entries if entry.name in held}
    pairs = [(drafts[by], drafts[other]) for by, other in store.spoken_for if {by, other} <= drafts.keys()]
    ids = _ids(owner, [draft for pair in pairs for draft in pair])
    return tuple(pair for pair in pairs if not _ever_linked(owner, *(ids.get(draft.source) for draft in pair)))


def _ids(owner: Account, drafts: Sequence[Draft]) -> dict[str, int]:
    """By source. One that was in memory already in the very same words is that entry."""
    rows = Entry.objects.of(owner).order_by("-id")
    found: dict[str, int] = {}
    for some in batched(drafts):
        words = rows.filter(sameness__in=[sameness(draft.text) for draft in some])
        same = {(entry.text, entry.kind, entry.project, entry.event_at): entry.pk for entry in words}
        known = dict(rows.filter(source__in=[draft.source for draft in some]).values_list("source", "id"))
        for draft in some:
            pk = known.get(draft.source) or same.get((draft.text, draft.kind, draft.project, draft.event_at))
            found |= {draft.source: pk} if pk else {}
    return found


def _ever_linked(owner: Account, by: int | None, other: int | None) -> bool:
    """Two names of one entry are as good as linked."""
    if by is None or other is None:
        return False
    links = Link.objects.of(owner).filter(type=LinkType.SPEAKS_FOR, entry=by, other=other)
    return by == other or links.exists()


def _link(owner: Account, pairs: Sequence[Pair], cause: str) -> tuple[int, list[Skipped]]:
    """How many were linked, and which could not be."""
    ids = _ids(owner, [draft for pair in pairs for draft in pair])
    linked, refused = 0, []
    for by, other in (
        (ids[by.source], ids[other.source]) for by, other in pairs if {by.source, other.source} <= ids.keys()
    ):
        try:
            relate(owner, by, LinkType.SPEAKS_FOR, other, actor=ACTOR, cause=cause)
            linked += 1
        except ForgeError as error:
            refused.append(Skipped(f"#{by} -> #{other}", error.message))
    return linked, refused
