"""How a person names a point in a chain of commits: by an address, a number, a date or a time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

#: A number with `#`, or one too short to be an address.
TICK = re.compile(r"#\d{1,18}|\d{1,7}")
ADDRESS = re.compile(r"[0-9a-fA-F]{8,64}")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
#: The `+` of an offset that an address of the web was sent without its escape.
LOST_PLUS = re.compile(r"(?<=\d\d:\d\d) (?=\d\d:\d\d$)|(?<=\d\d:\d\d:\d\d) (?=\d\d:\d\d$)|(?<=\.\d{6}) (?=\d\d:\d\d$)")


@dataclass(frozen=True)
class Named:
    """One of the three."""

    tick: int | None = None
    address: str = ""
    at: datetime | None = None


def named(text: str, zone: tzinfo) -> Named | None:
    """What the text names; None where it names nothing.

    A date is meant as its end, so that a day holds what was written on it. Without an offset a time is the zone's.
    """
    asked = text.strip()
    if TICK.fullmatch(asked):
        return Named(tick=int(asked.removeprefix("#")))
    if ADDRESS.fullmatch(asked):
        return Named(address=asked.lower())
    try:
        if DATE.fullmatch(asked):
            return Named(at=_end(date.fromisoformat(asked), zone))
        if DATE.match(asked):
            at = datetime.fromisoformat(LOST_PLUS.sub("+", asked))
            return Named(at=at.replace(tzinfo=zone) if at.tzinfo is None else at)
    except (ValueError, OverflowError):
        return None
    return None


def _end(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(), zone) - timedelta(microseconds=1)
