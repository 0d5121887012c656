"""The dates that a question names: “in May 2023”, “on 7 May”, « le 3 juin 2022 », 2023-05-07. A date is a key.

A row seldom says when it was said, so that the words of a date find nothing, or what happens to hold a `7`. Months of
English, French, German and Spanish are read. What is told from now (“last summer”, “hier”) names no date here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from memory.domain.moment_words import FOLD, MONTHS, SHORT_MONTHS

#: Characters of a question that are read, and most dates.
READ, MOST = 2_000, 8


def _either(words: dict[str, int]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


YEAR = r"(?P<year>(?:19|20|21)\d\d)(?!\d)"
DAY = r"(?<![\d.:/-])(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er|\.)?"
MONTH = rf"(?P<month>{_either(SHORT_MONTHS)})(?!\w)"
PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{DAY} (?:of |de )?{MONTH}\.?(?:,? (?:of |del? )?{YEAR})?",
        rf"\b{MONTH}\.? (?:the )?{DAY}(?![\d:])(?:,? {YEAR})?",
        rf"\b{MONTH}\.?,? (?:of |del? )?{YEAR}",
        rf"\b{YEAR}-(?P<number>0[1-9]|1[0-2])(?:-(?P<day>0[1-9]|[12]\d|3[01]))?(?![\d-])",
        # A month alone: “may” and “march” are other words too.
        rf"\b(?:in|during|since|until|en|au mois de|depuis|debut|fin|im|seit) (?P<month>{_either(MONTHS)})(?!\w)",
    )
)


@dataclass(frozen=True)
class Date:
    """`words` as they stand in the question. `year` None: of any year; `day` None: the whole month."""

    words: str
    year: int | None
    month: int
    day: int | None

    def spans(self, zone: tzinfo, years: range) -> list[tuple[datetime, datetime]]:
        """From when until before when, by that clock; of a date without a year, one for each of those. A day that no
        calendar has is none."""
        return [span for year in ([self.year] if self.year else years) if (span := self._span(zone, year))]

    def _span(self, zone: tzinfo, year: int) -> tuple[datetime, datetime] | None:
        try:
            first = datetime(year, self.month, self.day or 1, tzinfo=zone)
            if self.day:
                return first, first + timedelta(days=1)
            return first, datetime(year + self.month // 12, self.month % 12 + 1, 1, tzinfo=zone)
        except (ValueError, OverflowError):
            return None


def dates_asked(text: str) -> tuple[Date, ...]:
    """In order, each once. The longest reading of a phrase counts: `May 7, 2023` is no `May` besides."""
    read = text[:READ]
    found = dict.fromkeys(date for _start, date in sorted(_dates(read), key=lambda one: one[0]))
    return tuple(found)[:MOST]


def _dates(text: str) -> Iterator[tuple[int, Date]]:
    folded = text.translate(FOLD)
    taken: list[tuple[int, int]] = []
    for pattern in PATTERNS:
        for match in pattern.finditer(folded):
            start, end = match.span()
            if all(end <= first or start >= last for first, last in taken):
                taken.append((start, end))
                yield start, _date(text[start:end], match.groupdict())


def _date(words: str, groups: dict[str, str | None]) -> Date:
    named, number = groups.get("month"), groups.get("number")
    month = SHORT_MONTHS[named] if named else int(number or 0)
    year, day = groups.get("year"), groups.get("day")
    return Date(words, int(year) if year else None, month, int(day) if day else None)
