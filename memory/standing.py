"""What follows from the links: who speaks for an entry, and which summaries are stale.

Verbs say which links they make and which rows they move; what that does to other rows is found here, in the same
transaction, and becomes part of the same commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memory.domain.chain import text_digest
from memory.models import REPLACING, Entry, How, Link, LinkType, Status

SPEAKING = (*REPLACING, LinkType.SPEAKS_FOR)


@dataclass
class Rows:
    """The entries and standing links as they will be once a write is done.

    `entries`: those that the write holds already, by id. `gone`: ids of entries that it removes.
    """

    linked: Sequence[Link]
    unlinked: Sequence[Link]
    gone: frozenset[int]
    entries: dict[int, Entry] = field(default_factory=dict)

    def of_others(self, others: Iterable[int], types: Iterable[str]) -> list[Link]:
        """The links that point to these entries."""
        return self._standing("other", others, types)

    def of_entries(self, entries: Iterable[int], types: Iterable[str]) -> list[Link]:
        """The links that these entries have."""
        return self._standing("entry", entries, types)

    def _standing(self, end: str, ids: Iterable[int], types: Iterable[str]) -> list[Link]:
        wanted, named, ended = set(ids), set(types), {link.pk for link in self.unlinked}
        stored = Link.objects.standing().filter(type__in=named, **{f"{end}__in": wanted}) if wanted else []
        new = [link for link in self.linked if getattr(link, f"{end}_id") in wanted and link.type in named]
        return [link for link in stored if link.pk not in ended] + new

    def load(self, ids: Iterable[int]) -> list[Entry]:
        """The entries of these ids that are there; one that the write moves already is that very row."""
        wanted = set(ids) - self.gone
        missing = wanted - self.entries.keys()
        if missing:
            self.entries |= Entry.objects.in_bulk(sorted(missing))
        return [self.entries[pk] for pk in sorted(wanted) if pk in self.entries]


def follow(rows: Rows, moved: Iterable[int]) -> list[Entry]:
    """Set `superseded_by`, `superseded_how` and `stale` of every entry that the write concerns.

    `moved`: ids of the entries that it changes in words or status, without new ones. Returns those whose standing did.
    """
    changed = {entry.pk: entry for entry in _spoken_for(rows)}
    leaned_on = {*moved, *changed, *rows.gone, *(link.other_id for link in rows.unlinked)}
    changed |= {entry.pk: entry for entry in _summaries(rows, leaned_on)}
    return list(changed.values())


def _spoken_for(rows: Rows) -> list[Entry]:
    others = {link.other_id for link in (*rows.linked, *rows.unlinked) if link.type in SPEAKING}
    speaking = rows.of_others(others, SPEAKING)
    changed = []
    for entry in rows.load(others):
        by, how = speaker(link for link in speaking if link.other_id == entry.pk)
        if (entry.superseded_by_id, entry.superseded_how) != (by, how):
            entry.superseded_by_id, entry.superseded_how = by, how
            changed.append(entry)
    return changed


def speaker(links: Iterable[Link]) -> tuple[int | None, str]:
    """Who speaks for an entry, by the links that point to it, and how. Being replaced counts more than a fold."""
    by_type = {link.type: link.entry_id for link in links}
    for name in REPLACING:
        if name in by_type:
            return by_type[name], How.REPLACED
    return (by_type[LinkType.SPEAKS_FOR], How.FOLD) if LinkType.SPEAKS_FOR in by_type else (None, "")


def _summaries(rows: Rows, leaned_on: set[int]) -> list[Entry]:
    touched = {link.entry_id for link in rows.of_others(leaned_on, (LinkType.SOURCE,))}
    touched |= {link.entry_id for link in (*rows.linked, *rows.unlinked) if link.type == LinkType.SOURCE}
    # An entry that moved may have become a summary, or be one no longer.
    entries = rows.load(touched | leaned_on)
    sources = rows.of_entries((entry.pk for entry in entries if entry.kind == "summary"), (LinkType.SOURCE,))
    held = {entry.pk: entry for entry in rows.load(link.other_id for link in sources)}
    changed = []
    for entry in entries:
        stale = any(leans_on_air(link, held.get(link.other_id)) for link in sources if link.entry_id == entry.pk)
        if entry.stale != stale:
            entry.stale = stale
            changed.append(entry)
    return changed


def leans_on_air(link: Link, source: Entry | None) -> bool:
    """Is what a summary was made from no longer so? The source is gone, taken back, replaced, or says other words."""
    if source is None or source.status == Status.RETRACTED or source.superseded_how == How.REPLACED:
        return True
    return link.digest != text_digest(source.salt, source.text)
