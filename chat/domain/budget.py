"""How much of a conversation fits into a model's window. Every number is in tokens, but for the character budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from forgesite.lib.tokens import known_window

#: Most that remembered rows may take of a prompt, whatever the window.
BLOCK = 2000
#: The oldest turns go in steps of so many: what is left begins at the same place for a while, and a server that keeps
#: the prompt it has read needs to read only what is new.
STEP = 8
#: Characters of a token, and the percentage of a window that is used of them: the rest is for what counts worse.
CHARACTERS, USED = 4, 85
#: Characters of a conversation with a model of which no window is known; nothing is taken off a guess.
UNKNOWN = 512_000


@dataclass(frozen=True)
class Fit:
    """How many of the rows, best first, and from which turn on. `turns` counts from the first of the conversation."""

    rows: int
    turns: int


def answer_room(window: int, most: int) -> int:
    """What the answer gets of a window: `most`, or half of a window that is smaller than two of it."""
    return min(most, window // 2)


def char_budget(model_name: str, window: int | None = None) -> int:
    """Characters that a conversation with this model may have. `window` as its server says it; else by its name."""
    tokens = window or known_window(model_name)
    return tokens * CHARACTERS * USED // 100 if tokens else UNKNOWN


def fit(room: int, fixed: int, rows: Sequence[int], turns: Sequence[int], *, earlier: int = 0) -> Fit | None:
    """What fits into `room` beside `fixed`, which has to; None where not even that does.

    Of what is left the history keeps half, if it needs that much; the rows come before the rest of it. `turns`: the
    newest ones, oldest first, after `earlier` others that are left out anyway.
    """
    left = room - fixed
    if left < 0:
        return None
    for_rows = min(BLOCK, left - min(sum(turns), left // 2))
    kept = sum(total <= for_rows for total in accumulate(rows))
    left -= sum(rows[:kept])
    newest = sum(total <= left for total in accumulate(reversed(turns)))
    first = earlier + len(turns) - newest
    return Fit(kept, _stepped(first, newest))


def _stepped(first: int, kept: int) -> int:
    """The next multiple of STEP, where that leaves half of the turns at the least."""
    later = -(-first // STEP) * STEP
    return later if later - first <= kept // 2 else first
