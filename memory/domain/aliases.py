"""Other names of a subject: what a correction shows to be one.

A name is proposed on positive evidence alone, for a changed value is no other name. The evidence is one of these:

- the text says it: “X, also called Y”, “X (alias Y)”, “my cat is called Y” (see said_aliases.py);
- the two differ in how they are written and not in their letters, or one is the initials of the other;
- one goes on where the other ends (“Marie”, “Marie Dupont”), as the subject of a sentence that is the same after it;
- one is a name and the other a description (“NiPoGi”, “the mini PC”), and the rest says that both are one thing: the
  same identifier stands next to both, or both are the subject of the same sentence with a number or a name in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.domain.names_asked import Pair, key
from memory.domain.naming import (
    TITLES,
    Word,
    core,
    is_description,
    is_name,
    listed,
    may_name,
    run_of_names,
    shown,
    words,
)
from memory.domain.said_aliases import INITIALS, said, spelled_by
from memory.domain.words import folded

#: A longer text is no correction of one name that anybody could see.
MOST_TEXT = 2000
COPULAS = listed("is are was were be been est sont etait etaient sera ist sind war waren es son era eran sera")
#: After a copula: the subject is what the sentence tells (“Oslo is where I live”), and another one another answer.
TOLD = listed("where what who when why how ou qui que ce quand comment wo was wer wann donde quien lo not pas nicht no")
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
JOINTS = re.compile(r"(?<=[^\W\d_])[\s\-.'’_/&]+(?=\w)|(?<=\d)[\s\-.'’_/&]+(?=[^\W\d_])")


def proposed(before: str, after: str) -> tuple[Pair, ...]:
    """What a text that took the place of another shows to be two names; `before` empty: what it says by itself."""
    if max(len(before), len(after)) > MOST_TEXT:
        return ()
    found = [Pair(*pair) for pair in said(after)]
    if before and (pair := changed(before, after)):
        found.append(pair)
    distinct = {frozenset((key(pair.name), key(pair.other))): pair for pair in reversed(found)}
    return tuple(reversed([pair for both, pair in distinct.items() if len(both) == 2 and all(both)]))


def changed(before: str, after: str) -> Pair | None:
    """The one term that differs, where there is evidence that it names the same thing."""
    old, new = words(before), words(after)
    first = _same(old, new)
    last = _same(old[first:][::-1], new[first:][::-1])
    change = Change(new[:first], old[first : len(old) - last], new[first : len(new) - last], new[len(new) - last :])
    return next((pair for rule in (written, initials, longer, described) if (pair := rule(change))), None)


def _same(some: Sequence[Word], others: Sequence[Word]) -> int:
    """How many words both begin with."""
    both = zip(some, others, strict=False)
    return next(
        (place for place, (one, other) in enumerate(both) if one.text != other.text), min(len(some), len(others))
    )


@dataclass(frozen=True)
class Change:
    """Words before and after that stay the same, and between them those that were replaced by others."""

    before: Sequence[Word]
    old: Sequence[Word]
    new: Sequence[Word]
    after: Sequence[Word]

    @property
    def at_the_head(self) -> bool:
        """Is what changed the first of its sentence, but for determiners?"""
        span, place = [*self.before, *(self.new or self.old or self.after)], len(self.before)
        while place and span[place - 1].is_determiner and not span[place].opens:
            place -= 1
        return place == 0 or (place < len(span) and span[place].opens)

    @property
    def predicate(self) -> Sequence[Word]:
        """The rest of the sentence."""
        last = next((place for place, word in enumerate(self.after) if place and word.opens), len(self.after))
        return self.after[:last]


def written(change: Change) -> Pair | None:
    """The same letters: `wifi`, `Wi-Fi`; `Mueller`, `Müller`; `AM06 PRO`, `AM06PRO`."""
    old, new = core(change.old), core(change.new)
    if not (may_name(old) and may_name(new)):
        return None
    spelled = [{_letters(each), _letters(each.translate(UMLAUTS))} for each in (shown(old), shown(new))]
    return Pair(shown(old), shown(new)) if spelled[0] & spelled[1] else None


def _letters(name: str) -> str:
    """Digits stay apart: 1.5 is not 15."""
    return JOINTS.sub("", folded(name))


def initials(change: Change) -> Pair | None:
    """`NAS`, `network attached storage`."""
    old, new = core(change.old), core(change.new)
    short, long = sorted((old, new), key=len)
    if len(short) != 1 or len(long) < 3 or not INITIALS.fullmatch(short[0].text):
        return None
    return Pair(shown(old), shown(new)) if spelled_by(short[0].text, long) == long else None


def longer(change: Change) -> Pair | None:
    """A name that goes on, or has a title, at the head of the same sentence."""
    more = change.new or change.old
    if (change.new and change.old) or not more or not _tells(change.predicate, least=1):
        return None
    if all(word.plain in TITLES for word in more) and change.at_the_head:
        name = run_of_names(change.after)
        both = (shown([*more, *name]), shown(name))
    else:
        name = run_of_names(change.before[::-1])[::-1]
        both = (shown([*name, *more]), shown(name))
        if not (is_name(more) and name and Change(change.before[: -len(name)], name, name, ()).at_the_head):
            return None
    if not name:
        return None
    return Pair(*both) if change.old else Pair(*both[::-1])


def described(change: Change) -> Pair | None:
    """A name and a description, of what is one thing by the rest of the text."""
    old, new = core(change.old), core(change.new)
    determined = len(old) < len(change.old) or len(new) < len(change.new) or _determined(change.before)
    if not determined or not any(is_name(a) and is_description(b) for a, b in ((old, new), (new, old))):
        return None
    if _beside_an_identifier(change) or (change.at_the_head and _same_thing(change.predicate)):
        return Pair(shown(old), shown(new))
    return None


def _determined(before: Sequence[Word]) -> bool:
    return bool(before) and before[-1].is_determiner


def _beside_an_identifier(change: Change) -> bool:
    """“the NiPoGi AM06PRO”, “the mini PC AM06PRO”."""
    beside = change.after[:1] if change.after and not change.after[0].gap.strip() else []
    return any(word.is_identifier for word in beside)


def _same_thing(predicate: Sequence[Word]) -> bool:
    """Is it told of one thing: a number or name in it, and the subject is not what it tells?"""
    if len(predicate) > 1 and predicate[0].plain in COPULAS:
        second = predicate[1]
        if second.is_determiner or second.plain in TOLD:
            return False
    return _tells(predicate, least=2) and any(_marks(word) for word in predicate)


def _marks(word: Word) -> bool:
    return word.text[:1].isdigit() or word.is_identifier or (word.is_name and not word.opens)


def _tells(predicate: Sequence[Word], *, least: int) -> bool:
    return len(predicate) >= least and any(not word.is_function for word in predicate)
