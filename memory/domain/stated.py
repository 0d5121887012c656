"""Only what the person said: which words of a text to save none of their messages states.

Every word counts but those that retelling.py frees: names, numbers, things, places. A word counts as said where one of
its forms or likes stands in a sentence that states something (questions.py), of any of the messages. The free words of
a language are free only where the person writes that language, so that a translation is not taken for their words.

What words cannot show is not seen: who did what to whom (Alice beat Bob), may for is, a joke.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from memory.domain.clauses import Word, is_said, spoken, stated_words, words
from memory.domain.negations import negates, turned_round
from memory.domain.people import about_another as about_another
from memory.domain.retelling import ALIKE, NUMBERS, free_words, listed
from memory.domain.words import RUN, folded, stem, tokens_of

PART = re.compile(r"[^\W\d_]+|\d+")
#: A number with marks inside is one number: 3.5 is not 5.3. Marks before three digits are only for the eye.
NUMBER = re.compile(r"\d+(?:[.,:/]\d+)+")
GROUPED = re.compile(r"(?<=\d)[.,](?=\d{3}(?!\d))")
#: A word of grammar is a name where it has a capital.
MONTHS = frozenset({"may"})
HAS = listed("has have had a ai avait hat habe tiene tengo")
SOME = listed(
    """
    a an one two three some un une des deux trois plusieurs ein eine einen zwei drei una unos dos tres
    """
)
#: Chinese and Japanese words of grammar, and for the person.
SMALL = re.compile("[的了是在我你他她它们有和与就也都把被着很会要不没这那用户喜欢您吗呢吧]|[\u3041-\u309f]")


def unstated(text: str, said: Sequence[str]) -> tuple[str, ...]:
    """The words of the text that none of the person's messages states, folded, each once; none: it is theirs.

    A negation that is left out or put in counts as such a word. Of a blank text nothing is unstated.
    """
    if is_said(text, said):
        return ()
    known = _Known(said)
    own = words(text)
    missing = [word.plain for word in own if not known.holds(word) and not negates(word)]
    missing += [word.plain for word in own[1:] if word.capital and word.plain in MONTHS and not known.writes(word)]
    missing += [word.plain for word, after in pairwise(own) if _possesses(word, after) and not known.likes(word.plain)]
    missing += [] if missing else turned_round(text, said)
    missing += [run for run in _spaceless(text) if not _runs_in(run, said)]
    return tuple(dict.fromkeys(missing))


class _Known:
    """What was said, ready to be asked for words."""

    def __init__(self, said: Sequence[str]) -> None:
        found = stated_words(said)
        self.tokens = {token for word in found for token in _tokens(word.plain)}
        self.plain = {part for word in found for part in PART.findall(word.plain)} | {word.plain for word in found}
        self.capitals = {word.plain for word in found if word.capital}
        self.numbers = {GROUPED.sub("", run) for word in found for run in NUMBER.findall(word.plain)}
        self.free = free_words(self.plain)

    def holds(self, word: Word) -> bool:
        if runs := NUMBER.findall(word.plain):
            return all(GROUPED.sub("", run) in self.numbers | self.tokens for run in runs)
        return self._one(word.plain) or (
            len(parts := PART.findall(word.plain)) > 1 and all(len(part) == 1 or self._one(part) for part in parts)
        )

    def writes(self, word: Word) -> bool:
        """Was it written with a capital too?"""
        return word.plain in self.capitals

    def _one(self, plain: str) -> bool:
        if plain in self.free | self.numbers or stem(plain) in self.tokens:
            return True
        return self.likes(plain) or NUMBERS.get(plain) in self.tokens or self._counted(plain)

    def likes(self, plain: str) -> bool:
        """Does a word stand there that may stand for it?"""
        return not ALIKE.get(plain, frozenset()).isdisjoint(self.plain)

    def _counted(self, digits: str) -> bool:
        return any(word in self.plain for word, number in NUMBERS.items() if number == digits)


def _possesses(word: Word, after: Word) -> bool:
    """“Has a Tesla” is more than a form of a verb, and what one wants one does not have."""
    return word.plain in HAS and after.plain in SOME


def _tokens(plain: str) -> Iterable[str]:
    yield stem(plain)
    yield from tokens_of(plain)


def _spaceless(text: str) -> list[str]:
    """Runs of Chinese, Japanese, Korean, Thai, cut where grammar stands between."""
    found = (match for match in RUN.finditer(folded(text)) if match.lastgroup not in ("word", "hiragana", None))
    return [piece for match in found for piece in SMALL.split(match.group()) if piece]


def _runs_in(run: str, said: Sequence[str]) -> bool:
    whole = folded(" ".join(sentence for message in said for sentence in spoken(message)))
    return run in whole or (len(run) > 2 and all(run[at : at + 2] in whole for at in range(len(run) - 1)))


def states_something(text: str) -> bool:
    """May a model's write come from this turn at all? Not where it only asks, greets, requests or quotes."""
    return bool(spoken(text))
