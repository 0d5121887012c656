"""Names of subjects in a question: which it holds, what else those are called, and the question with both."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from memory.domain.words import PART, folded, spaceless, stem

#: A word with a capital that opens no sentence, with the space before it.
NAME = re.compile(r"(?<=[^\s.!?…:])\s+([A-ZÀ-ÖØ-Þ][\w’'-]*)")
#: Of a longer question the beginning is looked at, as by the two channels; and the names that one may get.
MOST_TEXT, MOST_NAMES = 2000, 8


@dataclass(frozen=True)
class Pair:
    """Two names of one thing, as they were written."""

    name: str
    other: str


@dataclass(frozen=True)
class Held:
    """A name that a question holds, and where it does so first."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Part:
    """A run of letters or digits, folded and stemmed as a search has it."""

    stem: str
    start: int
    end: int


def key(name: str) -> str:
    """What names are told apart by, whatever their case, accents and inflection."""
    return folded(name).strip() if spaceless(name) else " ".join(part.stem for part in _parts(name))


def _parts(text: str) -> list[Part]:
    return [Part(stem(folded(match.group())), *match.span()) for match in PART.finditer(text)]


def holds(text: str, name: str) -> bool:
    return bool(held(text, [name]))


def held(text: str, names: Iterable[str]) -> list[Held]:
    """Those of the names that the text holds whole. In scripts without spaces letter by letter."""
    parts = _parts(text[:MOST_TEXT])
    stems = f" {' '.join(part.stem for part in parts)} "
    return [each for name in dict.fromkeys(names) if (each := _first(text, stems, parts, name))]


def _first(text: str, stems: str, parts: Sequence[Part], name: str) -> Held | None:
    if spaceless(name):
        start = text[:MOST_TEXT].find(name)
        return Held(name, start, start + len(name)) if start >= 0 else None
    place = stems.find(f" {key(name)} ")
    if place < 0 or not key(name):
        return None
    first = stems[: place + 1].count(" ") - 1
    return Held(name, parts[first].start, parts[first + key(name).count(" ")].end)


def others(held_names: Collection[str], pairs: Iterable[Pair]) -> tuple[str, ...]:
    """What else the subjects are called that these names are of; a name of a name is one too."""
    found, left = dict[str, str](), list(pairs)
    known = new = {key(name) for name in held_names}
    while new and len(found) < MOST_NAMES:
        reached = [each for pair in left for each in _reached(pair, new)]
        new = {key(name) for name in reached} - known
        for name in reached:
            if key(name) in new:
                found.setdefault(key(name), name)
        known = known | new
    return tuple(found.values())[:MOST_NAMES]


def _reached(pair: Pair, names: Collection[str]) -> list[str]:
    both = ((pair.name, pair.other), (pair.other, pair.name))
    return [other for name, other in both if key(name) in names]


def with_others(text: str, name: Held, others_of_it: Sequence[str], *, instead: bool) -> str:
    """The question with the other names after the one that it holds, or instead of that."""
    kept = [] if instead else [text[name.start : name.end]]
    return text[: name.start] + " ".join([*kept, *others_of_it]) + text[name.end :]
