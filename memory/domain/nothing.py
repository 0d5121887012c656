"""Does memory hold anything on this? One decision about a whole recall, for a turn; a search shows its rows anyway.

It never claims to know whether a detail was said of a subject that was talked about: similarity cannot tell.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory.domain.union import Shown

#: Share of the question's rarity that the best row must cover where nothing is near (bench/README.md, cutoff).
SHARE = 0.45


def nothing(shown: Sequence[Shown], shares: Sequence[float]) -> bool:
    """True when no row shown is near, and none of those that words found covers enough of the question."""
    if any(row.channel in ("vector", "both") for row in shown):
        return False
    return max(shares, default=0.0) < SHARE
