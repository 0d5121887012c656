"""Words of a sentence as names of things: which of them are a name, a description or a value, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.moment_words import DAYS, MONTHS, SIDES, SMALL, TENS, UNITS, WEEKDAYS
from memory.domain.words import folded

#: As many words a name may have, and characters.
MOST_WORDS, LONGEST = 5, 100
#: `l’école` is two words, `Marie’s` is one.
WORD = re.compile(r"(?:\b(?:[cdjlmnst]|qu)['’])(?=\w)|[^\W_]+(?:[-.'’&+/][^\W_]+)*(?:\+\+|#)?", re.IGNORECASE)
POSSESSIVE = re.compile(r"['’]s$|(?<=s)['’]$", re.IGNORECASE)
SENTENCE_END = re.compile(r"[.!?;:\n]")
APART = re.compile(r"[.!?;:\n,()]")


def listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


DETERMINERS = listed("""
the a an my our your his her its their this that these those
le la les l l' un une des mon ma mes notre nos votre vos son sa ses leur leurs ton ta tes ce cet cette ces du au
der die das den dem ein eine einen einem mein meine meinen unser unsere dein deine sein seine ihr ihre
el los las mi mis nuestro nuestra nuestros nuestras tu tus su sus
""")
#: Within a name: Charles de Gaulle, Ludwig van Beethoven, chef de projet.
PARTICLES = listed("of de d' du des von van der la le di da del")
#: Abbreviations that every household uses as plain words.
PLAIN = listed("PC TV GPS SUV VPN CPU GPU SSD HDD DVD USB RAM NAS")
TITLES = listed("dr docteur doctor prof professor professeur mr mrs ms m mme mlle herr frau sir maitre")
#: Of what opens a sentence with a capital, that is no name.
OPENERS = listed("""
yes no ok well so maybe perhaps finally later earlier also now then often sometimes usually please thanks sure
oui non bien puis enfin maintenant souvent parfois peut-etre merci voila bref sinon donc
ja nein gut dann jetzt vielleicht danke si bueno entonces ahora gracias
""")
_TABLES = (WEEKDAYS, MONTHS, DAYS, TENS, UNITS, SIDES, SMALL)
VALUES = frozenset(part for table in _TABLES for word in table for part in word.split()) - DETERMINERS


@dataclass(frozen=True)
class Word:
    """`plain`: folded, without an elision's apostrophe. `opens`: a sentence begins with it. `gap`: what is before."""

    text: str
    plain: str
    opens: bool
    gap: str

    @property
    def is_determiner(self) -> bool:
        return self.plain in DETERMINERS

    @property
    def is_function(self) -> bool:
        return self.plain in FUNCTION_WORDS or self.is_determiner

    @property
    def is_value(self) -> bool:
        """A number, an amount, a time: what changes of a thing, and no name of it."""
        return self.text[:1].isdigit() or (self.plain in VALUES and not self.is_function)

    @property
    def is_identifier(self) -> bool:
        """`AM06PRO`, `XC60`: nothing else is called so."""
        return len(self.text) > 2 and self.text[0].isalpha() and any(map(str.isdigit, self.text))

    @property
    def is_name(self) -> bool:
        """Written as a name is: `NiPoGi`, `AM06PRO`, `Oslo`; at the head of a sentence any capital but an opener's."""
        if self.is_value or self.text in PLAIN:
            return False
        if self.is_identifier or any(map(str.isupper, POSSESSIVE.sub("", self.text)[1:])):
            return True
        return self.text[:1].isupper() and not (self.opens and (self.is_function or self.plain in OPENERS))


def words(text: str) -> list[Word]:
    found, last = list[Word](), 0
    for match in WORD.finditer(text):
        gap = text[last : match.start()]
        opens = not found or bool(SENTENCE_END.search(gap))
        found.append(Word(match.group(), folded(POSSESSIVE.sub("", match.group())).strip(" '’"), opens, gap))
        last = match.end()
    return found


def core(span: Sequence[Word]) -> list[Word]:
    """Without the determiners before it."""
    first = next((place for place, word in enumerate(span) if not word.is_determiner), len(span))
    return list(span[first:])


def shown(span: Sequence[Word]) -> str:
    """As it was written; what shows possession at its end goes."""
    text = "".join((word.gap if place else "") + word.text for place, word in enumerate(span))
    return POSSESSIVE.sub("", " ".join(text.split()))


def may_name(span: Sequence[Word]) -> bool:
    """Can these words together be called anything: some, not too many, no value, nothing that only joins?"""
    if not 0 < len(span) <= MOST_WORDS or len(shown(span)) > LONGEST or any(word.is_value for word in span):
        return False
    joined = [word for word in span[1:-1] if word.plain not in PARTICLES]
    apart = any(APART.search(word.gap) for word in span[1:])
    return not apart and not any(word.is_function for word in (span[0], *joined, span[-1]))


def is_name(span: Sequence[Word]) -> bool:
    return may_name(span) and all(word.is_name or word.plain in PARTICLES for word in span)


def is_description(span: Sequence[Word]) -> bool:
    """Plain words for a thing: `mini PC`, `sister`. `span` without its determiners."""
    return may_name(span) and any(not word.is_name and word.plain not in PARTICLES for word in span)


def run_of_names(span: Sequence[Word]) -> list[Word]:
    """The names that it begins with: `Marie Dupont` of “Marie Dupont feeds the cat”."""
    last = next((place for place, word in enumerate(span) if not word.is_name), len(span))
    return list(span[:last])
