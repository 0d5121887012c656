"""Is it there already? One by one by what two texts that say the same have in common, in a batch to the letter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from forgesite.models import Account
from memory import keys
from memory.domain.sameness import sameness
from memory.drafts import Draft
from memory.keys import Name, batched
from memory.models import Entry

Words = tuple[str, str, str, datetime | None]


def same(owner: Account, draft: Draft) -> Entry | None:
    """The current entry that says the same: case, white space, quote style and a final full stop aside.

    Under a key only that of the key counts; without one, any that says it.
    """
    rows = Entry.objects.of(owner).standing().filter(key=draft.key) if draft.key else Entry.objects.of(owner).standing()
    said = {"sameness": sameness(draft.text), "kind": draft.kind, "project": draft.project, "event_at": draft.event_at}
    return rows.filter(**said).order_by("id").first()


@dataclass
class Known:
    """What the store holds of a batch: words, an import's own ids, and the current version of each key."""

    words: set[Words] = field(default_factory=set)
    sources: set[str] = field(default_factory=set)
    currents: dict[Name, Entry] = field(default_factory=dict)

    def has(self, draft: Draft) -> bool:
        if draft.source and draft.source in self.sources:
            return True
        if not draft.key:
            return words_of(draft) in self.words
        current = self.currents.get(keys.name_of(draft))
        return current is not None and words_of(current) == words_of(draft)

    def add(self, draft: Draft) -> None:
        self.words.add(words_of(draft))
        self.sources.add(draft.source)


def words_of(said: Draft | Entry) -> Words:
    return (said.text, said.kind, said.project, said.event_at)


def unseen(owner: Account, drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts that neither the store nor an earlier one of the batch already says."""
    known = known_of(owner, drafts)
    fresh: list[Draft] = []
    for draft in drafts:
        if not known.has(draft):
            known.add(draft)
            fresh.append(draft)
    return fresh


def known_of(owner: Account, drafts: Sequence[Draft]) -> Known:
    rows = Entry.objects.of(owner)
    known = Known(currents=keys.currents(owner, map(keys.name_of, drafts)))
    for some in batched([sameness(draft.text) for draft in drafts]):
        known.words.update(rows.filter(sameness__in=some).values_list("text", "kind", "project", "event_at"))
    for some in batched([draft.source for draft in drafts if draft.source]):
        known.sources.update(rows.filter(source__in=some).values_list("source", flat=True))
    return known
