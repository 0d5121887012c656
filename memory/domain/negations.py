"""A text that says the contrary of what was said, though with its words: a negation left out, or put in."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memory.domain.clauses import Word, cut, words
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.retelling import LIMITING, listed
from memory.domain.support import Support, same, support

NOT = listed(
    """
    not no never none neither nor cannot without non ne ni n pas jamais sans aucun aucune rien nicht kein keine
    keinen nie niemals ohne nunca sin ningun ninguna ninguno
    """
)
#: Words that negate what comes after them, and by which a text may say that it is not so.
LIKE_NOT = listed(
    """
    used stop stops stopped stopping quit quits avoid avoids avoided avoiding cease ceased refuse refuses refused
    instead than over rather against unable arrete arreter arretes cesse cesser cesserai cessera evite eviter
    refuse refuser plutot contre
    """
)
FUNCTION = FUNCTION_WORDS | LIMITING
#: How far from the negation the word may stand that it negates.
REACH = 4


def turned_round(text: str, said: Sequence[str]) -> list[str]:
    """The negations that tell the text from what it leans on; none where they agree, or it leans on nothing."""
    found = support(text, said)
    if found is None:
        return []
    own = [word.plain for word in words(text) if negates(word)]
    if own:
        return [] if _denied(found, said) else own[:1]
    if any(word.plain in LIKE_NOT for word in words(text)):
        return []
    told = [word for word in words(text) if word.plain not in FUNCTION]
    return [
        word.plain for word, about in _negated(found.clause, found.small) if any(_holds(one, about) for one in told)
    ][:1]


def _holds(word: Word, about: Word) -> bool:
    return same(word, about) and not (
        about.plain != word.plain and word.plain.endswith("ed") and about.stem == word.stem
    )


def negates(word: Word) -> bool:
    return word.plain in NOT or word.plain.endswith("n't")


def _denied(found: Support, said: Sequence[str]) -> bool:
    """Is something negated where the text's words stand?"""
    near = [clause for message in said for some in cut(message) for clause in some if _shares(clause, found)]
    return any(negates(word) or word.plain in LIKE_NOT for clause in near for word in clause)


def _shares(clause: Sequence[Word], found: Support) -> bool:
    return any(same(one, other) for one in found.told for other in clause)


def _negated(clause: Sequence[Word], small: frozenset[str]) -> list[tuple[Word, Word]]:
    """Each negation, with the word that it negates: the next that carries something; in `aime pas` the one before."""
    pairs = []
    for place, word in enumerate(clause):
        if not (negates(word) or word.plain in LIKE_NOT - {"than", "over", "rather", "instead", "plutot"}):
            continue
        after = clause[place + 1 : place + 1 + REACH]
        if after and after[0].plain in ("only", "seulement", "nur", "solo"):  # not only … but also
            continue
        if word.plain == "used" and not (after and after[0].plain == "to"):
            continue
        pairs += [(word, about) for light in (FUNCTION, small) for about in [_first(after, light)] if about]
        if word.plain in ("pas", "jamais", "nicht", "nie") and place:
            pairs.append((word, clause[place - 1]))
    return pairs


def _first(some: Sequence[Word], small: Collection[str]) -> Word | None:
    """Without words of grammar, and without those that only lead to what is meant: want a dog, have a dog."""
    return next((word for word in some if word.plain not in {*small, *LIMITING} and not negates(word)), None)
