"""Write entries: one that a person, a tool or the API hands over, or a batch.

The embedder is asked before the transaction: inside it, its seconds would be seconds in which nobody else can write.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.errors import EmptyError, InvalidError, TooLargeError
from forgesite.lib.embeddings import Door
from forgesite.models import Account
from forgesite.owned import owner_id
from memory import embedding, store
from memory.domain.sameness import sameness
from memory.domain.wording import LARGEST, Clean, clean, is_degenerate, size
from memory.errors import DegenerateError
from memory.models import KIND_SYNONYMS, LIVE, Entry, Kind, Origin, Status
from memory.pending import is_indexed
from memory.store import Moved, Write
from memory.to_embed import to_embed, waiting_note


@dataclass(frozen=True)
class Draft:
    """What is to be remembered. `status` empty: `open` for a todo, `active` for the rest."""

    text: str
    kind: str = "fact"
    project: str = ""
    status: str = ""
    event_at: datetime | None = None
    said_at: datetime | None = None
    origin: str = Origin.PERSON
    conversation: str = ""
    message: int | None = None
    source: str = ""
    pinned: bool = False


@dataclass(frozen=True)
class Saved:
    """`created` is False for the same fact, newly confirmed. `count_of_kind`: live entries of that kind, this too.

    `indexed` is False while it waits for its vectors: until then its words alone find it.
    """

    entry: Entry
    count_of_kind: int
    created: bool
    notes: tuple[str, ...]
    indexed: bool = True


@dataclass(frozen=True)
class Batch:
    """The new entries, and how many drafts were skipped as already there or as no memory.

    `waiting`: those of the new ones that have no vectors yet.
    """

    entries: tuple[Entry, ...]
    duplicates: int
    degenerate: int
    waiting: tuple[Entry, ...] = ()


def remember(owner: Account, draft: Draft, *, actor: str, cause: str, door: Door | None = None) -> Saved:
    """Save one entry, or confirm the live one that says the same (same kind, project and event time).

    Raises EmptyError, DegenerateError, TooLargeError, InvalidError, or EmbeddingError; then nothing was stored.
    With EMBEDDING_OUTAGE=queue an embedder that fails raises nothing: the entry waits for its vectors.
    """
    draft, notes = checked(draft)
    known = same(owner, draft)
    if known is not None:
        return confirmed(owner, known, notes, actor=actor, cause=cause)
    ready = to_embed(door or embedding.served(), [draft.text], alone=True)
    [found] = ready.found
    with transaction.atomic():
        known = same(owner, draft)  # another writer may have been first
        if known is not None:
            return confirmed(owner, known, notes, actor=actor, cause=cause)
        entry = new_entry(owner, draft)
        store.commit(owner, Write(new=[(entry, found)], regime=ready.regime), actor=actor, cause=cause)
    notes += (*tail_note(found.dropped), *waiting_note(found))
    return Saved(entry, count_of_kind(owner, entry.kind), True, notes, indexed=not found.waiting)


def remember_many(
    owner: Account, drafts: Sequence[Draft], *, actor: str, cause: str, door: Door | None = None
) -> Batch:
    """Save a batch in one transaction and one commit, or nothing of it.

    Skipped: what is degenerate or blank, and exact duplicates (text, kind, project and event time, or `source`)
    within the batch and against the owner's store, whatever their status. One that is too large for the embedding model
    is stored all the same, and waits; an embedder that fails is dealt with as `remember` does.
    """
    usable = [checked(draft)[0] for draft in drafts if not is_degenerate(draft.text)]
    degenerate = len(drafts) - len(usable)
    fresh = unseen(owner, usable)
    ready = to_embed(door or embedding.served(), [draft.text for draft in fresh])
    with transaction.atomic():
        kept = {key(draft) for draft in unseen(owner, fresh)}  # another writer may have been first
        pairs = [(draft, each) for draft, each in zip(fresh, ready.found, strict=True) if key(draft) in kept]
        new = [(new_entry(owner, draft), each) for draft, each in pairs]
        store.commit(owner, Write(new=new, regime=ready.regime), actor=actor, cause=cause)
    written = tuple(entry for entry, _each in new)
    waiting = tuple(entry for entry, each in new if each.waiting)
    return Batch(written, len(usable) - len(written), degenerate, waiting)


def checked(draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """The draft as it can be stored, with notes on what was changed. Raises where it cannot be."""
    cleaned = clean(draft.text)
    if not cleaned.text.strip():
        raise EmptyError(_("There is nothing to remember: the text is empty."))
    refuse_large(cleaned.text)
    if is_degenerate(cleaned.text):
        raise DegenerateError(
            _("“%(text)s” is one word. Say what there is to know about it.") % {"text": cleaned.text.strip()[:80]}
        )
    kind = known_kind(draft.kind)
    status = draft.status or (Status.OPEN if kind == Kind.TODO else Status.ACTIVE)
    refuse_status(kind, status)
    project = clean(draft.project).text.strip()[:256]
    return replace(draft, text=cleaned.text, kind=kind, status=status, project=project), cleaning_notes(cleaned)


def refuse_large(text: str) -> None:
    if (bytes_ := size(text)) > LARGEST:
        raise TooLargeError(
            _("The text has %(size)d bytes; a memory may have %(limit)d.") % {"size": bytes_, "limit": LARGEST},
            detail={"size": bytes_, "limit": LARGEST},
        )


def known_kind(kind: str) -> Kind:
    """The kind by its name or a synonym (`task`, `episode`). Raises InvalidError for another."""
    name = KIND_SYNONYMS.get(kind, kind)
    if name not in Kind.values:
        raise InvalidError(
            _("“%(kind)s” is no kind of memory. Kinds are: %(kinds)s.")
            % {"kind": kind[:40], "kinds": ", ".join(Kind.values)}
        )
    return Kind(name)


def refuse_status(kind: str, status: str) -> None:
    """Raises InvalidError where an entry of this kind cannot be in this state."""
    own = (Status.OPEN, Status.CLOSED) if kind == Kind.TODO else (Status.ACTIVE,)
    allowed = (*own, Status.ARCHIVED, Status.RETRACTED)
    if status not in allowed:
        raise InvalidError(
            _("A %(kind)s cannot be “%(status)s”; it can be %(allowed)s.")
            % {"kind": kind, "status": status[:40], "allowed": ", ".join(allowed)}
        )


def cleaning_notes(cleaned: Clean) -> tuple[str, ...]:
    notes = []
    if cleaned.nul:
        notes.append(_("NUL characters were removed."))
    if cleaned.surrogates:
        notes.append(_("Characters that are no text (half of a pair) were replaced by �."))
    return tuple(notes)


def tail_note(dropped: int) -> tuple[str, ...]:
    if not dropped:
        return ()
    return (_("The last %(count)d characters are found by words only: the text is long.") % {"count": dropped},)


def same(owner: Account, draft: Draft) -> Entry | None:
    """The live entry that says the same: case, white space, quote style and a final full stop aside."""
    return (
        Entry.objects.of(owner)
        .filter(sameness=sameness(draft.text), kind=draft.kind, project=draft.project, event_at=draft.event_at)
        .filter(status__in=LIVE)
        .order_by("id")
        .first()
    )


def confirmed(owner: Account, entry: Entry, notes: tuple[str, ...], *, actor: str, cause: str) -> Saved:
    """The same fact said again: it counts as reviewed now, and nothing else about it changes."""
    with transaction.atomic():
        entry.last_reviewed_at = timezone.now()
        store.commit(owner, Write(moved=[Moved(entry, "reaffirm")]), actor=actor, cause=cause)
    return Saved(entry, count_of_kind(owner, entry.kind), False, notes, is_indexed(entry))


def count_of_kind(owner: Account, kind: str) -> int:
    return Entry.objects.of(owner).live().filter(kind=kind).count()


def new_entry(owner: Account, draft: Draft) -> Entry:
    now = timezone.now()
    return Entry(
        owner_id=owner_id(owner),
        project=draft.project,
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
        recorded_at=now,
        updated_at=now,
        pinned=draft.pinned,
    )


Key = tuple[str, str, str, datetime | None]


def key(draft: Draft) -> Key:
    return (draft.text, draft.kind, draft.project, draft.event_at)


def unseen(owner: Account, drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts that neither the store nor an earlier one of the batch already says."""
    texts, sources = stored(owner, drafts)
    fresh: list[Draft] = []
    for draft in drafts:
        if key(draft) in texts or (draft.source and draft.source in sources):
            continue
        texts.add(key(draft))
        sources.add(draft.source)
        fresh.append(draft)
    return fresh


def stored(owner: Account, drafts: Sequence[Draft]) -> tuple[set[Key], set[str]]:
    """What of the drafts the store holds: by words, and by an import's own ids."""
    rows = Entry.objects.of(owner)
    texts: set[Key] = set()
    sources: set[str] = set()
    for some in batches([sameness(draft.text) for draft in drafts]):
        texts.update(rows.filter(sameness__in=some).values_list("text", "kind", "project", "event_at"))
    for some in batches([draft.source for draft in drafts if draft.source]):
        sources.update(rows.filter(source__in=some).values_list("source", flat=True))
    return texts, sources


def batches(values: Sequence[str], at_once: int = 900) -> Iterable[Sequence[str]]:
    return (values[start : start + at_once] for start in range(0, len(values), at_once))
