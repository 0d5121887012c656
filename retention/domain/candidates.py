"""Which entries a pass looks at: single ones that nobody touched for long, and two that may be about the same.

Events never: what happened once happens again, and each time is a memory of its own. Notes not in this version.
Likenesses come a block at a time, and only what may still be among the chosen is held.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from retention.domain.columns import NEVER, SINGLES, Alike, Flags, Floats, Ints, Settled, Stamps, micros
from retention.domain.items import Item, Row

#: Kinds that two may be compared of.
PAIRS = ("decision", "preference", "fact")
#: Of one pass and account.
MOST_SINGLES, MOST_PAIRS = 60, 40
#: Newer entries shown beside a single one.
MOST_NEWER = 3


@dataclass(frozen=True)
class Chosen:
    """By their ids: single entries with the newer ones beside them; the older and the newer of two, with the cosine.

    `left`: how many more singles and pairs there were past the caps: the next passes look at them.
    """

    singles: tuple[tuple[int, tuple[int, ...]], ...]
    pairs: tuple[tuple[int, int, float], ...]
    left: tuple[int, int] = (0, 0)

    @property
    def ids(self) -> set[int]:
        of_singles = {pk for one, newer in self.singles for pk in (one, *newer)}
        return of_singles | {pk for older, newer, _cosine in self.pairs for pk in (older, newer)}


@dataclass(frozen=True)
class Candidates:
    """`left`: see `Chosen`."""

    singles: tuple[Item, ...]
    pairs: tuple[Item, ...]
    left: tuple[int, int] = (0, 0)

    @property
    def items(self) -> tuple[Item, ...]:
        return (*self.singles, *self.pairs)


def chosen(of: Stamps, alike: Iterable[Alike], *, settled: Settled, now: datetime, window: timedelta) -> Chosen:
    """Singles: most stale first. Pairs: those of which the older one is stale first, then the likest.

    `alike`: each two at most once.
    """
    stale = of.fresh < micros(now - window)
    singles, left = _singles(of, stale, settled)
    beside, pairs = _Beside(of, singles), _Pairs(of, stale, settled)
    for some in alike:
        older, newer = _by_age(of, some)
        score = np.maximum(some.cosines, some.words)
        beside.look(older, newer, score)
        pairs.look(older, newer, score, some.cosines)
    return Chosen(beside.found(), pairs.found(), (left, pairs.left))


def items(picked: Chosen, rows: Mapping[int, Row]) -> Candidates:
    """With their words."""
    singles = (
        Item(f"s{place}", rows[pk], tuple(rows[one] for one in newer))
        for place, (pk, newer) in enumerate(picked.singles)
    )
    pairs = (
        Item(f"p{place}", rows[older], (rows[newer],), pair=True, likeness=cosine)
        for place, (older, newer, cosine) in enumerate(picked.pairs)
    )
    return Candidates(tuple(singles), tuple(pairs), picked.left)


def _singles(of: Stamps, stale: Flags, settled: Settled) -> tuple[Ints, int]:
    """The places of those that are looked at, and how many more there are."""
    decided = np.full(len(of), NEVER, np.int64)
    alone = settled.others == 0
    at = of.places(settled.ones[alone])
    np.maximum.at(decided, at[at >= 0], settled.at[alone][at >= 0])
    waiting = np.flatnonzero(stale & (decided < of.fresh))
    order = np.lexsort((of.ids[waiting], of.fresh[waiting]))[:MOST_SINGLES]
    return waiting[order], len(waiting) - len(order)


class _Beside:
    """The newer neighbours of single entries, in the same project, likest first."""

    def __init__(self, of: Stamps, singles: Ints) -> None:
        self.of, self.singles = of, singles
        self.wanted = np.zeros(len(of), np.bool_)
        self.wanted[singles] = True
        self.newer: dict[int, list[tuple[float, int]]] = {int(place): [] for place in singles}

    def look(self, older: Ints, newer: Ints, score: Floats) -> None:
        fit = self.wanted[older] & (self.of.projects[older] == self.of.projects[newer])
        for one, other, much in zip(older[fit].tolist(), newer[fit].tolist(), score[fit].tolist(), strict=True):
            self.newer[one] = sorted([*self.newer[one], (-much, int(self.of.ids[other]))])[:MOST_NEWER]

    def found(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        return tuple(
            (int(self.of.ids[place]), tuple(pk for _score, pk in self.newer[int(place)])) for place in self.singles
        )


class _Pairs:
    """The first of two that were not decided, and how many there are."""

    def __init__(self, of: Stamps, stale: Flags, settled: Settled) -> None:
        self.of, self.stale, self.count = of, stale, 0
        ones, others = (of.places(ids[settled.others != 0]) for ids in (settled.ones, settled.others))
        known = (ones >= 0) & (others >= 0)
        keys, at = self._key(ones[known], others[known]), settled.at[settled.others != 0][known]
        order = np.lexsort((at, keys))
        self.keys, self.at = keys[order], at[order]
        self.best: tuple[Ints, Ints, Floats, Floats] = (keys[:0], keys[:0], np.empty(0), np.empty(0))

    @property
    def left(self) -> int:
        return self.count - len(self.best[0])

    def look(self, older: Ints, newer: Ints, score: Floats, cosine: Floats) -> None:
        fit = self._fit(older, newer)
        self.count += int(fit.sum())
        old, new, much, close = (
            np.concatenate([mine, more[fit]])
            for mine, more in zip(self.best, (older, newer, score, cosine), strict=True)
        )
        order = np.lexsort((self.of.ids[new], self.of.ids[old], -much, ~self.stale[old]))[:MOST_PAIRS]
        self.best = old[order], new[order], much[order], close[order]

    def found(self) -> tuple[tuple[int, int, float], ...]:
        older, newer, _score, cosine = self.best
        ids = self.of.ids
        return tuple(zip(ids[older].tolist(), ids[newer].tolist(), cosine.tolist(), strict=True))

    def _fit(self, older: Ints, newer: Ints) -> Flags:
        """Of one kind and project, and not decided since one of them moved."""
        kinds, projects, fresh = self.of.kinds, self.of.projects, self.of.fresh
        same = (kinds[older] == kinds[newer]) & (projects[older] == projects[newer])
        may = np.array([kind in PAIRS for kind in SINGLES])[kinds[older]]
        moved = np.maximum(fresh[older], fresh[newer])
        return np.asarray(same & may & (self._decided(older, newer) < moved), np.bool_)

    def _decided(self, ones: Ints, others: Ints) -> Ints:
        """When last; of two that stand here several times, the last time is the last of them."""
        if not len(self.keys):
            return np.full(len(ones), NEVER, np.int64)
        keys = self._key(ones, others)
        at = np.searchsorted(self.keys, keys, side="right") - 1
        return np.where((at >= 0) & (self.keys[at] == keys), self.at[at], NEVER)

    def _key(self, ones: Ints, others: Ints) -> Ints:
        """The same in either order."""
        return np.minimum(ones, others) * len(self.of) + np.maximum(ones, others)


def _by_age(of: Stamps, some: Alike) -> tuple[Ints, Ints]:
    """The places of the older and the newer ones. Of the same time, the one that was saved first is older."""
    ones, others = some.ones, some.others
    told, ids = of.told, of.ids
    first = (told[ones] < told[others]) | ((told[ones] == told[others]) & (ids[ones] < ids[others]))
    return np.where(first, ones, others), np.where(first, others, ones)
