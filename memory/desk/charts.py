"""Charts as SVG of the server's own: no script, no style in them, so that they need no exception from the policy.

The library writes colours as attributes, which a stylesheet overrides: the desk's, in light and dark.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import leather
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from forgesite.language import number
from memory.domain.calibration import Measured, Verdict
from memory.store_counts import Week

WIDTH, HALF, HEIGHT = 720, 520, 260
#: The desk's `--ok`, `--bad` and `--ember` in light; its stylesheet finds them by these names, and has them in dark.
GREEN, RED, ORANGE = "#2c6e49", "#a4262c", "#b5450f"
#: A receipt's number, and a distance.
Dot = tuple[int, float]
#: Where the two sides stand, one above the other.
HIT, MISS, TOP = 2, 1, 3
#: Of a share, along its axis.
QUARTERS = [0, 0.25, 0.5, 0.75, 1]


def of_distances(measured: Sequence[Measured], found: Verdict) -> SafeString:
    """Hits and misses along the distance, and the line of the suggested cutoff where there is one."""
    chart = leather.Chart()
    chart.add_x_axis(name=_("distance"))
    chart.add_y_axis(
        ticks=[MISS, HIT], tick_formatter=lambda value, _i, _all: _("hits") if value == HIT else _("misses")
    )
    distances = [each.distance for each in measured]
    chart.add_x_scale(max(0.0, round(min(distances) - 0.1, 1)), min(2.0, round(max(distances) + 0.1, 1)))
    chart.add_y_scale(0, TOP)
    for side, colour, name in ((HIT, GREEN, _("hits")), (MISS, RED, _("misses"))):
        dots = [(each.distance, side) for each in measured if each.miss == (side == MISS)]
        chart.add_dots(dots, name=name, fill_color=colour, radius=6)
    if found.suggestion is not None:
        line = [(found.suggestion, 0), (found.suggestion, TOP)]
        chart.add_line(line, name=_("cutoff %(cutoff)s") % {"cutoff": number(found.suggestion, 2)}, stroke_color=ORANGE)
    return _drawn(chart)


def of_growth(weeks: Sequence[Week]) -> SafeString:
    """How many entries there were at the end of each week."""
    return _by_week(weeks, [week.total for week in weeks], _("all"), GREEN)


def of_new(weeks: Sequence[Week]) -> SafeString:
    """How many of them were new in each week."""
    return _by_week(weeks, [week.new for week in weeks], _("new"), ORANGE)


def _by_week(weeks: Sequence[Week], counts: Sequence[int], name: str, colour: str) -> SafeString:
    chart = leather.Chart()
    mondays = [week.monday for week in weeks]
    chart.add_x_axis(name=_("week"), ticks=_some(mondays), tick_formatter=lambda value, _i, _all: value.isoformat())
    chart.add_y_axis(ticks=_whole(max(counts)), tick_formatter=lambda value, _i, _all: f"{value:.0f}")
    chart.add_y_scale(0, max(1, max(counts)))
    chart.add_line(list(zip(mondays, counts, strict=True)), name=name, stroke_color=colour, width=2)
    return _drawn(chart, HALF)


def _whole(most: int) -> list[int]:
    """Numbers of entries to write beside the axis: none is half an entry."""
    return sorted({0, most // 2, most} if most > 1 else {0, 1})


def _some(mondays: Sequence[date]) -> list[date]:
    """Those to write below the axis: few enough to be read, the last one always."""
    return list(mondays[:: -max(1, len(mondays) // 4)][::-1])


def of_recalls(given: Sequence[Dot], left: Sequence[Dot], cutoff: float | None) -> SafeString:
    """The distance of each row along the receipts, those given and those the cutoff left out, and the cutoff."""
    chart = leather.Chart()
    numbers = [number for number, _distance in (*given, *left)]
    distances = [distance for _number, distance in (*given, *left)] + ([cutoff] if cutoff is not None else [])
    first, last = min(numbers), max(numbers)
    chart.add_x_axis(name=_("receipt"), ticks=sorted({first, (first + last) // 2, last}), tick_formatter=_numbered)
    chart.add_y_axis(name=_("distance"), tick_formatter=_measured)
    chart.add_x_scale(first - 1, last + 1)
    chart.add_y_scale(max(0.0, round(min(distances) - 0.1, 1)), min(2.0, round(max(distances) + 0.1, 1)))
    for dots, colour, name in ((given, GREEN, _("given")), (left, RED, _("left out"))):
        if dots:
            chart.add_dots(list(dots), name=name, fill_color=colour, radius=4)
    if cutoff is not None:
        line = [(first - 1, cutoff), (last + 1, cutoff)]
        chart.add_line(line, name=_("cutoff %(cutoff)s") % {"cutoff": number(cutoff, 2)}, stroke_color=ORANGE)
    return _drawn(chart)


def of_reliability(bins: Sequence[tuple[float, float]]) -> SafeString:
    """The share that was accepted along the probability that was stated, and the line on which they are the same."""
    chart = leather.Chart()
    chart.add_x_axis(name=_("stated"), ticks=QUARTERS, tick_formatter=_share)
    chart.add_y_axis(name=_("accepted"), ticks=QUARTERS, tick_formatter=_share)
    chart.add_x_scale(0, 1)
    chart.add_y_scale(0, 1)
    chart.add_line([(0, 0), (1, 1)], name=_("as stated"), stroke_color=ORANGE)
    chart.add_dots(list(bins), name=_("accepted"), fill_color=GREEN, radius=6)
    return _drawn(chart, HALF)


def _measured(value: float, _place: int, _all: Sequence[float]) -> str:
    """A quarter is not rounded: the line of a cutoff of 1.22 would run below a “1.2”."""
    return number(value, 2)


def _share(value: float, _place: int, _all: Sequence[float]) -> str:
    return f"{value:.2f}"


def _numbered(value: float, _place: int, _all: Sequence[float]) -> str:
    return f"#{value:.0f}"


def _drawn(chart: leather.Chart, width: int = WIDTH) -> SafeString:
    drawn: str = chart.to_svg(width=width, height=HEIGHT)
    # Without a view box a narrow screen would cut it off and not make it smaller.
    drawn = drawn.replace("<svg ", f'<svg viewBox="0 0 {width} {HEIGHT}" ', 1)
    return mark_safe(drawn)  # numbers and words of ours: nobody's text
