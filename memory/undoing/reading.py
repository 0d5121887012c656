"""What has to be known to undo commits: their entries and links as they are now, and as they were before."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q

from forgesite.models import Account
from memory.domain.states import FORGET
from memory.ledger import LINKING
from memory.models import Commit, CommitEntry, Entry, Link, TextVersion, Tombstone
from memory.past.entries import versions
from memory.past.states import Change, batched, read

#: What a change may do that nobody would undo by itself: it follows from links, comes late, or moves nothing.
BESIDE = ("follow", "embed", "baseline")
NOT_MADE = (*LINKING, *BESIDE, FORGET)
Place = tuple[int, int]
#: Type, entry and other of a link.
Triple = tuple[str, int, int]


@dataclass(frozen=True)
class Reading:
    """`stated`: where the chain states an entry, oldest first. `changes`: by tick. `words`: by digest. `gone`: entries
    that were forgotten. `links`: all that there ever were of the entries that the commits name."""

    owner: Account
    rows: dict[int, Entry]
    stated: dict[int, list[Place]]
    changes: dict[int, Sequence[Change]]
    words: dict[str, TextVersion]
    links: dict[Triple, list[Link]]
    gone: frozenset[int]

    def before(self, entry: int, tick: int) -> Change | None:
        """How the chain states the entry before that tick; None where it does not."""
        place = place_before(self.stated.get(entry, ()), tick)
        return self.changes[place[0]][place[1]] if place else None


def reading(owner: Account, commits: Sequence[Commit]) -> Reading:
    """One for all of them: as many queries for a page of commits as for one."""
    linking = [change for commit in commits for change in commit.changes if change["do"] in LINKING]
    ends = {pk for change in linking for pk in (change["id"], change["other"])}
    entries = [(change["id"], commit.tick) for commit in commits for change in stated(commit)]
    ids = {pk for pk, _tick in entries}
    found = Reading(
        owner=owner,
        rows=Entry.objects.of(owner).in_bulk(ids | ends),
        stated=_places(owner, ids),
        changes={commit.tick: commit.changes for commit in commits},
        words={},
        links=_links(owner, ids | ends),
        gone=frozenset(_gone(owner, ids | ends)),
    )
    _read_earlier(found, entries)
    return found


def _read_earlier(found: Reading, entries: Sequence[tuple[int, int]]) -> None:
    """How each entry was stated before that tick, and its words."""
    places = [place_before(found.stated.get(pk, ()), tick) for pk, tick in entries]
    ticks = {place[0] for place in places if place} - found.changes.keys()
    found.changes.update({commit.tick: commit.changes for commit in read(found.owner, ticks)})
    earlier = [change for pk, tick in entries if (change := found.before(pk, tick)) and change["do"] != FORGET]
    found.words.update(versions(found.owner, {change["words"] for change in earlier}))


def stated(commit: Commit) -> list[Change]:
    """The changes that somebody made to entries; none of a commit of the first form."""
    return [
        change for change in commit.changes if change["do"] not in (*LINKING, *BESIDE, FORGET) and "words" in change
    ]


def _places(owner: Account, entries: Iterable[int]) -> dict[int, list[Place]]:
    found: dict[int, list[Place]] = {}
    for some in batched(entries):
        rows = CommitEntry.objects.filter(commit__owner=owner, entry__in=some, states=True)
        for entry, tick, position in rows.values_list("entry", "commit__tick", "position"):
            found.setdefault(entry, []).append((tick, position))
    return {entry: sorted(places) for entry, places in found.items()}


def place_before(places: Sequence[Place], tick: int) -> Place | None:
    number = bisect_left(places, (tick, 0))
    return places[number - 1] if number else None


def _links(owner: Account, entries: Iterable[int]) -> dict[Triple, list[Link]]:
    links: dict[int, Link] = {}
    for some in batched(entries):
        links |= Link.objects.of(owner).filter(Q(entry__in=some) | Q(other__in=some)).in_bulk()
    found: dict[Triple, list[Link]] = {}
    for link in links.values():
        found.setdefault((link.type, link.entry_id, link.other_id), []).append(link)
    return found


def _gone(owner: Account, entries: Iterable[int]) -> set[int]:
    found: set[int] = set()
    for some in batched(entries):
        found.update(Tombstone.objects.of(owner).filter(entry__in=some).values_list("entry", flat=True))
    return found
