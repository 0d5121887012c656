"""The clock time that stands beside a day: “tomorrow at 2:30 pm”, “demain à 14h”, “at 8 tonight”."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from dateutil.relativedelta import relativedelta

from memory.domain.moment_phrases import PART, compiled

AFTERNOON = re.compile(r"\bafternoon|\bapres.midi|\baprem|\bnachmittag|\btarde")
EVENING = re.compile(r"\b(?:to)?night|\bevening|\bsoir|\bnuit|\babend|\bnacht|\ba?noche")

#: A clock time. A number alone is none: it takes minutes, an `h`, am or pm, or a word before it and an hour past 12.
CLOCK = (
    r"(?:(?:(?P<at>at|@|um|a las?)|around|about|before|by|after|from|a|vers|avant|apres|des|pour|gegen|ab) ?)?"
    r"(?:(?P<hour>2[0-4]|[01]?\d)(?:(?P<mark> ?(?:h|heures?|uhr))(?: ?(?P<m>[0-5]\d)\b)?"
    r"|(?::|\.(?=\d\d ?[ap]\.?m))(?P<mm>[0-5]\d))?(?: ?(?P<half>[ap])\.?m\b)?"
    rf"|(?P<noon>noon|midday|midi|mittags?|mediodia)|(?P<midnight>midnight|minuit|mitternacht|medianoche)){PART}"
)
#: The same after a day, with the end of a span; and before a day. `beside`: a time zone, or the beginning of a span.
AFTER = compiled(
    rf",? {CLOCK}(?:(?: ?[-–] ?| (?:to|a|bis) )(?:2[0-4]|[01]?\d)(?:h|:)?(?:[0-5]\d)?)?"
    r"(?P<beside> ?(?:utc|gmt|z|cet|cest|edt|pst|pdt|bst|(?<=m\s)est)\b)?"
    r"(?! (?:de (?!l)|d'))",  # “demain, 2 h de vélo”
    begin="",
)
BEFORE = compiled(
    r"(?P<beside>\d[\dh:]*(?: ?[ap]m)?(?: ?[-–] ?| (?:to|a|bis|until) ))?" + CLOCK + r",?(?: (?:on|le|el|am))? $"
)
#: Farther before the day no clock time begins.
REACH = 40


@dataclass(frozen=True)
class Timed:
    """The words of day and clock time together, and when they are."""

    start: int
    end: int
    at: datetime


def with_clock(text: str, start: int, end: int, day: datetime) -> Timed | None:
    """None where no clock time stands beside the day, or one of another zone, or one that can be told in two ways."""
    clock = AFTER.match(text, end) or BEFORE.search(text, max(0, start - REACH), start)
    if not clock:
        return None
    start, end = min(start, clock.start()), max(end, clock.end())
    at = _at(day, clock.groupdict(), text[start:end])
    return Timed(start, end, at) if at else None


def _at(day: datetime, clock: dict[str, str | None], words: str) -> datetime | None:
    """“Midnight” is the beginning of a day or its end, and “cette nuit” is before or behind who says it."""
    if clock["beside"] or "cette nuit" in words:
        return None
    evening, afternoon = bool(EVENING.search(words)), bool(AFTERNOON.search(words))
    if clock["noon"]:
        return _set(day, 12, 0)
    if clock["midnight"]:
        return _set(day, 24, 0) if evening else None
    hour = _hour(clock, evening, afternoon)
    return None if hour is None else _set(day, hour, int(clock["m"] or clock["mm"] or 0))


def _hour(clock: dict[str, str | None], evening: bool, afternoon: bool) -> int | None:
    """Past 24 after midnight: “last night at 2 am” was today. None for “tomorrow at 5”, which may be either half."""
    hour, half = int(clock["hour"] or 0), clock["half"]
    told = half or clock["mark"] or clock["mm"] or (clock["at"] and (hour > 12 or evening or afternoon))
    if not told:
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    elif hour < 12 and (afternoon or (evening and hour > 4)):
        hour += 12
    return hour + 24 if evening and hour < 5 else hour


def _set(day: datetime, hour: int, minute: int) -> datetime:
    at: datetime = day + relativedelta(days=hour // 24, hour=hour % 24, minute=minute)
    return at
