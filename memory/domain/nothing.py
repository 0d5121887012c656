"""Does memory hold anything on this? One decision about a whole recall, for a turn; a search shows its rows anyway.

It never claims to know whether a detail was said of a subject that was talked about: similarity cannot tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory.domain.asking_words import TIME_WORDS, asks
from memory.domain.cutoff import admits
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.names_asked import NAME
from memory.domain.ranking import SMALL, Frequency, rarity
from memory.domain.words import folded, stem

#: How near a row must be to count by its distance alone. A long exchange comes nearer to any question than a short
#: fact does. Measured (bench/README.md, abstention); both are tighter than the cutoff, for the errors differ: a row too
#: many is seen to be off, while “memory holds nothing” is believed.
NEAR_FACT = "1.18@e3b0c4.6fe03d"
NEAR_EXCHANGE = "1.11@e3b0c4.6fe03d"
#: Distances of the same regime: so much nearer where the question names somebody or something that no row holds; and
#: where a question of LONG words is covered by less than LITTLE, for a long one comes near to any row.
NEARER_TO_A_STRANGER, NEARER_IF_LONG = 0.05, 0.1
#: And so much farther where no row holds any word of it: it may be asked in another language.
FARTHER_IF_UNHEARD = 0.04
LONG, LITTLE = 6, 0.25
#: Share of the question's rarity that one row must cover to count by its words alone; and where a name is unknown.
SHARE, SHARE_WITH_A_STRANGER = 0.5, 0.7
#: What a word that only asks counts for a row that holds it, of what a word of the subject does; against one, nothing.
ASKED_FOR = 0.5
#: `rembourse-t-elle`: a verb with its pronoun.
INVERTED = re.compile(r"(\w+?)-(?:t-)?(je|tu|il|elle|on|nous|vous|ils|elles|ce|moi|le|la)")
NUMBER = re.compile(r"\d{1,4}(?:st|nd|rd|th)?")
YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True)
class Sign:
    """What one row shown says: its distance where vectors admitted it, and whether someone chose to write it down."""

    deliberate: bool
    distance: float | None


@dataclass(frozen=True)
class Near:
    """The two distances in force; None with an embedder that they were not measured with: then every row counts."""

    fact: float | None
    exchange: float | None


@dataclass(frozen=True)
class Subject:
    """What a question is about. `words`: the rarity of each word that names something; of no other, of all of them.

    `terms`: of each term the word that it is of, and its own rarity. `stranger`: it names what no row holds.
    `unheard`: no row holds any of its terms. `bar`: the share that tells where it names no stranger.
    """

    words: Mapping[str, float]
    terms: Mapping[str, tuple[str, float]]
    stranger: bool = False
    unheard: bool = False
    bar: float = SHARE

    @property
    def least(self) -> float:
        """The share of it that tells by words alone."""
        return max(self.bar, SHARE_WITH_A_STRANGER) if self.stranger else self.bar

    def share(self, matched: Iterable[str]) -> float:
        """How much of it a row covers that holds these of the terms, 0 to 1."""
        own: dict[str, float] = {}
        asked: dict[str, float] = {}
        for word, weight in (self.terms[term] for term in matched if term in self.terms):
            covered = own if word in self.words else asked
            covered[word] = max(covered.get(word, 0.0), weight)
        beside = ASKED_FOR * sum(asked.values())
        return min(1.0, (sum(own.values()) + beside) / ((sum(self.words.values()) + beside) or 1.0))

    def nearer(self, share: float) -> float:
        """By how much nearer than usual a row has to be that covers so much of it; below zero, it may be farther."""
        if self.unheard:
            return -FARTHER_IF_UNHEARD
        stranger = NEARER_TO_A_STRANGER if self.stranger else 0.0
        return stranger + (NEARER_IF_LONG if len(self.words) >= LONG and share < LITTLE else 0.0)


def subject(text: str, frequencies: Sequence[Frequency], total: int) -> Subject:
    """`frequencies`: of each term of the text, how many of the `total` rows hold it."""
    held: dict[str, list[Frequency]] = {}
    for each in _telling(frequencies):
        held.setdefault(each.term.word, []).append(each)
    weights = {word: _weight(found, total) for word, found in held.items()}
    timed = any(word in TIME_WORDS or YEAR.fullmatch(word) for word in weights)
    naming = {word: weight for word, weight in weights.items() if not _asks(word, timed)}
    names = {folded(name) for name in NAME.findall(text)}
    stranger = any(word in names and not any(each.rows for each in held[word]) for word in naming)
    terms = {each.term.shown: (each.term.word, _rarity(each.rows, total)) for found in held.values() for each in found}
    return Subject(naming or weights, terms, stranger, not any(each.rows for each in frequencies))


def tells(sign: Sign, share: float, near: Near, about: Subject) -> bool:
    """Does this row by itself say that memory holds something: near enough, or by words that cover enough?"""
    return share >= about.least or is_near(sign, share, near, about)


def is_near(sign: Sign, share: float, near: Near, about: Subject) -> bool:
    """Does its distance alone say so?"""
    limit = near.fact if sign.deliberate else near.exchange
    if sign.distance is None or limit is None:
        return sign.distance is not None
    return admits(round(limit - about.nearer(share), 4), sign.distance)


def nothing(telling: Sequence[bool], shares: Sequence[float], about: Subject) -> bool:
    """True where no row that was found tells anything, nor do its words cover enough of the question."""
    return not any(telling) and max(shares, default=0.0) < about.least


def _telling(frequencies: Sequence[Frequency]) -> Iterator[Frequency]:
    """Without the pronoun of a verb, and the verb written with it, which no statement holds."""
    for each in frequencies:
        pair = INVERTED.fullmatch(each.term.word)
        if pair is None or each.term.shown not in (each.term.word, stem(pair[2])):
            yield each


def _asks(word: str, timed: bool) -> bool:
    verb = pair[1] if (pair := INVERTED.fullmatch(word)) else ""
    return asks(verb or word) or verb in FUNCTION_WORDS or (timed and bool(NUMBER.fullmatch(word)))


def _weight(found: Sequence[Frequency], total: int) -> float:
    """By its most telling term that some row holds."""
    return max(_rarity(rows, total) for rows in [each.rows for each in found if each.rows] or [0])


def _rarity(rows: int, total: int) -> float:
    return rarity(rows, max(total, SMALL))
