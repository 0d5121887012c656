"""Finds a forgotten text in what quotes it: whole, over lines and quotation marks, or as far as a clipping kept it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

#: What may stand between two words of a quotation, and Markdown's escape inside one.
GAP = r"[\s>]+"
#: A clipping that kept fewer words and characters than these names nothing.
WORDS, CHARS = 3, 12


@dataclass(frozen=True)
class Forgotten:
    """One text, as words, and the mark that takes its place."""

    words: tuple[str, ...]
    mark: str

    @property
    def probe(self) -> str:
        """What every quotation of it holds as it stands: the longest run of letters in the words a clipping keeps."""
        return max(re.findall(r"[^\W_]+", " ".join(self.words[:WORDS])), key=len, default="")


def forgotten(texts: Sequence[str], ids: Sequence[int]) -> list[Forgotten]:
    """Each text with its id; with every id where texts and ids do not pair up."""
    every = ", ".join(f"#{number}" for number in ids)
    marks = [f"#{number}" for number in ids] if len(ids) == len(texts) else [every] * len(texts)
    pairs = zip(texts, marks, strict=True)
    return [Forgotten(tuple(text.split()), f"[forgotten {mark}]") for text, mark in pairs if text.strip()]


def masked(value: str, gone: Sequence[Forgotten]) -> str:
    """`value` with every quotation replaced; the same object where there is none."""
    for text in gone:
        value = _without(value, text)
    return value


def masked_json(value: Any, gone: Sequence[Forgotten]) -> Any:
    """The same for every text inside a JSON value."""
    if isinstance(value, str):
        return masked(value, gone)
    if isinstance(value, list):
        return [masked_json(item, gone) for item in value]
    return {name: masked_json(item, gone) for name, item in value.items()} if isinstance(value, dict) else value


def _without(value: str, text: Forgotten) -> str:
    begins, parts = 0, []
    for found in _word(text.words[0]).finditer(value):
        ends = _end(value, found.end(), text.words)
        if ends and found.start() >= begins:
            parts += [value[begins : found.start()], text.mark]
            begins = ends
    return "".join([*parts, value[begins:]]) if parts else value


def _end(value: str, at: int, words: Sequence[str]) -> int:
    """Where the quotation that goes on at `at` ends; 0 where it is none."""
    begun = at - len(words[0])
    for number, word in enumerate(words[1:], 1):
        gap = re.compile(GAP).match(value, at)
        found = _word(word).match(value, gap.end()) if gap else None
        if found is None:
            cut = _cut(value, gap.end() if gap else at, word)
            return cut if cut and number >= WORDS and cut - begun >= CHARS else 0
        at = found.end()
    return at


def _cut(value: str, at: int, word: str) -> int:
    """Where a clipping ends inside or before this word: at `…` or at the very end."""
    kept = at
    while kept < len(value) and kept - at < len(word) and value[kept] == word[kept - at]:
        kept += 1
    return kept if kept == len(value) or value[kept] == "…" else 0


def _word(word: str) -> re.Pattern[str]:
    return re.compile(
        "".join(rf"\\?{re.escape(character)}" if not character.isalnum() else character for character in word)
    )
