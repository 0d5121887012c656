"""A conversation as a tree: which message follows which, the branch that one lies on, and its alternatives.

A message follows the one stored before it unless its `parent` says otherwise; 0 begins the conversation anew. Ids grow
along every branch, so there is no circle to guard against.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

#: What the first message of a branch follows.
NOTHING = 0


@dataclass(frozen=True)
class Tree:
    """`ids` in order. `parents` and `children` are complete: a beginning follows NOTHING."""

    ids: tuple[int, ...]
    parents: Mapping[int, int]
    children: Mapping[int, tuple[int, ...]]

    def path(self, message: int) -> tuple[int, ...]:
        """The branch from its beginning to this message, or to the nearest earlier one where it is gone."""
        found, at = [], nearest(self.ids, message)
        while at != NOTHING:
            found.append(at)
            at = self.parents[at]
        return tuple(reversed(found))

    def siblings(self, message: int) -> tuple[int, ...]:
        """The alternatives that follow the same message, this one included; none where it has none.

        Whatever their role: an answer whose question was deleted stands beside a question, and stays within reach.
        """
        beside = self.children[self.parents[message]]
        return beside if len(beside) > 1 else ()

    def leaf(self, message: int) -> int:
        """The newest message of all that follow this one; itself where none does."""
        under, newest = {message}, message
        for later in self.ids[bisect_right(self.ids, message) :]:
            if self.parents[later] in under:
                under.add(later)
                newest = later
        return newest

    def end(self, tip: int | None) -> int:
        """What the branch in sight ends with. A tip that is gone stands for the nearest message before it."""
        at = NOTHING if tip is None else nearest(self.ids, tip)
        if at == NOTHING:
            return self.ids[-1] if self.ids else NOTHING
        return self.leaf(at)

    def without(self, gone: Collection[int]) -> dict[int, int]:
        """Whom the messages that lose theirs follow once these are gone: every branch keeps what stays of it."""
        moved = {}
        for message in self.ids:
            parent = self.parents[message]
            if message not in gone and parent in gone:
                while parent in gone:
                    parent = self.parents[parent]
                moved[message] = parent
        return moved


def tree(rows: Iterable[tuple[int, int | None]]) -> Tree:
    """From `(id, parent)` in the order of their ids. A parent that is gone is the nearest earlier message."""
    ids: list[int] = []
    parents: dict[int, int] = {}
    children: defaultdict[int, list[int]] = defaultdict(list)
    for message, parent in rows:
        follows = _followed(ids, parent)
        parents[message] = follows
        children[follows].append(message)
        ids.append(message)
    return Tree(tuple(ids), parents, {parent: tuple(found) for parent, found in children.items()})


def _followed(earlier: list[int], parent: int | None) -> int:
    if parent is None:
        return earlier[-1] if earlier else NOTHING
    return nearest(earlier, parent)


def nearest(ids: Sequence[int], message: int) -> int:
    """The message, or the last one before it; NOTHING where there is none."""
    place = bisect_right(ids, message)
    return ids[place - 1] if place else NOTHING
