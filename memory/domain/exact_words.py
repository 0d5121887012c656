"""The words of a detail as folding compares them: accents, numbers and symbols as they were written.

Search takes `maïs` for `mais`, `3.5` for a 3 and a 5, `C++` for a C; what speaks for another entry must not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.domain.fold_words import AND, DETERMINERS, HAVE, MORE, NEGATING, OF, OPERATORS, OTHER
from memory.domain.words import APOSTROPHES, ELISION, folded

TOKEN = re.compile(
    r"(?P<number>(?:(?<![\w.,:/-])[-+−])?\d+(?:[.,:/-]\d+)*)"
    r"|(?P<word>(?:(?<![\w.])[.@#$])?[^\W\d_]+(?:[-'][^\W\d_]+)*[+#]*)"
    r"|(?P<end>[.!?…\n\r](?!\w)|\n)|(?P<cut>[,;:()\[\]|—–]|\s-\s)|(?P<mark>[\"«»“”„])"
    r"|(?P<symbol>[^\w\s.'’!?…-]|_)"
)
#: As words.py has it, also of `J'ai`.
SPLIT = re.compile(ELISION.pattern, re.IGNORECASE)
#: Letters that tell what a word may be to a detail that it is added to: see fold_safety.py.
DETERMINER, LINK, CONJUNCTION, HAVING, NAME, LOWER, NUMBER, MORE_OF_IT, GRAMMAR, SYMBOL = "DOCHNL#PFX"
#: Letters and digits in one run, of so many characters, name one thing and nothing else: AM06PRO.
CODE = 4


@dataclass(frozen=True)
class Word:
    """`form`: as it is compared. `glued`: no space before it. `part`: of which part of the text, between commas."""

    form: str
    sort: str
    glued: bool
    part: int
    capital: bool = False


@dataclass(frozen=True)
class Exact:
    """`starts`: the parts that begin a sentence. `operator`: why it stays as it is, or nothing."""

    words: tuple[Word, ...]
    starts: frozenset[int]
    operator: str = ""

    @property
    def forms(self) -> tuple[str, ...]:
        return tuple(word.form for word in self.words)

    @property
    def sorts(self) -> str:
        return "".join(word.sort for word in self.words)


@dataclass(frozen=True)
class _Run:
    text: str
    kind: str
    glued: bool
    part: int


def exact(text: str) -> Exact:
    runs, starts, marks = _runs(unicodedata.normalize("NFC", text).translate(APOSTROPHES))
    codes = _codes(runs)
    words = [_word(run, place, runs, codes) for place, run in enumerate(runs)]
    return Exact(tuple(words), frozenset(starts), operator_of(words) or ("quoted" if marks else ""))


def _runs(text: str) -> tuple[list[_Run], set[int], int]:
    """Words in their parts, the parts that begin a sentence, and how many quotation marks and question marks."""
    runs: list[_Run] = []
    starts, part, marks, last = {0}, 0, 0, -1
    for found in TOKEN.finditer(text):
        kind, run = str(found.lastgroup), found.group()
        if kind == "mark" or run == "?":
            marks += 1
        if kind in ("end", "cut", "mark"):
            part += 1
            if kind == "end":
                starts.add(part)
            continue
        for place, piece in enumerate(SPLIT.sub(r"\1' ", run).split(" ") if kind == "word" else [run]):
            runs.append(_Run(piece.rstrip("'") or piece, kind, not place and found.start() == last, part))
        last = found.end()
    return runs, starts, marks


def _codes(runs: Sequence[_Run]) -> frozenset[int]:
    """Places of those that are part of a code."""
    found: set[int] = set()
    for places in _glued(runs):
        whole = [runs[place] for place in places]
        if {"number", "word"} <= {run.kind for run in whole} and sum(len(run.text) for run in whole) >= CODE:
            found.update(places)
    return frozenset(found)


def _glued(runs: Sequence[_Run]) -> Iterator[list[int]]:
    some: list[int] = []
    for place, run in enumerate(runs):
        if some and not run.glued:
            yield some
            some = []
        some.append(place)
    yield some


def _word(run: _Run, place: int, runs: Sequence[_Run], codes: frozenset[int]) -> Word:
    first = place == 0 or runs[place - 1].part != run.part
    capital = run.text[:1].isupper() and (not first or not run.text[1:].islower())
    after = runs[place + 1] if place + 1 < len(runs) and runs[place + 1].part == run.part else None
    return Word(run.text.casefold(), _sort(run, after, place in codes), run.glued, run.part, capital)


def _sort(run: _Run, after: _Run | None, code: bool) -> str:
    if code:
        return NAME
    if run.kind != "word":
        return NUMBER if run.kind == "number" else SYMBOL
    form = run.text.casefold()
    if form == "à":
        return GRAMMAR
    if form == "a":  # French has, or an English article
        has = after is not None and (after.kind == "number" or after.text.casefold() in DETERMINERS)
        return HAVING if has else DETERMINER
    if sort := SORTS.get(form) or ACCENTED.get(folded(form)):
        return sort
    return NAME if run.text[:1].isupper() else LOWER


def operator_of(words: Sequence[Word]) -> str:
    for word in words:
        plain = word.form if word.form.isascii() else folded(word.form)
        if plain.endswith("n't") or not NEGATING.isdisjoint(plain):
            return "negation"
        if found := OPERATING.get(plain):
            return found
    return "time" if any(map(_is_date, words)) else ""


def _is_date(word: Word) -> bool:
    """A year, or what may be a day: 1999, 2026-05-03, 10/11, 14:30."""
    if word.sort != NUMBER:
        return False
    return bool(YEAR.fullmatch(word.form) or DAY.fullmatch(word.form))


YEAR = re.compile(r"(?:19|20)\d\d")
DAY = re.compile(r"\d{4}-\d\d?(?:-\d\d?)?|\d\d?[/.-]\d\d?[/.-]\d{2,4}|\d\d?[/:]\d\d?")
#: Of a word that is in several lists, the first list counts.
OPERATING = {word: name for name, some in reversed(OPERATORS.items()) for word in some}
SORTS = {
    **dict.fromkeys(OTHER, GRAMMAR),
    **dict.fromkeys(MORE, MORE_OF_IT),
    **dict.fromkeys(HAVE, HAVING),
    **dict.fromkeys(AND, CONJUNCTION),
    **dict.fromkeys(OF, LINK),
    **dict.fromkeys(DETERMINERS, DETERMINER),
}
#: With accents `thé` is no article, and `dû` links nothing.
ACCENTED = {word: sort for word, sort in SORTS.items() if sort not in (DETERMINER, LINK)}
