"""Reads the moments that a text names: the phrases are of moment_phrases.py, the calendar is python-dateutil's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime

from dateutil.relativedelta import MO, SA, relativedelta, weekday
from dateutil.rrule import MONTHLY, YEARLY, rrule

from memory.domain.moment_clock import with_clock
from memory.domain.moment_phrases import bare, phrases
from memory.domain.moment_words import DAYS, LENGTHS, MONTHS, SHORT_MONTHS, SIDES, UNITS, WEEKDAYS, key, number

Groups = dict[str, str]


@dataclass(frozen=True)
class Meant:
    """A moment: aware, not yet taken to the beginning of its span."""

    at: datetime
    span: str


@dataclass(frozen=True)
class Named:
    """Where in the text a moment is named; `meant` is None where the words do not tell which."""

    start: int
    end: int
    meant: Meant | None


@dataclass(frozen=True)
class Said:
    """When a text was said, in the person's time zone, and whether it looks ahead."""

    at: datetime
    ahead: bool


def named(text: str, said: Said) -> Iterator[Named]:
    """The moments that a text names, in order, each with its clock time."""
    text = bare(text)
    for kind, match in phrases(text):
        meant = _meant(kind, match, said)
        yield _timed(text, *match.span(), meant) if meant else Named(*match.span(), None)


def _meant(kind: str, match: re.Match[str], said: Said) -> Meant | None:
    """None also for a day that no calendar has, and for a year past its end."""
    groups = {name: value for name, value in match.groupdict().items() if value}
    try:
        return _READERS[kind](groups, said)
    except (OverflowError, ValueError):
        return None


def _timed(text: str, start: int, end: int, meant: Meant) -> Named:
    timed = with_clock(text, start, end, meant.at) if meant.span == "day" else None
    return Named(timed.start, timed.end, Meant(timed.at, "minute")) if timed else Named(start, end, meant)


_MIDNIGHT = {"hour": 0, "minute": 0, "second": 0, "microsecond": 0}
#: Span → what takes a moment to its beginning. A week begins on Monday.
_BEGINNING = {
    "minute": relativedelta(second=0, microsecond=0),
    "hour": relativedelta(second=0, microsecond=0),
    "day": relativedelta(**_MIDNIGHT),
    "week": relativedelta(weekday=MO(-1), **_MIDNIGHT),
    "month": relativedelta(day=1, **_MIDNIGHT),
    "year": relativedelta(month=1, day=1, **_MIDNIGHT),
}


def beginning(meant: Meant) -> datetime:
    """In UTC. A time that the clocks leave out is an hour later. OverflowError before year 1 and after 9999."""
    at: datetime = meant.at + _BEGINNING[meant.span]
    clock = meant.span in ("hour", "minute")
    return (at if clock else at.replace(fold=0)).astimezone(UTC)  # a day begins at the first of two midnights


def _day(said: Said, **by: object) -> Meant:
    return Meant(said.at + relativedelta(**by), "day")


def _days(groups: Groups, said: Said) -> Meant:
    return _day(said, days=DAYS[key(groups["day"])])


def _counted(groups: Groups, said: Said, sign: int) -> Meant:
    if "length" in groups:
        count, unit = LENGTHS[key(groups["length"])]
    else:
        count, unit = number(groups["n"]), UNITS[groups["u"]]
    # Hours are counted by the sun, days by the calendar: over a change of the clocks they are not the same.
    at = said.at.astimezone(UTC) if unit in ("hour", "minute") else said.at
    return Meant(at + relativedelta(**{f"{unit}s": sign * count}), unit)


def _period(groups: Groups, said: Said) -> Meant:
    unit = UNITS[groups["period"]]
    return Meant(said.at + relativedelta(**{f"{unit}s": SIDES[key(groups["side"])]}), unit)


def _weekend(groups: Groups, said: Said) -> Meant:
    """Its Saturday. “Le week-end prochain” is the next to come."""
    if (side := SIDES[key(groups["side"])]) > 0:
        return _day(said, days=1, weekday=SA)
    return Meant(_monday(said, side) + relativedelta(weekday=SA), "day")


def _monday(said: Said, weeks: int) -> datetime:
    monday: datetime = said.at + relativedelta(weeks=weeks, weekday=MO(-1))
    return monday


