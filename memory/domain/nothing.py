"""Does memory hold anything on this? One decision about a whole recall, for a turn; a search shows its rows anyway.

It never claims to know whether a detail was said of a subject that was talked about: similarity cannot tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: An exchange this near counts as something. A long exchange comes near to any question, a short fact does not, so
#: that facts count up to the cutoff. Measured as the cutoff was (bench/README.md, cutoff).
NEAR = "1.1@e3b0c4.6fe03d"
#: Share of the question's rarity that one row must cover to count by its words alone.
SHARE = 0.45


@dataclass(frozen=True)
class Sign:
    """What one row shown says: its distance where vectors admitted it, and whether someone chose to write it down."""

    deliberate: bool
    distance: float | None


def nothing(signs: Sequence[Sign], shares: Sequence[float], near: float | None) -> bool:
    """True where no fact is within the cutoff, no other row is `near`, and no row's words cover enough of the question.

    `near` None, an embedder that it was not measured with: every row that vectors admitted counts.
    """
    if max(shares, default=0.0) >= SHARE:
        return False
    measured = [sign for sign in signs if sign.distance is not None]
    return not any(sign.deliberate or near is None or (sign.distance or 0.0) <= near for sign in measured)
