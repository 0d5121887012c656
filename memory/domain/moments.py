"""When is what a text tells of? “Yesterday”, “mardi prochain”, “in two weeks”, said at a time and in a place.

Words of English, French, German and Spanish are read. Quotations, code, addresses, habits and lengths of time name no
moment. A text that speaks of several is not asked which it is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo

#: Characters that are read. A text tells early when it is about, and a long one of many times.
READ = 2_000


@dataclass(frozen=True)
class Told:
    """`words` as they stand in the text; `at` aware, in UTC: the moment, or the beginning of the day, week, month or
    year meant; `span` names which ("minute", "hour", "day", "week", "month", "year").

    A week begins on Monday, a weekend is told by its Saturday, a part of a day without a clock time (“tonight”) by its
    day. A moment is exact to the minute, also one that is told in hours.
    """

    words: str
    at: datetime
    span: str


def told(text: str, said_at: datetime, zone: tzinfo, *, ahead: bool = False) -> Told | None:
    """The one moment that the text's relative words name. None where it names none, or several different ones.

    `said_at` is aware. `ahead`: “on Tuesday” and “3 March” are in the future, as of a todo; else they do name a moment,
    but not which, and the answer is None. Only the first 2,000 characters are read.
    """
    # Patterns and calendar take 80 ms to load, and a process that saves no entry needs neither.
    from memory.domain.moment_reading import Said, beginning, named

    read = text if len(text) <= READ else text[:READ].rpartition(" ")[0]
    first: Told | None = None
    try:
        for one in named(read, Said(said_at.astimezone(zone), ahead)):
            if one.meant is None:
                return None
            found = Told(read[one.start : one.end], beginning(one.meant), one.meant.span)
            if first and (first.at, first.span) != (found.at, found.span):
                return None
            first = first or found
    except OverflowError:  # before the year 1, or after 9999
        return None
    return first
