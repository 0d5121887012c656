"""None about a third person as if it were the user: "My sister lives in Lyon" is not "Lives in Lyon".

The clause that a text leans on has a subject: the last before the text's own first word there. Where that is somebody
else, the text has to begin with them ("Sister Anna lives in Lyon", "The user's sister …").

What this cannot see: a subject of another sentence ("I called Anna. Was in Lyon."), a person known by no kin word,
pronoun or place at the head of a clause, and a name that is used for somebody else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.domain.clauses import Word, cut, is_said, stated_words, words
from memory.domain.people_words import (
    ADVERBS,
    BEFORE,
    ENDINGS,
    FINITE,
    KIN,
    LOOSE,
    NOBODY,
    OF,
    POSSESSIVE,
    PROMISING,
    SELF,
    THEY,
    WHEN,
    WHOM,
)
from memory.domain.retelling import ALIKE
from memory.domain.support import Support, bare, same, support

#: A name before a verb that the text puts otherwise stands so near to the head of its clause.
HEADS = 3


def about_another(text: str, said: Sequence[str]) -> bool:
    """Does the text say of the person, or of nobody, what they said of somebody else?"""
    own, found = words(text), support(text, said)
    if found is None or own[0].plain in THEY or is_said(text, said):
        return False
    first = next((word for word in own if word.plain not in BEFORE), own[0])
    place, head = _place(found, first)
    if head and place and found.clause[place].capital:  # a name, or a thing that is written like one: it says who
        return False
    who = _subject(found, place, head) or _owner(found, place)
    if who is None:
        return _mixed(found, said, named=_names(first, said))
    if who[-1].plain in THEY and _names(first, said):  # “elle” is whoever the text names
        return False
    return not _begins_with(found, who)


def _mixed(found: Support, said: Sequence[str], *, named: bool) -> bool:
    """Is one of its words only said of somebody whom the text does not name? `named`: it names whoever “she” is."""
    others = [word for word in found.told if not _in(word, found.clause)]
    return any(_only_of_another(word, found, said, named=named) for word in others)


def _in(word: Word, clause: Sequence[Word]) -> bool:
    return any(same(word, other) for other in clause)


def _only_of_another(word: Word, found: Support, said: Sequence[str], *, named: bool) -> bool:
    there = [
        replace(found, clause=clause, before=clauses[:place])
        for message in said
        for clauses in cut(message)
        for place, clause in enumerate(clauses)
        if _in(word, clause)
    ]
    return bool(there) and all(_unnamed(word, one, named=named) for one in there)


def _unnamed(word: Word, found: Support, *, named: bool) -> bool:
    place = next(place for place, other in enumerate(found.clause) if same(word, other))
    who = _subject(found, place, head=False) if place else None
    if who is None or (named and who[-1].plain in THEY):
        return False
    return not any(_in(name, found.told) for name in who if name.plain not in found.small)


def _names(word: Word, said: Sequence[str]) -> bool:
    if bare(word.plain) in KIN:
        return True
    written = [other for other in stated_words(said) if other.stem == word.stem]
    return bool(written) and all(other.capital for other in written) and not _is_verb(word.plain)


def _place(found: Support, first: Word) -> tuple[int, bool]:
    """Where in the clause the text's first word stands, or its first that is there; and whether it is the former."""
    for word in (first, *found.told):
        for alike in (_equal, same):
            for place, other in enumerate(found.clause):
                if alike(word, other):
                    return place, word is first
    raise AssertionError("a support shares a word with its text")


def _equal(word: Word, other: Word) -> bool:
    return word.stem == other.stem


def _subject(found: Support, place: int, head: bool) -> tuple[Word, ...] | None:
    """Who else the clause is about, as the words that name them; None where that is the person, or nobody."""
    for clause, upto in [(found.clause, place), *((one, len(one)) for one in reversed(found.before))]:
        for at in range(upto - 1, -1, -1):
            if _is_self(clause[at]):
                return None
            if _is_other(clause, at, head):
                return clause[: at + 1] if at + 1 < upto else clause[:upto]
        if (
            head
            and clause is found.clause
            and clause[place].plain in FINITE
            and (thing := _thing(clause[:upto], found.small))
        ):
            return thing
        if _says(clause) and upto and (who := _at_the_head(clause[:upto], found.small, head=head)) is not None:
            return who
        if upto and clause[0].plain not in found.small:
            return None
    return None


def _thing(before: Sequence[Word], small: frozenset[str]) -> tuple[Word, ...]:
    """“My server nas-01” before “runs”, which nothing would run without it."""
    named = [word for word in before if word.plain not in small | WHEN and not _is_verb(word.plain)]
    return tuple(before) if named else ()


def _is_self(word: Word) -> bool:
    return word.plain in SELF or word.plain.partition("'")[0] in ("i", "we")


def _is_other(clause: Sequence[Word], at: int, head: bool) -> bool:
    """A pronoun or a kin word that is the subject, as far as its place tells."""
    plain = bare(clause[at].plain)
    if plain in KIN:
        known = plain not in LOOSE or (at > 0 and clause[at - 1].plain in POSSESSIVE)
        return known and not _promised(clause[:at])
    if plain == "il" and at + 1 < len(clause) and clause[at + 1].plain in NOBODY:
        return False
    # “I will get her flowers”: before a verb that the text puts otherwise, she may be whom it is for.
    return clause[at].plain in THEY and (head or plain not in WHOM)


def _owner(found: Support, place: int) -> tuple[Word, ...] | None:
    """Whose it is, where that stands behind: “le plat préféré de ma sœur est …”."""
    for at in range(place + 1, len(found.clause) - 1):
        if bare(found.clause[at].plain) in KIN and found.clause[place:at] and _of(found.clause[place:at]):
            return found.clause[at : at + 1]
    return None


def _of(between: Sequence[Word]) -> bool:
    """`of my` and the like before who owns it, and no subject of its own."""
    tail = [word.plain for word in between[-2:]]
    return len(tail) == 2 and tail[0] in OF and tail[1] in POSSESSIVE and not any(map(_is_self, between))


def _says(clause: Sequence[Word]) -> bool:
    """Is it more than one name of a list?"""
    return not all(word.capital for word in clause)


def _promised(before: Sequence[Word]) -> bool:
    return any(word.plain in PROMISING for word in before)


def _at_the_head(before: Sequence[Word], small: frozenset[str], *, head: bool) -> tuple[Word, ...] | None:
    """A name or a thing at the head of the clause: “Anna lives …”, “Bramble strongly prefers …”.

    Where the text puts another verb in the place of the clause's, only what is written as a name counts.
    """
    first = before[0]
    if first.plain in small | WHEN or first.plain in ALIKE or _ends(first.plain, ADVERBS):
        return None
    if head and len(before) == 1:  # “Mohammed uses …”, “anna lives …”, “server runs …”
        return (first,)
    if not first.capital or _is_verb(first.plain):
        return None
    return tuple(before) if head or len(before) <= HEADS else None


def _is_verb(plain: str) -> bool:
    return plain in ALIKE or _ends(plain, ENDINGS)


def _ends(plain: str, endings: Sequence[tuple[str, int]]) -> bool:
    return any(plain.endswith(end) and len(plain) >= least for end, least in endings)


def _begins_with(found: Support, who: Sequence[Word]) -> bool:
    """Is one of the text's first two words that carry something of those who name them?"""
    names = [word for word in who if word.plain not in found.small and word.plain not in ALIKE] or list(who)
    return any(same(word, name) for word in found.told[:2] for name in names)
