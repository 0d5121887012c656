"""What a judge is asked, and what it may answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

KEEP, ARCHIVE = "keep", "archive"
KEEP_BOTH, ARCHIVE_OLDER, SUPERSEDE_OLDER, CONFLICT = "keep_both", "archive_older", "supersede_older", "conflict"
OF_PAIR = (KEEP_BOTH, ARCHIVE_OLDER, SUPERSEDE_OLDER, CONFLICT)
SUPERSEDE_BY = "supersede_by:"
#: How far a judge's probabilities may be from adding up to one: they are rounded on the wire.
OFF = 0.02


class BadVerdictError(ValueError):
    """A judge answered what was not asked."""


@dataclass(frozen=True)
class Row:
    """An entry as the pass sees it. All times are aware.

    `told_at`: when its words are from: said, or edited since. `fresh_at`: last changed or confirmed.
    """

    id: int
    kind: str
    project: str
    text: str
    said_at: datetime
    told_at: datetime
    fresh_at: datetime
    event_at: datetime | None = None
    pinned: bool = False
    version: int = 1
    digest: str = ""

    @property
    def age(self) -> tuple[datetime, int]:
        return self.told_at, self.id


@dataclass(frozen=True)
class Item:
    """One question to a judge: of `entry` alone, with up to three newer ones beside it; or of it and a newer one.

    `ref` names it within a batch, each of `newer` is named after it. `likeness`: the cosine of the two, or 0 where
    they were found by their words.
    """

    ref: str
    entry: Row
    newer: tuple[Row, ...]
    pair: bool = False
    likeness: float = 0.0

    @property
    def options(self) -> tuple[str, ...]:
        if self.pair:
            return OF_PAIR
        return (KEEP, ARCHIVE, *(f"{SUPERSEDE_BY}{self.newer_ref(place)}" for place in range(len(self.newer))))

    def newer_ref(self, place: int) -> str:
        return f"{self.ref}n{place}"

    @property
    def ids(self) -> tuple[int, ...]:
        return (self.entry.id, *(row.id for row in self.newer))


@dataclass(frozen=True)
class Verdict:
    """`choice` is one of the item's options, `probabilities` has all of them and adds up to one. `reason`: a code."""

    item: Item
    choice: str
    probabilities: Mapping[str, float]
    reason: str = ""

    @property
    def probability(self) -> float:
        return self.probabilities[self.choice]

    @property
    def action(self) -> str:
        """keep, archive, supersede or conflict."""
        if self.choice.startswith(SUPERSEDE_BY) or self.choice == SUPERSEDE_OLDER:
            return "supersede"
        return {KEEP_BOTH: KEEP, ARCHIVE_OLDER: ARCHIVE}.get(self.choice, self.choice)

    @property
    def related(self) -> Row | None:
        """The other entry that the verdict is about."""
        if self.item.pair:
            return self.item.newer[0]
        if self.choice.startswith(SUPERSEDE_BY):
            return self.item.newer[self.item.options.index(self.choice) - 2]
        return None


def verdict(item: Item, probabilities: Mapping[str, float], reason: str = "") -> Verdict:
    """The likeliest option, the first of equal ones; clamped to add up to one.

    Raises BadVerdictError for an option that was not asked or is missing, and for what are no probabilities.
    """
    if set(probabilities) != set(item.options):
        raise BadVerdictError(f"{item.ref}: options {sorted(map(str, probabilities))[:8]}, not {list(item.options)}")
    if any(isinstance(p, bool) or not isinstance(p, int | float) or not 0 <= p <= 1 for p in probabilities.values()):
        raise BadVerdictError(f"{item.ref}: a probability is none")
    total = sum(probabilities.values())
    if abs(total - 1) > OFF:
        raise BadVerdictError(f"{item.ref}: probabilities add up to {total:.3f}")
    whole = {option: probabilities[option] / total for option in item.options}
    return Verdict(item, max(item.options, key=lambda option: whole[option]), whole, reason)


def spread(item: Item, choice: str, probability: float, reason: str = "") -> Verdict:
    """All that the chosen option does not have, over the others alike."""
    rest = (1 - probability) / (len(item.options) - 1)
    return Verdict(item, choice, {o: probability if o == choice else rest for o in item.options}, reason)
