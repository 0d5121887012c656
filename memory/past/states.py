"""How entries were after a commit: of each the last change that states it, read from the chain.

Each commit is read once, however many entries it states: one of an import states thousands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from django.db.models import F, Max, QuerySet

from forgesite.models import Account
from forgesite.owned import owner_id
from memory.domain.chain import entry_address
from memory.domain.scope import state_shown
from memory.domain.states import FORGET, State, from_change
from memory.models import Commit, CommitEntry

Change = dict[str, Any]
T = TypeVar("T")
#: Tick and position in one number: no commit has so many changes.
PLACES = 2**24
#: Values of one query.
AT_ONCE = 900


@dataclass(frozen=True)
class Stated:
    """What a commit says of an entry: the change at `position` of the one of this tick and address."""

    tick: int
    position: int
    commit: str
    change: Change

    @property
    def state(self) -> State:
        return from_change(self.change)

    @property
    def shown(self) -> str:
        """What a search goes by."""
        return state_shown(self.change["status"], self.change.get("how", ""), self.change.get("stale", False))

    @property
    def address(self) -> str:
        """The entry's."""
        return self.change.get("entry") or entry_address(self.commit, self.position)


def states_at(owner: Account, tick: int, entries: Collection[int] | None = None) -> dict[int, Stated]:
    """By id: how the owner's entries were after the commit of that tick. Those that were forgotten by then are not in.

    `entries`: only these. Commits of the first form state none.
    """
    last = _last(owner, tick)
    if entries is None:
        return _stated_at(owner, dict(last))
    return _stated_at(owner, {pk: place for some in batched(entries) for pk, place in last.filter(entry__in=some)})


def moved_since(owner: Account, tick: int) -> tuple[frozenset[int], dict[int, Stated]]:
    """The entries that a later commit states, and as `states_at` how those of them were that were there."""
    later = _stating(owner).filter(commit__tick__gt=tick).values_list("entry").distinct()
    return frozenset(entry for (entry,) in later), _stated_at(owner, dict(_last(owner, tick).filter(entry__in=later)))


def read(owner: Account, ticks: Iterable[int]) -> Iterator[Commit]:
    """The owner's commits of these ticks, changes and all."""
    for some in batched(ticks):
        yield from Commit.objects.of(owner).filter(tick__in=some).only("owner_id", "tick", "address", "changes")


def batched(values: Iterable[T], size: int = AT_ONCE) -> Iterator[Sequence[T]]:
    rest = iter(values)
    while some := list(islice(rest, size)):
        yield some


def _stating(owner: Account) -> QuerySet[CommitEntry]:
    """Without a default order, which would be grouped by."""
    return CommitEntry.objects.filter(commit__owner=owner_id(owner), states=True).order_by()


def _last(owner: Account, tick: int) -> QuerySet[CommitEntry, tuple[int, int]]:
    """Each entry, and the place of the last change until then that states it."""
    rows = _stating(owner).filter(commit__tick__lte=tick).values_list("entry")
    return rows.annotate(last=Max(F("commit__tick") * PLACES + F("position")))


def _stated_at(owner: Account, places: Mapping[int, int]) -> dict[int, Stated]:
    ticks = sorted({place // PLACES for place in places.values()})
    commits = {made.tick: made for made in read(owner, ticks)}
    found = {entry: _stated(commits[place // PLACES], place % PLACES) for entry, place in places.items()}
    return {entry: stated for entry, stated in found.items() if stated.change["do"] != FORGET}


def _stated(commit: Commit, position: int) -> Stated:
    return Stated(commit.tick, position, commit.address, commit.changes[position])
