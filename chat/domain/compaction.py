"""Whether a window is to be compacted, and where it is cut. Pure: rows and limits in, a plan out.

A window is cut at user turns, so that no question loses its answer. Pinned rows stay wherever they are. Nothing is
taken that still runs, or that is newer than what runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

MESSAGES, TOKENS, RATIO, FORCED = "messages", "tokens", "ratio", "forced"


@dataclass(frozen=True)
class Row:
    """A message of the window. `tokens` and `characters`: what it takes of a prompt, 0 where none shows it."""

    id: int
    role: str
    tokens: int = 0
    characters: int = 0
    pinned: bool = False
    running: bool = False


@dataclass(frozen=True)
class Limits:
    """All are exceeded by what is strictly greater. `characters`: the share of the model's budget, already taken."""

    messages: int
    keep_recent: int
    tokens: int
    target: int
    characters: float


@dataclass(frozen=True)
class Plan:
    """Every row is in `removed` or in `kept`, in the order of the window. Nothing removed: there is nothing to do.

    `below_keep_recent`: fewer unpinned rows are left than are kept otherwise.
    """

    triggers: tuple[str, ...]
    removed: tuple[int, ...]
    kept: tuple[int, ...]
    below_keep_recent: bool = False


def triggers(rows: Sequence[Row], limits: Limits, *, forced: bool = False) -> tuple[str, ...]:
    """Why this window is to be compacted; empty: it is not."""
    found = {
        FORCED: forced,
        MESSAGES: len(rows) > limits.messages,
        TOKENS: sum(row.tokens for row in rows) > limits.tokens,
        RATIO: sum(row.characters for row in rows) > limits.characters,
    }
    return tuple(name for name, fired in found.items() if fired)


def plan(rows: Sequence[Row], limits: Limits, *, forced: bool = False) -> Plan:
    """Rows oldest first. Where several triggers fire, the largest cut is made."""
    fired = triggers(rows, limits, forced=forced)
    groups = _groups(rows)
    most = _most(groups)
    cut = max((min(most, CUTS[name](groups, limits)) for name in fired), default=0)
    return _plan(rows, fired, _unpinned(groups[:cut]), limits.keep_recent)


def everything(rows: Sequence[Row]) -> Plan:
    """Of a conversation that is to be removed."""
    return _plan(rows, (FORCED,), [row.id for row in rows], 0)


def cap(rows: Sequence[Row], most: int, slack: int) -> Plan:
    """Above `most` rows: all pinned ones stay, and the newest others, so that `most - slack` are left, at least one.

    Pinned ones count; where they alone are that many, only they are left.
    """
    if len(rows) <= most:
        return _plan(rows, (), [], 0)
    unpinned = [row.id for row in rows if not row.pinned]
    budget = max(0, max(most - slack, 1) - (len(rows) - len(unpinned)))
    at_work = {row.id for group in _groups(rows)[_running(_groups(rows)) :] for row in group}
    gone = [pk for pk in unpinned[: len(unpinned) - budget] if pk not in at_work]
    return _plan(rows, (MESSAGES,), gone, 0)


def _plan(rows: Sequence[Row], fired: tuple[str, ...], gone: Sequence[int], keep_recent: int) -> Plan:
    taken = set(gone)
    kept = tuple(row.id for row in rows if row.id not in taken)
    left = sum(not row.pinned for row in rows) - len(taken)
    return Plan(fired, tuple(gone), kept, bool(taken) and left < keep_recent)


Groups = list[list[Row]]


def _groups(rows: Sequence[Row]) -> Groups:
    """A new one at every message of the person; what comes before the first is one of its own."""
    found: Groups = []
    for row in rows:
        if row.role == "user" or not found:
            found.append([])
        found[-1].append(row)
    return found


def _unpinned(groups: Groups) -> list[int]:
    return [row.id for group in groups for row in group if not row.pinned]


def _running(groups: Groups) -> int:
    """How many groups come before the first that still runs."""
    return next((place for place, group in enumerate(groups) if any(row.running for row in group)), len(groups))


def _most(groups: Groups) -> int:
    """How many groups may go: none that runs or is newer, and the last that is not all pinned stays."""
    loose = [place for place, group in enumerate(groups) if _unpinned([group])]
    return min(_running(groups), loose[-1] if loose else 0)


def _before(groups: Groups) -> list[int]:
    """Of each number of groups, how many unpinned rows they have."""
    return [0, *accumulate(len(_unpinned([group])) for group in groups)]


def _all_but_recent(groups: Groups, limits: Limits) -> int:
    before = _before(groups)
    return max(cut for cut, gone in enumerate(before) if gone <= max(0, before[-1] - limits.keep_recent))


def _down_to_target(groups: Groups, limits: Limits) -> int:
    """The smallest cut that reaches the target; all of them where pinned rows alone are above it."""
    loose = [sum(row.tokens for row in group if not row.pinned) for group in groups]
    whole = sum(row.tokens for group in groups for row in group)
    left = [whole - gone for gone in (0, *accumulate(loose))]
    return next((cut for cut, tokens in enumerate(left) if tokens <= limits.target), len(groups))


def _older_half(groups: Groups, _limits: Limits) -> int:
    before = _before(groups)
    return next(cut for cut, gone in enumerate(before) if gone >= before[-1] // 2)


CUTS: dict[str, Callable[[Groups, Limits], int]] = {
    FORCED: _all_but_recent,
    MESSAGES: _all_but_recent,
    TOKENS: _down_to_target,
    RATIO: _older_half,
}
