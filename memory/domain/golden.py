"""What golden questions found, and what a change made of it. A rank is a place among the rows that a turn could get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Right:
    """A right entry. `stands`: what speaks for it now, itself where nothing does. `rank` None: neither was found."""

    entry: int
    stands: int
    rank: int | None


@dataclass(frozen=True)
class Asked:
    """A question, and where its right entries were found. `degraded`: why words alone were searched, or nothing."""

    id: int
    text: str
    right: tuple[Right, ...]
    degraded: str = ""

    @property
    def reached(self) -> int:
        return sum(right.rank is not None for right in self.right)


@dataclass(frozen=True)
class Replay:
    """`top_k`: rows that were looked at for each question; `given`: how many of them a turn is given."""

    questions: tuple[Asked, ...]
    top_k: int
    given: int

    @property
    def by_id(self) -> Mapping[int, Asked]:
        return {asked.id: asked for asked in self.questions}


@dataclass(frozen=True)
class Change:
    """What became of a question. `lost`: right entries that a turn is no longer given, or that no row holds any more;
    `gained` the other way round."""

    before: Asked
    after: Asked
    lost: tuple[int, ...] = ()
    gained: tuple[int, ...] = ()

    @property
    def id(self) -> int:
        return self.after.id

    @property
    def text(self) -> str:
        return self.after.text


@dataclass(frozen=True)
class Comparison:
    """`unlike`: asked once with vectors and once without, so that the two say nothing of each other."""

    worse: tuple[Change, ...] = ()
    better: tuple[Change, ...] = ()
    same: tuple[Change, ...] = ()
    unlike: tuple[Change, ...] = ()


def compare(before: Replay, after: Replay) -> Comparison:
    """Of the questions that both asked, in the order of `after`. A loss counts more than what the question gained."""
    earlier, top_k = before.by_id, min(before.top_k, after.top_k)
    changes = [_change(earlier[one.id], one, top_k, after.given) for one in after.questions if one.id in earlier]
    alike = [change for change in changes if change.before.degraded == change.after.degraded]
    return Comparison(
        worse=tuple(change for change in alike if change.lost),
        better=tuple(change for change in alike if change.gained and not change.lost),
        same=tuple(change for change in alike if not (change.gained or change.lost)),
        unlike=tuple(change for change in changes if change.before.degraded != change.after.degraded),
    )


def _change(before: Asked, after: Asked, top_k: int, given: int) -> Change:
    """A right entry that was forgotten meanwhile is lost; one that was named meanwhile says nothing."""
    was, now = ({one.entry: _level(one.rank, top_k, given) for one in asked.right} for asked in (before, after))
    return Change(
        before,
        after,
        lost=tuple(entry for entry, level in was.items() if now.get(entry, 0) < level),
        gained=tuple(entry for entry, level in was.items() if now.get(entry, 0) > level),
    )


def _level(rank: int | None, top_k: int, given: int) -> int:
    """2: a turn is given it; 1: it is found behind that; 0: it is not. Less than that is the noise of an order."""
    if rank is None or rank > top_k:
        return 0
    return 2 if rank <= given else 1