def _weekday(groups: Groups, said: Said) -> Meant | None:
    """“Next Tuesday” is the first after the day, “last Tuesday” the last before it, whatever week they are in.

    “Tuesday” alone is ahead where the text looks ahead. “This Tuesday” is in this week, or ahead.
    """
    number = WEEKDAYS[groups["w"]] - 1
    side = SIDES[key(groups["side"]).removeprefix("el ")] if "side" in groups else None
    if side == 0 and (said.ahead or number >= said.at.weekday()):
        return _day(said, weekday=weekday(number))
    if side is None and said.ahead:
        side = 1
    return _day(said, days=1 if side > 0 else -1, weekday=weekday(number, side)) if side else None


def _in_eight(groups: Groups, said: Said) -> Meant:
    """“Mardi en huit” is a week after the Tuesday that today is or that comes next, “en quinze” two."""
    weeks = {"huit": 1, "8": 1}.get(groups["n"], 2)
    return _day(said, weekday=weekday(WEEKDAYS[groups["w"]] - 1, 1 + weeks))


def _of_week(groups: Groups, said: Said) -> Meant:
    monday = _monday(said, SIDES[groups["side"]])
    return Meant(monday + relativedelta(weekday=weekday(WEEKDAYS[groups["w"]] - 1)), "day")


def _of_month(groups: Groups, said: Said) -> Meant:
    month: datetime = said.at + relativedelta(months=SIDES[groups["side"]], day=1)
    return Meant(month.replace(day=_day_number(groups)), "day")


def _month(groups: Groups, said: Said) -> Meant | None:
    number = MONTHS[groups["m"]]
    if "y" in groups:
        return Meant(said.at.replace(year=int(groups["y"]), month=number, day=1), "month")
    side = SIDES[groups["side"]] if "side" in groups else 0
    if not side and not said.ahead:
        return None
    ahead = (number - said.at.month) % 12
    months = ahead - 12 if side < 0 else ahead or 12 * side
    return Meant(said.at + relativedelta(months=months), "month")


def _date(groups: Groups, said: Said) -> Meant | None:
    month = int(groups["mm"]) if "mm" in groups else SHORT_MONTHS[groups["m"]]
    day = _day_number(groups)
    if "y" in groups:
        return Meant(said.at.replace(year=int(groups["y"]), month=month, day=day), "day")
    leap_day = date(2000, month, day)  # raises for 31 June, which would be looked for till 9999
    return _next(said, YEARLY, bymonth=leap_day.month, bymonthday=leap_day.day)


def _day_number(groups: Groups) -> int:
    return 1 if groups["d"] in ("first", "premier") else int(groups["d"])


def _numeric(groups: Groups, said: Said) -> Meant | None:
    """“25/12/2026” and “le 03/04/2027”, but not “03/04/2027”, which is in March or April."""
    day, month = int(groups["d"]), int(groups["mm"])
    if month > 12:
        day, month = month, day
    elif day <= 12 and day != month and groups["sep"] == "/" and not groups.get("on", "").startswith(_DAY_FIRST):
        return None
    return Meant(said.at.replace(year=int(groups["y"]), month=month, day=day), "day")


_DAY_FIRST = ("le", "du", "au", "avant", "am", "vom", "zum", "el", "del")


def _stamp(groups: Groups, said: Said) -> Meant:
    at = datetime.fromisoformat(groups["stamp"].upper())
    return Meant(at if at.tzinfo else at.replace(tzinfo=said.at.tzinfo), "minute")


def _falls_on(groups: Groups, said: Said) -> Meant | None:
    """“Friday 20”, of this month or the next."""
    within = said.at + relativedelta(days=31)
    return _next(said, MONTHLY, byweekday=WEEKDAYS[groups["w"]] - 1, bymonthday=_day_number(groups), until=within)


def _next(said: Said, frequency: int, **rules: object) -> Meant | None:
    """The first day from today on that fits, where the text looks ahead."""
    days = rrule(frequency, dtstart=said.at, **rules) if said.ahead else ()
    return next((Meant(day, "day") for day in days), None)


_READERS: dict[str, Callable[[Groups, Said], Meant | None]] = {
    "days": _days,
    "later": lambda groups, said: _counted(groups, said, 1),
    "ago": lambda groups, said: _counted(groups, said, -1),
    "period": _period,
    "weekend": _weekend,
    "weekday": _weekday,
    "in eight": _in_eight,
    "of week": _of_week,
    "of month": _of_month,
    "month": _month,
    "date": _date,
    "numeric": _numeric,
    "stamp": _stamp,
    "falls on": _falls_on,
    "vague": lambda groups, said: None,
}
