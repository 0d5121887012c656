"""Two entries that look alike and that no fold takes for the same: a person decides, and the decision is in memory.

Nothing of a suggestion is kept: it is made anew with each plan, unless what a person did since says how the two stand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from enum import StrEnum

from django.utils.translation import gettext as _

from forgesite.errors import InvalidError
from forgesite.models import Account
from memory import keys, move
from memory.domain.causes import KEPT
from memory.models import Entry, Link, LinkType
from memory.people_first import refuse_stale
from memory.relate import relate

#: By ids, the lower one first.
Pair = tuple[int, int]


class Way(StrEnum):
    ARCHIVE = "archive"
    SUPERSEDE = "supersede"
    CONFLICT = "conflict"
    BOTH = "both"


def pair_of(ends: Pair) -> Pair:
    return min(ends), max(ends)


def decided(owner: Account, pairs: Collection[Pair]) -> frozenset[Pair]:
    """Those that are marked as a conflict, and those of which both were said to be still true, each as it reads now and
    after the other one was there. One that was put away or replaced is no part of a plan."""
    wanted = {pk for pair in pairs for pk in pair}
    if not wanted:
        return frozenset()
    links = Link.objects.of(owner).standing().filter(type=LinkType.CONFLICTS, entry__in=wanted, other__in=wanted)
    linked = {pair_of(ends) for ends in links.values_list("entry", "other")}
    rows = Entry.objects.of(owner).filter(pk__in=wanted).order_by()
    told = {pk: (changed, said) for pk, changed, said in rows.values_list("pk", "updated_at", "last_reviewed_at")}
    return frozenset(pair for pair in pairs if pair in linked or _both_confirmed(pair, told))


def settle(
    owner: Account, older: int, newer: int, way: str, *, seen: Mapping[int, int], actor: str, cause: str
) -> None:
    """What a person decided of two, in one commit. `seen`: the version of each that they read.

    Raises UnknownError, StaleVersionError where one was changed meanwhile, InvalidError for another way, and whatever
    the verb behind it does.
    """
    if way not in _WAYS:
        raise InvalidError(_("“%(way)s” settles nothing.") % {"way": way[:40]})
    with keys.transaction():
        for entry in move.named(owner, [older, newer]):
            refuse_stale(entry, seen.get(entry.pk, 0))
        _WAYS[Way(way)](owner, older, newer, actor, cause)


def _both_confirmed(pair: Pair, told: Mapping[int, tuple[datetime, datetime | None]]) -> bool:
    if not told.keys() >= set(pair):
        return False
    changed = max(told[pk][0] for pk in pair)
    return all((said := told[pk][1]) is not None and said > changed for pk in pair)


def _archive(owner: Account, older: int, newer: int, actor: str, cause: str) -> None:
    move.archive(owner, older, actor=actor, cause=cause)


def _supersede(owner: Account, older: int, newer: int, actor: str, cause: str) -> None:
    relate(owner, newer, LinkType.SUPERSEDES, older, actor=actor, cause=cause)


def _conflict(owner: Account, older: int, newer: int, actor: str, cause: str) -> None:
    relate(owner, newer, LinkType.CONFLICTS, older, actor=actor, cause=cause)


def _both(owner: Account, older: int, newer: int, actor: str, cause: str) -> None:
    """Said as the page of duplicates says it, so that it settles them there too."""
    move.reaffirm_many(owner, [older, newer], actor=actor, cause=KEPT)


_WAYS: Mapping[Way, Callable[[Account, int, int, str, str], None]] = {
    Way.ARCHIVE: _archive,
    Way.SUPERSEDE: _supersede,
    Way.CONFLICT: _conflict,
    Way.BOTH: _both,
}
