"""Does one detail say all that another says, and nothing that turns it round?

Every word of the one in the other is necessary and not enough: “Le NiPoGi n'a pas 32 Go” holds all the words of “Le
NiPoGi a 32 Go”. So the words have to stand there in their order, in one part of a sentence, and what is added between,
before and after them has to be of a few shapes that are known to leave a statement true. Everything else is held back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.domain.exact_words import Exact, Word
from memory.domain.fold_words import EQUATING

#: Of a longer detail nothing is told but whether another one is the same.
LONGEST = 120
ARTICLES = re.compile("D*")
#: `un processeur Ryzen et` after who has it.
ALSO = re.compile(r"[D#N][DOLN#]*CD?")
#: What may stand before an item of a list: whose it is, that they have it, what else they have.
BEFORE_ITEM = re.compile(r"(?:DL?)?N*(?:H(?:D?[DOLN#]*C)?D?)?")
BEFORE_ITEM_OF_LIST = re.compile(r"D?L?N*(?:H(?:D?[DOLN#]*C)?D?)?")
AND_MORE = re.compile(r"C(?!#).*")
MORE = re.compile(r"(?:C(?!#)|P).*")
MORE_OF_ITEM = re.compile(r"[PHC].*")
#: `processeur Ryzen` after a name that names one thing.
MORE_OF_NAMED = re.compile(r"(?:LN+)+")


@dataclass(frozen=True)
class Said:
    """The words of a detail. `item`: of a list, so that who it is said of stands elsewhere."""

    words: Exact
    item: bool = False


def says(larger: Said, smaller: Said) -> bool:
    """Does the larger one leave nothing of the smaller one unsaid? True of the same words in the same order."""
    large, small = larger.words, smaller.words
    if (large.forms, large.operator) == (small.forms, small.operator):
        return True
    if not small.words or large.operator or small.operator or max(len(large.words), len(small.words)) > LONGEST:
        return False
    if small.words[0].part != small.words[-1].part:
        return False
    return _Alignment(large, small, smaller.item, larger.item).found()


class _Alignment:
    """One way to find the words of the small one in the large one, with nothing but safe additions."""

    def __init__(self, large: Exact, small: Exact, item: bool, of_list: bool) -> None:
        self.large, self.small, self.item, self.of_list = large.words, small.words, item, of_list
        self.starts, self.sorts = large.starts, large.sorts
        self.has = item or "H" in small.sorts
        self.equates = not EQUATING.isdisjoint(small.forms)
        self.dead: set[tuple[int, int]] = set()

    def found(self) -> bool:
        return any(self._is(0, at) and self._begins(at) and self._goes_on(0, at) for at in range(len(self.large)))

    def _is(self, place: int, at: int) -> bool:
        return self.large[at].form == self.small[place].form

    def _begins(self, at: int) -> bool:
        part = self.large[at].part
        first = next(place for place, word in enumerate(self.large) if word.part == part)
        if part not in self.starts or self.large[at].glued:
            return False
        before = self.sorts[first:at]
        shape = (BEFORE_ITEM_OF_LIST if self.of_list else BEFORE_ITEM) if self.item else ARTICLES
        return bool(shape.fullmatch(before))

    def _goes_on(self, place: int, at: int) -> bool:
        """Is the rest of the small one there, from the word at this place on?"""
        if (place, at) in self.dead:
            return False
        if place == len(self.small) - 1:
            good = self._ends(at)
        else:
            part = self.large[at].part
            good = any(
                self._is(place + 1, to) and self._between(place, at, to) and self._goes_on(place + 1, to)
                for to in range(at + 1, len(self.large))
                if self.large[to].part == part
            )
        if not good:
            self.dead.add((place, at))
        return good

    def _between(self, place: int, at: int, to: int) -> bool:
        added = self.sorts[at + 1 : to]
        if not added:
            return True
        if self.small[place + 1].glued or self.large[at + 1].glued or self.large[to].glued:
            return False
        if added.strip("D") == "":
            return True
        if added == "O":
            return self._is_unit(at)
        if set(added) == {"N"}:
            return self._is_code(at + 1, to) and (self.large[at].capital or (self.sorts[at] == "N" and at > 0))
        return self.sorts[at] == "H" and bool(ALSO.fullmatch(added))

    def _is_unit(self, at: int) -> bool:
        """`32 Go` before `de RAM`."""
        return at > 0 and self.sorts[at] in "LN" and self.large[at - 1].form[-1:].isdigit()

    def _is_code(self, start: int, end: int) -> bool:
        """One run of letters and digits, as AM06PRO."""
        some = self.large[start:end]
        digits = any(word.form[-1:].isdigit() for word in some)
        return len(some) > 1 and digits and not some[0].glued and all(word.glued for word in some[1:])

    def _ends(self, at: int) -> bool:
        after = [word for word in self.large[at + 1 :] if word.part == self.large[at].part]
        if not after:
            return True
        if after[0].glued:
            return False
        added = "".join(word.sort for word in after)
        if self.equates:
            return False
        if self.sorts[at] == "#" and added[0] == "C":
            return bool(AND_MORE.fullmatch(added))
        if self.has and added[0] == "O":
            return self._is_unit(at)
        if self.item:
            named = self.sorts[at] == "N" and self.large[at].glued and MORE_OF_NAMED.fullmatch(added)
            return bool(named or MORE_OF_ITEM.fullmatch(added))
        return bool((MORE if self.has else AND_MORE).fullmatch(added))


def why_not(one: Said, other: Said) -> str:
    """Why two of which the plain words of one are all in the other are not the same thing said twice."""
    operators = {one.words.operator, other.words.operator} - {""}
    if "negation" in operators and one.words.operator != other.words.operator:
        return "negation"
    if operators:
        return sorted(operators)[0]
    first, second = one.words.forms, other.words.forms
    if sorted(first) == sorted(second):
        return "order"
    if _numbers(one.words.words) - _numbers(other.words.words) and _numbers(other.words.words) - _numbers(
        one.words.words
    ):
        return "numbers"
    return "unsure"


def _numbers(words: tuple[Word, ...]) -> set[str]:
    return {word.form for word in words if word.form[-1:].isdigit()}
