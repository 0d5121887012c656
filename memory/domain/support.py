"""Which clause of what a person said a text to save leans on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.domain.clauses import Word, cut, stated_words, words
from memory.domain.retelling import ALIKE, free_words


@dataclass(frozen=True)
class Support:
    """`clause`, and those `before` it in its sentence. `told`: the words of the text that carry something.

    `small`: those that carry nothing, in the languages that the person writes.
    """

    clause: tuple[Word, ...]
    before: tuple[tuple[Word, ...], ...]
    told: tuple[Word, ...]
    small: frozenset[str]


def support(text: str, said: Sequence[str]) -> Support | None:
    """The clause that shares most words with the text; of several the one with its last word, then the newest."""
    small = free_words({word.plain for word in stated_words(said)})
    told = tuple(word for word in words(text) if word.plain not in small)
    wanted = _wanted(told)
    best, most = None, 0.0
    for clauses in (some for message in said for some in cut(message)):
        for place, clause in enumerate(clauses):
            near = [other for other in clause if other.stem in wanted or other.plain in wanted]
            shared = [word for word in told if any(same(word, other) for other in near)]
            score = len({word.stem for word in shared}) + (0.5 if told and told[-1] in shared else 0.0)
            if score and score >= most:
                best, most = Support(clause, clauses[:place], told, small), score
    return best


def _wanted(told: Sequence[Word]) -> frozenset[str]:
    """All that a word of a clause may be to be the same as one of these: most are none of it."""
    forms = {form for word in told for form in (word.stem, word.plain, bare(word.plain), *ALIKE.get(word.plain, ()))}
    return frozenset(forms | {f"{form}'s" for form in forms} | {f"{form}'" for form in forms})


def same(word: Word, other: Word) -> bool:
    """Could one stand for the other? A possessive stands for its name."""
    return word.stem == other.stem or other.plain in ALIKE.get(word.plain, ()) or bare(word.plain) == bare(other.plain)


def bare(plain: str) -> str:
    return plain.removesuffix("'s").removesuffix("s'")
