"""The checks that can refuse a line that was put together of details. They look at words: none is a truth check.

In their order: closure (no word from nowhere), repetition (nothing twice), coverage (a source whose words are not all
there stays as it is), quorum (enough sources are left), budget (a good quarter is saved), size.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memory.domain.subjects import Rarity, tokens

CLOSURE, REPETITION, COVERAGE, QUORUM = "closure", "repetition", "coverage", "quorum"
BUDGET, SIZE, STORE, QUESTIONS = "budget", "size", "store", "questions"
#: A line may take so much of what its sources take. Estimates of tokens are off by a fifth.
MARGIN = 0.75
#: Characters of a line that a person still reads.
LONGEST = 2000


@dataclass(frozen=True)
class Line:
    """A line and what it was made of. `sources`: text by id. `priced`: what each line of the block costs."""

    text: str
    sources: Mapping[int, str]
    least: int
    cost: Callable[[str, Iterable[int]], tuple[int, int]]


@dataclass(frozen=True)
class Judged:
    """`refused`: the gate, or nothing. `tokens`: cost of the line, and what it saves; of the foldable sources."""

    refused: str = ""
    invented: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    uncovered: Mapping[int, tuple[str, ...]] | None = None
    foldable: tuple[int, ...] = ()
    tokens: tuple[int, int] = (0, 0)


def judge(line: Line, rare: Rarity) -> Judged:
    """The first gate that refuses the line, with what each of them found until then."""
    if made_up := invented(line.text, line.sources.values(), rare):
        return Judged(CLOSURE, invented=made_up)
    if twice := repeated(line.text, rare):
        return Judged(REPETITION, repeated=twice)
    left_out = {pk: missing for pk, text in line.sources.items() if (missing := uncovered(text, line.text, rare))}
    foldable = tuple(pk for pk in line.sources if pk not in left_out)
    if len(foldable) < line.least:
        return Judged(QUORUM, uncovered=left_out, foldable=foldable)
    cost, before = line.cost(line.text, foldable)
    refused = BUDGET if cost > MARGIN * before else SIZE if len(line.text) > LONGEST else ""
    return Judged(refused, (), (), left_out, foldable, (cost, before - cost))


def invented(line: str, sources: Iterable[str], rare: Rarity) -> tuple[str, ...]:
    """The words of the line that no source holds, and that are not common in the store."""
    held = {word for text in sources for word in tokens(text)}
    return tuple(dict.fromkeys(word for word in tokens(line) if word not in held and rare.informs(word)))


def repeated(line: str, rare: Rarity) -> tuple[str, ...]:
    """The pairs of informative neighbours that stand in it more than once."""
    telling = [word for word in tokens(line) if rare.informs(word)]
    count = Counter(pairwise(telling))
    return tuple(f"{one} {other}" for (one, other), times in count.items() if times > 1)


def uncovered(source: str, line: str, rare: Rarity) -> tuple[str, ...]:
    """The informative words of the source that the line leaves out."""
    there = frozenset(tokens(line))
    return tuple(dict.fromkeys(word for word in tokens(source) if word not in there and rare.informs(word)))


def as_written(word: str, texts: Sequence[str]) -> str:
    """The word as somebody wrote it with a capital; else with one."""
    for text in texts:
        plain = unicodedata.normalize("NFC", text)
        for run in plain.split():
            if run.strip(".,;:!?()[]\"'«»“”").lower() == word and not run.islower():
                return run.strip(".,;:!?()[]\"'«»“”")
    return word.capitalize()
