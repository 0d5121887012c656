"""What has to be known to undo commits: their entries and links as they are now, and as they were before."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q

from forgesite.models import Account
from memory.domain.states import FORGET, from_change
from memory.ledger import LINKING
from memory.models import Commit, CommitEntry, Entry, Link, TextVersion, Tombstone
from memory.past_states import Change, batched, read

#: What a change may do that nobody would undo by itself: it follows from links, comes late, or moves nothing.
BESIDE = ("follow", "embed", "baseline")
NOT_MADE = (*LINKING, *BESIDE, FORGET)
Place = tuple[int, int]
#: Type, entry and other of a link.
Triple = tuple[str, int, int]


@dataclass(frozen=True)
class Reading:
    """`stated`: where the chain states an entry, oldest first. `changes`: by tick. `words`: by digest. `gone`: entries
    that were forgotten. `links`: all that there ever were of the entries that the commits link, or take apart."""

    owner: Account
    rows: dict[int, Entry]
    stated: dict[int, list[Place]]
    changes: dict[int, Sequence[Change]]
    words: dict[str, TextVersion]
    links: dict[Triple, list[Link]]
    gone: frozenset[int]

    def before(self, entry: int, tick: int) -> Change | None:
        """How the chain states the entry before that tick; None where it does not."""
        places = self.stated.get(entry, [])
        number = bisect_left(places, (tick, 0))
        if not number:
            return None
        made, position = places[number - 1]
        return self.changes[made][position]


def reading(owner: Account, commits: Sequence[Commit]) -> Reading:
    """One for all of them: as many queries for a page of commits as for one."""
    linking = [change for commit in commits for change in commit.changes if change["do"] in LINKING]
    stating = {commit.tick: [change["id"] for change in stated(commit)] for commit in commits}
    of_links = {pk for change in linking for pk in (change["id"], change["other"])}
    entries = {pk for ids in stating.values() for pk in ids}
    places = _places(owner, entries)
    found = Reading(
        owner=owner,
        rows=Entry.objects.of(owner).in_bulk(entries | of_links),
        stated=places,
        changes={commit.tick: commit.changes for commit in commits},
        words={},
        links=_links(owner, of_links),
        gone=frozenset(_gone(owner, entries | of_links)),
    )
    wanted = {_before(places[pk], tick) for tick, ids in stating.items() for pk in ids if pk in places} - {0}
    found.changes.update({made.tick: made.changes for made in read(owner, wanted - found.changes.keys())})
    earlier = [found.before(pk, tick) for tick, ids in stating.items() for pk in ids]
    digests = {from_change(change).digest for change in earlier if change and change["do"] != FORGET}
    for some in batched(digests):
        found.words.update({row.digest: row for row in TextVersion.objects.of(owner).filter(digest__in=some)})
    return found


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


def _before(places: Sequence[Place], tick: int) -> int:
    number = bisect_left(places, (tick, 0))
    return places[number - 1][0] if number else 0


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
