"""What a plan of folds is made of, and what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Source:
    """An entry as folding sees it. `day`: when it was said. `version`: what the plan was made from."""

    id: int
    text: str
    kind: str = "fact"
    project: str = ""
    day: str = ""
    version: int = 1
    pinned: bool = False
    keyed: bool = False
    dated: bool = False
    speaks: bool = False


@dataclass(frozen=True)
class Suggestion:
    """Two entries that look alike and are not folded. `verdict`: `conflict`, or `keep both`."""

    entries: tuple[int, int]
    why: str
    verdict: str


@dataclass(frozen=True)
class Fold:
    """One subject, and what becomes of it.

    `line`: what would be written, empty for an absorption. `into`: who speaks for the others then. `refused`: the gate.
    `folds`: the entries that are spoken for. `held_back`: others, each with its words that the line leaves out, and
    `why` each of them is: a gate's name, or what it holds that no list may. `tokens`: what the line costs, and saves.
    """

    subject: str
    sources: tuple[int, ...]
    line: str = ""
    into: int | None = None
    refused: str = ""
    invented: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    held_back: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    why: Mapping[int, str] = field(default_factory=dict)
    tokens: tuple[int, int] = (0, 0)
    folds: tuple[int, ...] = ()
    project: str = ""
    suggestions: tuple[Suggestion, ...] = ()


@dataclass(frozen=True)
class Plan:
    """`left_alone`: how many entries were not looked at, by what they are."""

    folds: tuple[Fold, ...]
    left_alone: Mapping[str, int] = field(default_factory=dict)

    @property
    def accepted(self) -> tuple[Fold, ...]:
        return tuple(fold for fold in self.folds if not fold.refused)
