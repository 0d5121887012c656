"""Why an entry was not given to a run: how far it came, decided from what its receipts say and how memory was then."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.receipt import Asked, Given, Left
from memory.domain.scope import LATER, REPLACED, STALE
from memory.domain.words import terms

Stage = Literal[
    "never_stored",
    "refused",
    "forgotten",
    "stored_later",
    "retracted",
    "archived",
    "superseded",
    "filtered",
    "no_channel",
    "cutoff",
    "budget",
    "skipped",
    "hot_block",
    "given",
]
#: From the farthest to the nearest: of several recalls of a run, the one in which an entry came farthest tells.
STAGES: tuple[Stage, ...] = (
    "never_stored",
    "refused",
    "forgotten",
    "stored_later",
    "retracted",
    "superseded",
    "filtered",
    "archived",
    "no_channel",
    "cutoff",
    "budget",
    "skipped",
    "hot_block",
    "given",
)
#: The stage of each rule by which a row that was found is left out.
LEFT: dict[str, Stage] = {
    "cutoff": "cutoff",
    "nothing": "cutoff",
    "candidates": "budget",
    "budget": "budget",
    "items": "skipped",
    "bytes": "skipped",
    "prompt": "skipped",
    "hot": "hot_block",
    "saved": "given",
}


@dataclass(frozen=True)
class Shared:
    """A word of the question that the entry has too; `rows` of the store hold it, and `common` ones admit nothing."""

    word: str
    rows: int
    common: bool


@dataclass(frozen=True)
class Then:
    """How the entry was as of a recall. `state` empty: it was not there.

    `gone`: it is forgotten: by then, where `state` is empty, or since. `asks`: what of the recall's filters it is not.
    """

    state: str = ""
    gone: bool = False
    by: int | None = None
    asks: tuple[str, ...] = ()
    deliberate: bool = False


@dataclass(frozen=True)
class Measured:
    """What a recall would have seen of an entry that no channel found."""

    distance: float | None = None
    shared: tuple[Shared, ...] = ()
    total: int = 0


@dataclass(frozen=True)
class Verdict:
    """`rule` names what decided, `facts` the numbers for its words."""

    stage: Stage
    rule: str
    facts: dict[str, Any] = field(default_factory=dict)


def given(rows: Iterable[Given], block: Iterable[int], entry: int) -> Verdict | None:
    """Whether the run had its words: as a row, or at the head of the prompt."""
    for row in rows:
        if row.id == entry:
            facts = {"rank": row.rank, "channel": row.channel, "distance": row.distance}
            return Verdict("given", row.channel or "recall", facts)
    return Verdict("hot_block", "hot_block") if entry in block else None


def left(asked: Asked, entry: int) -> Verdict | None:
    """By which rule a row that was found was left out; None where it was not found."""
    row = next((row for row in asked.left_out if row.id == entry), None)
    return _left(asked, row) if row else None


def _left(asked: Asked, row: Left) -> Verdict:
    facts = {"rank": row.rank, "channel": row.channel, "distance": row.distance, "by": row.by}
    facts |= {"cutoff": asked.cutoff, "budget": asked.budgets.get("rows"), **asked.budgets}
    return Verdict(LEFT.get(row.reason, "skipped"), row.reason, facts)


def unfound(then: Then) -> Verdict | None:
    """Why no channel could find it; None where one could have."""
    if not then.state:
        return Verdict("forgotten", "tombstone") if then.gone else Verdict("stored_later", "tick")
    if then.state == "retracted":
        return Verdict("retracted", "status")
    if then.state == REPLACED:
        return Verdict("superseded", "replaced", {"by": then.by})
    if then.state == STALE:
        return Verdict("superseded", "stale")
    if then.asks:
        return Verdict("filtered", then.asks[0])
    if then.gone:
        return Verdict("forgotten", "since")
    return Verdict("archived", "status") if then.state in LATER else None


def missed(asked: Asked, seen: Measured | None) -> Verdict:
    """By what it was no answer: too far for vectors, and without a rare word of the question. None: nobody can tell."""
    if seen is None:
        return Verdict("no_channel", "erased")
    facts = {
        "distance": seen.distance,
        "cutoff": asked.cutoff,
        "shared": seen.shared,
        "total": seen.total,
        "candidates": asked.budgets.get("candidates"),
    }
    if any(not each.common for each in seen.shared):
        return Verdict("no_channel", "others", facts)
    return Verdict("no_channel", "common" if seen.shared else "no_words", facts)


def says(text: str, words: str) -> bool:
    """Do these folded words of an entry hold half of the text's own, or more? Not its function words."""
    asked: dict[str, bool] = {}
    for term in terms(text, FUNCTION_WORDS).content:
        held = f" {' '.join(term.tokens)} " in f" {words} "
        asked[term.word] = asked.get(term.word, False) or held
    return bool(asked) and 2 * sum(asked.values()) >= len(asked)


def farthest(verdicts: Iterable[Verdict]) -> int:
    """Which of them tells: the first of those in which the entry came farthest."""
    places = [STAGES.index(verdict.stage) for verdict in verdicts]
    return places.index(max(places))
