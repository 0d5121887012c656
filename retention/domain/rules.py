"""The judge `rules`: arithmetic on words, numbers, negations and dates, in English and French. No model, no network.

It is sure of little, and keeps what it is not sure of. Each of its rules has the probability that it was right with on
the half of the made set, and the share of the public one, that nothing else was told of; see bench/README.md.
"""

from __future__ import annotations

from datetime import datetime, tzinfo

from retention.domain.items import (
    ARCHIVE,
    KEEP,
    SUPERSEDE_BY,
    SUPERSEDE_OLDER,
    Item,
    Verdict,
    spread,
)
from retention.domain.pair_rules import compared
from retention.domain.single_rules import over

#: A new one with each change of the rules or of the table: a judge proposes by figures that were measured of it.
NAME = "rules-2"
#: How often each rule was right, on what it was calibrated on: (right, of how many).
MEASURED = {
    "changed": (110, 110),
    "contained": (26, 26),
    "dated": (50, 50),
    "decided": (10, 10),
    "ended": (30, 30),
    "happened": (40, 55),
    "instead": (10, 10),
    "keep": (200, 211),
    "measured": (15, 15),
    "near": (109, 153),
    "negated": (45, 46),
    "never": (41, 42),
    "once": (55, 55),
    "planned": (59, 59),
    "renewed": (20, 20),
    "restated": (21, 21),
    "unsure": (325, 460),
    "until": (130, 130),
    "value": (40, 40),
    "was": (5, 5),
    "whole": (10, 10),
    "years": (5, 5),
}
#: From which probability on an action is proposed: the lowest by which, on the same, 95 % of what is archived or
#: replaced is right, and 80 % of what contradicts. A rule that was right five times in five is let through, one that
#: nothing was counted of is not.
THRESHOLDS = {"archive": 0.85, "supersede": 0.85, "conflict": 0.8}


def judged(item: Item, now: datetime, zone: tzinfo) -> Verdict:
    choice, rule = _of_pair(item) if item.pair else _of_single(item, now, zone)
    return spread(item, choice, probability(rule), rule)


def probability(rule: str) -> float:
    """Neither 0 nor 1, whatever was counted: half a verdict that was right and half a one that was not are added, which
    is Jeffreys' prior. Of a rule that nothing was counted of, one half."""
    right, every = MEASURED.get(rule, (0, 0))
    return (right + 0.5) / (every + 1)


def _of_pair(item: Item) -> tuple[str, str]:
    [newer] = item.newer
    return compared(item.entry, newer)


def _of_single(item: Item, now: datetime, zone: tzinfo) -> tuple[str, str]:
    """A newer one in its place is more than a date that has passed."""
    for place, newer in enumerate(item.newer):
        choice, rule = compared(item.entry, newer)
        if choice == SUPERSEDE_OLDER:
            return f"{SUPERSEDE_BY}{item.newer_ref(place)}", rule
    rule = over(item.entry, now, zone)
    return (ARCHIVE, rule) if rule else (KEEP, "keep")
