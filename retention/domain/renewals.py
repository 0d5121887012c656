"""Another one of what an entry says which it is: a dentist, a number, a code."""

from __future__ import annotations

import re

from memory.domain.retelling import listed
from memory.domain.words import stem
from retention.domain.apart import Found, names
from retention.domain.items import SUPERSEDE_OLDER
from retention.domain.rule_words import MINE
from retention.domain.sayings import Saying, saying

#: Which dentist, which number: “my dentist is”, “Noor's mobile:”.
OF_ONE = re.compile(
    r"^(?:(?:my|our|mon|ma|notre|the|le|la|l')\s?|\w+'s\s)(?:\w+\s){0,2}?\w+(?:\sde\s\w+)?(?=\s?:|\s(?:is|est|c'est)\b)"
)
ANOTHER = re.compile(
    r"\b(?:(?:changed|switched|new|other|nouveau|nouvelle|nouvel|autre)|change\s(?:de|d'))\s(?:my\s|our\s)?(?P<what>\w+)(?![-\w])"
)
#: Words of what opens, and lets in: of a code the last one holds.
CODE = re.compile(
    r".*\b(?:password|passcode|code|pin|wifi|wi-fi|mot\sde\spasse|digicode|port)\b.*?(?:\sis|\sest|\son|:)?"
    r"(?:\s(?:le|port))?\s(?P<code>\S*\d\S*?)\.?"
)
CODES = frozenset(map(stem, listed("password passcode code pin wifi wi-fi mot passe digicode listens is at on")))


def renewed(one: Saying, other: Saying) -> Found | None:
    """“I changed dentists, it's Dr Feld”, “Noor has a new number”: another one of what the older one tells of."""
    subject = OF_ONE.search(one.plain)
    if one.negated or other.negated or not (subject and other.short):
        return None
    about = saying(one.text[: subject.end()]).tokens
    again, value = set(other.stems), [token for token in other.tokens if token.stem not in set(one.stems)]
    named = any(token.number or token.name for token in value)
    whose = {token.stem for token in about[:-1]} | names(about)
    if MINE.match(one.plain) and not MINE.search(other.plain):
        return None
    for match in ANOTHER.finditer(other.plain):
        before = {token.stem for token in saying(other.text[: match.start()]).tokens}
        if about and named and about[-1].stem == stem(match["what"]) and whose <= again and before <= set(one.stems):
            return SUPERSEDE_OLDER, "renewed"
    return None


def recoded(one: Saying, other: Saying) -> Found | None:
    """Another code of the same: of a code it need not be said that the first one is no more."""
    was, now = (_code(text) for text in (one, other))
    if not (was and now) or was[1] == now[1] or one.past or other.past:
        return None
    return (SUPERSEDE_OLDER, "renewed") if was[0] and now[0] and (was[0] <= now[0] or now[0] <= was[0]) else None


def _code(text: Saying) -> tuple[set[str], str] | None:
    """What a code is of, and the code: the last word, with a digit in it."""
    found = CODE.fullmatch(text.plain)
    if not found:
        return None
    about = {token.stem for token in saying(text.text[: found.start("code")]).tokens} - CODES
    return about, found["code"]
