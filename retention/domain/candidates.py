"""Which entries a pass looks at: single ones that nobody touched for long, and two that may be about the same.

Events never: what happened once happens again, and each time is a memory of its own. Notes not in this version.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from retention.domain.items import Item, Row

#: Kinds that may grow stale, and those that two may be compared of.
SINGLES = ("decision", "preference", "blocker", "fact")
PAIRS = ("decision", "preference", "fact")
#: Of one pass and account.
MOST_SINGLES, MOST_PAIRS = 60, 40
#: Newer entries shown beside a single one.
MOST_NEWER = 3

Two = frozenset[int]


@dataclass(frozen=True)
class Likeness:
    """Two entries that may be about the same: by the cosine of their vectors, or by rare words that they share.

    Either is 0 where they were not found by it; both are between 0 and 1.
    """

    one: int
    other: int
    cosine: float = 0.0
    words: float = 0.0

    @property
    def two(self) -> Two:
        return frozenset((self.one, self.other))

    @property
    def score(self) -> float:
        return max(self.cosine, self.words)


@dataclass(frozen=True)
class Decided:
    """What earlier passes judged, and when last: entries by themselves, and two of them in either order."""

    singles: Mapping[int, datetime]
    pairs: Mapping[Two, datetime]


@dataclass(frozen=True)
class Candidates:
    """`left`: how many more singles and pairs there were past the caps: the next passes look at them."""

    singles: tuple[Item, ...]
    pairs: tuple[Item, ...]
    left: tuple[int, int] = (0, 0)

    @property
    def items(self) -> tuple[Item, ...]:
        return (*self.singles, *self.pairs)


def candidates(
    rows: Collection[Row],
    likenesses: Iterable[Likeness],
    *,
    decided: Decided,
    linked: Collection[Two],
    now: datetime,
    window: timedelta,
) -> Candidates:
    """`rows`: the live ones of one account, in any order; what is of another kind is passed over.

    `linked`: two with a link between them, which a person or a pass settled already.
    """
    by_id = {row.id: row for row in rows}
    stale = {row.id for row in rows if row.fresh_at < now - window}
    known = [like for like in likenesses if like.one in by_id and like.other in by_id]
    singles = _singles(by_id, stale, known, decided.singles)
    pairs = _pairs(by_id, stale, [like for like in known if like.two not in linked], decided.pairs)
    return Candidates(
        tuple(singles[:MOST_SINGLES]),
        tuple(pairs[:MOST_PAIRS]),
        (max(0, len(singles) - MOST_SINGLES), max(0, len(pairs) - MOST_PAIRS)),
    )


def _singles(
    rows: Mapping[int, Row], stale: Collection[int], likenesses: Iterable[Likeness], decided: Mapping[int, datetime]
) -> list[Item]:
    """Most stale first."""
    judged = [rows[pk] for pk in stale if rows[pk].kind in SINGLES and not _stands(decided.get(pk), rows[pk])]
    judged.sort(key=lambda row: (row.fresh_at, row.id))
    newer = _newer(rows, {row.id for row in judged}, likenesses)
    return [Item(f"s{place}", row, tuple(rows[pk] for pk in newer.get(row.id, ()))) for place, row in enumerate(judged)]


def _newer(
    rows: Mapping[int, Row], wanted: Collection[int], likenesses: Iterable[Likeness]
) -> dict[int, tuple[int, ...]]:
    """The newer neighbours of each of these, in the same project, likest first."""
    found: dict[int, list[tuple[float, int]]] = {}
    for like in likenesses:
        older, newer = _by_age(rows[like.one], rows[like.other])
        if older.id in wanted and newer.project == older.project and newer.kind in SINGLES:
            found.setdefault(older.id, []).append((-like.score, newer.id))
    return {pk: tuple(other for _score, other in sorted(some)[:MOST_NEWER]) for pk, some in found.items()}


def _pairs(
    rows: Mapping[int, Row], stale: Collection[int], likenesses: Iterable[Likeness], decided: Mapping[Two, datetime]
) -> list[Item]:
    """Those of which the older one is stale first, then the likest."""
    found = []
    for like in likenesses:
        older, newer = _by_age(rows[like.one], rows[like.other])
        alike = older.kind == newer.kind and older.project == newer.project and older.kind in PAIRS
        if alike and not _stands(decided.get(like.two), older, newer):
            found.append((older.id not in stale, -like.score, older.id, newer.id, like.cosine))
    found.sort()
    return [
        Item(f"p{place}", rows[older], (rows[newer],), pair=True, likeness=cosine)
        for place, (_fresh, _score, older, newer, cosine) in enumerate(found)
    ]


def _by_age(one: Row, other: Row) -> tuple[Row, Row]:
    """The older and the newer one."""
    return (one, other) if one.age < other.age else (other, one)


def _stands(decided: datetime | None, *rows: Row) -> bool:
    """Was it decided since the last of them moved?"""
    return decided is not None and all(row.fresh_at <= decided for row in rows)
