"""The links of an entry as a small drawing: who points to it above, itself, and what it points to below.

Only places are worked out here; the template draws them as SVG, and the list of links beside it says the same in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from memory.desk.words import INWARD, OUTWARD
from memory.models import Entry, Link, LinkType

#: Most neighbours drawn on either side.
SIDE = 6
#: In units of the drawing, which are pixels at the width of the column beside the form.
WIDTH, ROW, BOX, HIGH, EDGE, GAP = 308, 36, 64, 24, 12, 18
MIDDLE = WIDTH // 2
#: What is said on an edge has less room than in a list.
SHORT: dict[str, Any] = dict(OUTWARD) | {LinkType.VERSION_OF: _("newer version")}


@dataclass(frozen=True)
class Node:
    """A neighbour and its edge. `x`, `y`: the corner of its box; `text` empty: it was forgotten."""

    id: int
    text: str
    type: str
    label: Any
    said: Any
    x: int
    y: int
    outward: bool

    @property
    def line(self) -> int:
        """The height of its edge."""
        return self.y + HIGH // 2

    @property
    def label_x(self) -> int:
        return MIDDLE + (EDGE if self.outward else -EDGE)

    @property
    def near(self) -> int:
        """Where the edge meets the box."""
        return self.x if self.outward else self.x + BOX

    @property
    def arrow(self) -> str:
        """The head of an edge that leads to the box; of one that leads to the entry there is one for all."""
        return f"{self.near},{self.line} {self.near - 6},{self.line - 4} {self.near - 6},{self.line + 4}"

    @property
    def both_ways(self) -> bool:
        return self.type == LinkType.CONFLICTS


@dataclass(frozen=True)
class Graph:
    """`more`: neighbours that are not drawn. `x`, `y`: of the entry's own box."""

    entry: Entry
    inward: Sequence[Node]
    outward: Sequence[Node]
    more: int
    y: int
    height: int
    width: int = WIDTH
    middle: int = MIDDLE
    x: int = MIDDLE - BOX // 2
    box: int = BOX
    high: int = HIGH

    @property
    def nodes(self) -> Sequence[Node]:
        return (*self.inward, *self.outward)

    @property
    def foot(self) -> int:
        return self.y + HIGH

    @property
    def arrow(self) -> str:
        """The head of what leads to the entry."""
        return f"{MIDDLE},{self.y} {MIDDLE - 4},{self.y - 6} {MIDDLE + 4},{self.y - 6}"

    @property
    def points_in(self) -> bool:
        return any(not node.both_ways for node in self.inward)


def graph(entry: Entry, links: Sequence[Link]) -> Graph | None:
    """The newest links of either side; None where there is no link. Two links to one entry are two edges."""
    if not links:
        return None
    newest = sorted(links, key=lambda link: -link.pk)
    inward = [link for link in newest if link.other_id == entry.pk]
    outward = [link for link in newest if link.entry_id == entry.pk]
    above = [_node(link, link.entry, 0, place * ROW, outward=False) for place, link in enumerate(inward[:SIDE])]
    y = len(above) * ROW + (GAP if above else 0)
    start = y + HIGH + GAP
    below = [
        _node(link, link.other, WIDTH - BOX, start + place * ROW, outward=True)
        for place, link in enumerate(outward[:SIDE])
    ]
    height = below[-1].y + HIGH if below else y + HIGH
    return Graph(entry, above, below, len(links) - len(above) - len(below), y, height)


def _node(link: Link, other: Entry, x: int, y: int, *, outward: bool) -> Node:
    said = (OUTWARD if outward else INWARD)[link.type]
    return Node(other.pk, other.text, link.type, SHORT[link.type], said, x, y + 1, outward)
