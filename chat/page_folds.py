"""Messages that left the window, folded under the pointer or the summary that stands for them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from chat.domain.branches import NOTHING
from chat.models import Message
from chat.rendering import render

if TYPE_CHECKING:
    from chat.page import Shown

NUMBER = re.compile(r"\d+")
#: An entry as a pointer names it.
NAMED = re.compile(r"#(\d+)")


@dataclass(frozen=True)
class Piece:
    """Words of a pointer; with an `entry`, the link to it."""

    words: str
    entry: int | None = None


@dataclass(frozen=True)
class StandIn:
    """A pointer, or with `html` a summary and what it calls itself."""

    pieces: tuple[Piece, ...] = ()
    label: str = ""
    html: str = ""


@dataclass(frozen=True)
class Fold:
    """`count`: how many messages its pointer says that it stands for; `continued`: that is shown further up.

    `stand_ins` empty, and not continued: nothing stands for them.
    """

    shown: tuple[Shown, ...]
    stand_ins: tuple[StandIn, ...] = ()
    count: int = 0
    continued: bool = False
    open: bool = False


def parts(shown: Sequence[Shown], standing: Sequence[Message], sought: int | None = None) -> list[Shown | Fold]:
    """The thread with what left the window folded; a fold that holds the message `sought` is open.

    A message belongs to the nearest pointer at or before it. What is pinned in between stands by itself.
    """
    places = sorted({row.place for row in standing if row.place is not None})
    # A pointer before the first of these is shown on an earlier page, where there is one.
    begins = shown[0].message.pk if shown and shown[0].parent != NOTHING else NOTHING
    found: list[Shown | Fold] = []
    seen: set[int] = set()
    for place, group in groupby(shown, lambda one: _place(one.message, places)):
        if place is None:
            found += group
            continue
        rows = tuple(group)
        heads = [row for row in standing if row.place == place]
        continued = place in seen or (bool(heads) and place < begins)
        seen.add(place)
        is_open = any(one.message.pk == sought for one in rows)
        stand_ins = () if continued else tuple(stand_in(row.content) for row in heads)
        count = len(rows) if continued or not heads else _count(heads[0].content, len(rows))
        found.append(Fold(rows, stand_ins, count, continued, is_open))
    return found


def _place(message: Message, places: Sequence[int]) -> int | None:
    """None: it is in the window; 0: no pointer stands for it."""
    if not message.compacted:
        return None
    at = bisect_right(places, message.pk)
    return places[at - 1] if at else 0


def _count(content: str, otherwise: int) -> int:
    found = NUMBER.search(content.partition("]")[0])
    return int(found[0]) if found else otherwise


def stand_in(content: str) -> StandIn:
    """`[35 messages compacted: …]`, or `[summary of 35 earlier messages] …`."""
    bracket, _end, text = content.strip().removeprefix("[").partition("]")
    if text.strip():
        return StandIn(label=bracket, html=render(text.strip()))
    return StandIn(pieces=tuple(_pieces(bracket.partition(":")[2].strip())))


def _pieces(words: str) -> list[Piece]:
    """Split at the entries: every second piece is the number of one."""
    split = NAMED.split(words)
    return [
        Piece(f"#{one}", int(one)) if index % 2 else Piece(one.replace("-", "–") if one == "-" else one)
        for index, one in enumerate(split)
        if one
    ]
