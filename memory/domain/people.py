"""None about a third person as if it were the user: "My sister lives in Lyon" is not "Lives in Lyon".

The clause that a text leans on has a subject: the last before the text's own first word there. Where that is somebody
else, the text has to begin with them ("Sister Anna lives in Lyon", "The user's sister …").

What this cannot see: a subject of another sentence ("I called Anna. Was in Lyon."), a person known by no kin word,
pronoun or place at the head of a clause, and a name that is used for somebody else.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory.domain.clauses import Word, is_said, stated_words, words
from memory.domain.retelling import ALIKE, PERSON, listed
from memory.domain.support import SMALL, Support, bare, same, support

#: The person, as the subject of what they say, and as whom somebody wants to do it.
SELF = PERSON | listed(
    """
    i i'm i'd i'll i've we we're we'd we'll we've j je nous on ich wir yo nosotros me us m mich mir uns myself
    """
)
THEY = listed(
    """
    he she they he's she's they're he'd she'd they'd he'll she'll they'll his her their hers him them il elle ils
    elles lui leur leurs sa ses er ihn ihm ihre ella ellos ellas
    """
)
KIN = listed(
    """
    sister brother mother father mom mum dad wife husband son daughter aunt uncle cousin niece nephew grandma
    grandpa grandmother grandfather parents sibling siblings kids children child partner girlfriend boyfriend fiance
    fiancee friend friends roommate flatmate neighbour neighbor neighbours neighbors boss manager colleague
    colleagues coworker teammate client customer landlord tenant teacher doctor dentist lawyer ex dog cat team
    family twin twins soeur soeurs frere freres mere pere maman papa femme mari epouse epoux fils fille tante oncle
    cousine neveu grand-mere grand-pere enfants enfant compagne compagnon copine copain ami amie amis amies voisin
    voisine voisins chef patron patronne collegue collegues locataire proprietaire prof medecin dentiste avocat
    chien chat chienne famille equipe beau-frere belle-soeur belle-mere beau-pere schwester bruder mutter vater frau
    mann sohn tochter freund freundin chef chefin kollege kollegin nachbar hermana hermano madre padre esposa marido
    mujer hijo hija amigo amiga jefe jefa vecino vecina
    """
)
#: What may stand before the first word of a text.
BEFORE = PERSON | listed(
    """
    the a an my our user's le la les l un une des mon ma mes notre nos du de d der die das ein eine mein meine el
    los las mi mis utilisateur's
    """
)
OF = listed("of de d du des von del")
#: What one promises somebody is still for oneself to do.
PROMISING = listed("promise promised promising owe owed promis promettre promets assure assured")
#: Heads of a clause that name nobody, verbs and adverbs, from so many letters on: Fred, Emily and Clément are people.
_ADVERBS = (("ly", 7), ("ment", 8))
_ENDINGS = (("ed", 6), ("ing", 6), *_ADVERBS)
WHEN = listed(
    "yesterday today tomorrow tonight hier demain aujourd'hui aujourd gestern heute morgen ayer hoy maybe perhaps"
)
#: Kin words that are something else without a possessive before them.
LOOSE = listed("chat cat dog chien team equipe client chef family famille prof ex mann frau manager partner")
POSSESSIVE = listed(
    """
    my our mon ma mes notre nos mein meine meinen meiner meinem unser unsere mi mis his her their son sa ses leur leurs
    """
)
#: Of those of THEY, the ones that may be whom something is done for.
WHOM = listed("his her their hers him them lui leur leurs sa ses ihn ihm ihre")
#: It rains, there is: no one.
NOBODY = listed("y faut pleut fait neige s")
HEADS = 3


def about_another(text: str, said: Sequence[str]) -> bool:
    """Does the text say of the person, or of nobody, what they said of somebody else?"""
    own, found = words(text), support(text, said)
    if is_said(text, said):
        return False
    if found is None or own[0].plain in THEY:
        return False
    first = next((word for word in own if word.plain not in BEFORE), own[0])
    place, head = _place(found, first)
    if head and place and found.clause[place].capital:  # a name, or a thing that is written like one: it says who
        return False
    who = _subject(found, place, head) or _owner(found, place)
    if who is None or (who[-1].plain in THEY and _names(first, said)):  # “elle” is whoever the text names
        return False
    return not _begins_with(found.told, who)


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
        if _says(clause) and upto and (who := _at_the_head(clause[:upto], head)) is not None:
            return who
        if upto and clause[0].plain not in SMALL:
            return None
    return None


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


def _at_the_head(before: Sequence[Word], head: bool) -> tuple[Word, ...] | None:
    """A name or a thing at the head of the clause: “Anna lives …”, “Bramble strongly prefers …”.

    Where the text puts another verb in the place of the clause's, only what is written as a name counts.
    """
    first = before[0]
    if first.plain in SMALL | WHEN or first.plain in ALIKE or _ends(first.plain, _ADVERBS):
        return None
    if head and len(before) == 1:  # “Mohammed uses …”, “anna lives …”, “server runs …”
        return (first,)
    if not first.capital or _is_verb(first.plain):
        return None
    return tuple(before) if head or len(before) <= HEADS else None


def _is_verb(plain: str) -> bool:
    return plain in ALIKE or _ends(plain, _ENDINGS)


def _ends(plain: str, endings: Sequence[tuple[str, int]]) -> bool:
    return any(plain.endswith(end) and len(plain) >= least for end, least in endings)


def _begins_with(told: Sequence[Word], who: Sequence[Word]) -> bool:
    """Is one of the text's first two words that carry something of those who name them?"""
    names = [word for word in who if word.plain not in SMALL and word.plain not in ALIKE] or list(who)
    return any(same(word, name) for word in told[:2] for name in names)
