"""Is an entry by itself over? A date that it looked forward to has passed, or the time that it was meant for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, tzinfo

from memory.domain.moments import READ
from retention.domain.items import Row
from retention.domain.rule_words import BEHIND, BOUND, PLANNED
from retention.domain.sayings import saying

#: How long each of what a text may name lasts.
LASTS = {
    "minute": timedelta(days=1),
    "hour": timedelta(days=1),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}
#: After the end of it: who plans for Friday may do it on Saturday.
GRACE = timedelta(days=2)


def over(row: Row, now: datetime, zone: tzinfo) -> str:
    """Why it is over, as the name of a rule: `until`, `planned` or `dated`. Empty where it is not, or may not be."""
    said = saying(row.text)
    if said.recurs or said.past or said.asks or not said.short or BEHIND.search(said.plain):
        return ""
    ends = list(_ends(row, zone))
    if not ends or None in ends:
        return ""
    last = max(end for end in ends if end)
    if not row.said_at < last < now - GRACE:
        return ""
    return "until" if BOUND.search(said.plain) else "planned" if PLANNED.search(said.plain) else "dated"


def _ends(row: Row, zone: tzinfo) -> Iterator[datetime | None]:
    """Of each moment that it names, when that is over. None: the words do not tell, or may be a title."""
    # As in moments.py: patterns and calendar take 80 ms to load.
    from memory.domain.moment_reading import Said, named

    text = row.text[:READ]
    try:
        for one in named(text, Said(row.said_at.astimezone(zone), ahead=True)):
            words = text[one.start : one.end]
            title = one.start > 0 and words.istitle() and not any(c.isdigit() for c in words) and _is_no_day(words)
            yield None if one.meant is None or title else one.meant.at + LASTS[one.meant.span]
    except OverflowError:
        yield None


def _is_no_day(words: str) -> bool:
    from memory.domain.moment_words import FOLD, MONTHS, WEEKDAYS

    return not any(word in WEEKDAYS or word in MONTHS for word in words.translate(FOLD).split())
