"""Longer texts of which the newer one tells that a number changed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.domain.moment_words import MONTHS
from memory.domain.retelling import listed
from memory.domain.words import stem
from retention.domain.apart import Found
from retention.domain.items import SUPERSEDE_OLDER, Row
from retention.domain.rule_words import CHANGES, NEVER, PLAIN
from retention.domain.sayings import READ, SENTENCE_END, saying

#: Words that a change of a number shares with what it was, besides the unit, and how near to it, in characters.
SAME_THINGS, NEAR = 3, 90
#: Of the words near either, the share that is near both.
SAME_SHARE = 0.5
MEASURE = re.compile(
    r"(?P<money>[$€£])?(?<![\w.])(?P<number>\d[\d.,]*)\s?(?:(?P<sign>[%$€£]|ms\b|gb\b|go\b)|(?P<unit>[a-z]{3,}))?"
)
NO_UNITS = listed("and the for with from but can are was out par des les sur pour avec")


def moved_on(older: Row, newer: Row) -> Found | None:
    """In longer texts: it tells that something is changed to a number, and the older one gave another number of the
    same unit, with the same words around it."""
    new = [one for one in _measures(newer.text) if CHANGES.search(one.around) and not NEVER.search(one.around)]
    for now in new:
        for was in _measures(older.text) if new else ():
            shared = (now.stems & was.stems) - {now.unit}
            alike = len(shared) >= max(SAME_THINGS, SAME_SHARE * min(len(now.stems), len(was.stems)))
            if now.unit == was.unit and now.number != was.number and alike:
                return SUPERSEDE_OLDER, "measured"
    return None


@dataclass(frozen=True)
class Measure:
    """A number by what it counts: the word after it, or what is written on to it (65%, 250ms); and what stands near."""

    number: str
    unit: str
    around: str
    stems: frozenset[str]


def _measures(text: str) -> list[Measure]:
    plain = text[:READ].translate(PLAIN)
    found = []
    for match in MEASURE.finditer(plain):
        unit = match["sign"] or match["unit"] or match["money"] or ""
        if unit and unit not in MONTHS and unit not in NO_UNITS:
            around = SENTENCE_END.split(plain[max(0, match.start() - NEAR) : match.start()])[-1]
            around += match.group() + SENTENCE_END.split(plain[match.end() : match.end() + NEAR // 2])[0]
            stems = frozenset(token.stem for token in saying(around).tokens if not token.number)
            found.append(Measure(match["number"].rstrip(".,").replace(",", ""), stem(unit), around, stems))
    return found
