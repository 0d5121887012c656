"""What a calibration says, in lines for a terminal and a bench, and in sentences for the page."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from memory.calibrate import Measurement
from memory.domain.calibration import TIGHT, Fit, Measured, Verdict


def lines(found: Measurement) -> Iterator[str]:
    """Hits by rising distance, then misses, then what follows from them."""
    for each in sorted(found.measured, key=lambda each: (each.miss, each.distance)):
        yield line_of(each)
    yield from sentences(found.verdict)


def line_of(each: Measured) -> str:
    side = _("miss") if each.miss else _("hit")
    place = f"{each.rank}." if each.rank else "–"
    return f"{side:<5} {each.distance:.4f}  #{each.entry} ({place})  {each.text}"


def sentences(found: Verdict) -> Iterator[str]:
    measured = {"worst": f"{found.worst:.4f}", "best": f"{found.best:.4f}", "gap": f"{found.gap:+.4f}"}
    yield _("Worst hit %(worst)s, best miss %(best)s, gap %(gap)s.") % measured
    if found.fit is Fit.NO_GAP:
        yield _("NO GAP: a wrong row is as near as a right one. No cutoff tells them apart.")
    elif found.fit is Fit.TIGHT:
        words = _("Too tight: a gap below %(tight)s is within what other questions move. No cutoff is suggested.")
        yield words % {"tight": f"{TIGHT:.2f}"}
    else:
        words = _("Midpoint %(midpoint)s, suggestion %(suggestion)s (above it: a false “nothing” is believed).")
        yield words % {"midpoint": f"{found.midpoint:.4f}", "suggestion": f"{found.suggestion:.2f}"}
    for each in found.astray:
        place = _("its place is %(rank)d") % {"rank": each.rank} if each.rank else _("it is not among the rows")
        words = _("WARNING: entry #%(id)d is not the first row of “%(question)s”: %(place)s.")
        yield words % {"id": each.entry, "question": each.text, "place": place}
