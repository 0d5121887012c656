"""Charts as SVG of the server's own: no script, no style in them, so that they need no exception from the policy.

The library writes colours as attributes, which a stylesheet overrides: the desk's, in light and dark.
"""

from __future__ import annotations

from collections.abc import Sequence

import leather
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memory.domain.calibration import Measured, Verdict

WIDTH, HEIGHT = 720, 240
#: The desk's `--ok`, `--bad` and `--ember` in light; its stylesheet finds them by these names, and has them in dark.
GREEN, RED, ORANGE = "#2c6e49", "#a4262c", "#b5450f"
#: Where the two sides stand, one above the other.
HIT, MISS, TOP = 2, 1, 3


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
        chart.add_line(line, name=_("cutoff %(cutoff)s") % {"cutoff": f"{found.suggestion:.2f}"}, stroke_color=ORANGE)
    drawn: str = chart.to_svg(width=WIDTH, height=HEIGHT)
    return mark_safe(drawn)  # numbers and words of ours: nobody's text
