"""Other names that a text says itself: “the mini PC, also called NiPoGi”, “Jean (alias Jeannot)”, “RER (Réseau …)”.

English and French, and the commonest turns of German and Spanish.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from memory.domain.naming import PARTICLES, Word, core, is_name, listed, may_name, run_of_names, shown, words

KNOWN = r"(?:called|named|nicknamed|dubbed|known\s+as|referred\s+to\s+as)"
NOMME = r"(?:appelée?s?|nommée?s?|surnommée?s?|dite?s?|connue?s?\s+sous\s+le\s+nom\s+(?:de\s+|d['’]))"
#: Says by itself that a name follows, whatever stands before.
SURE = re.compile(
    rf"\b(?:(?:also|formerly|previously|better|otherwise|sometimes)\s+{KNOWN}"
    rf"|(?:aussi|également|autrefois|anciennement|parfois)\s+{NOMME}"
    rf"|{NOMME}\s+aussi|auch\s+(?:genannt|bekannt\s+als)|también\s+(?:llamad[oa]s?|conocid[oa]s?\s+como))(?!\w)",
    re.IGNORECASE,
)
#: Says so between two names, or after a comma or an opening bracket.
BETWEEN = re.compile(
    r"\b(?:aka|a\.\s?k\.\s?a\.?|alias|nicknamed|surnommée?s?|known\s+as|genannt|apodad[oa])(?!\w)", re.IGNORECASE
)
#: Says so after a comma or a bracket alone, and only of a name.
APART = re.compile(rf"[,(]\s*(?:{KNOWN}|{NOMME}|genannt|llamad[oa]s?)(?!\w)", re.IGNORECASE)
#: Says so of what is described, and only of a name.
IS = re.compile(
    rf"\b(?:(?:is|are)\s+{KNOWN}|s['’]appelle(?:nt)?|est\s+{NOMME}|heißt|heissen|heißen|se\s+llaman?)(?!\w)",
    re.IGNORECASE,
)
#: What was said of a subject by somebody: “le médecin, dit Marie, est absent”.
SPOKE = re.compile(r"dite?s?$", re.IGNORECASE)
INITIALS = re.compile(r"[A-Z][A-Z0-9]{2,5}")
IN_BRACKETS = re.compile(r"(?P<before>[^()\n]*)\((?P<inside>[^()\n]{3,80})\)")
CLAUSE_END = re.compile(r"[.!?;:,()\n“”«»\"]+")
QUOTES = " \t:“”«»\"'’‘*_`-–"
DESCRIBED = 4
#: Of each kind, in one text: a text that names more is a list, and nobody could decide them all.
MOST_CUES = 12
OF, OF_THE = listed("of de d von"), listed("du des del")

Said = tuple[str, str]


def said(text: str) -> list[Said]:
    """What the text says are two names of one thing, in its order."""
    cues = [cue for pattern in (SURE, BETWEEN, APART, IS) for cue in islice(pattern.finditer(text), MOST_CUES)]
    found = [_around(text, cue) for cue in cues]
    found += [_initials(match["before"], match["inside"]) for match in islice(IN_BRACKETS.finditer(text), MOST_CUES)]
    return list(dict.fromkeys(pair for pair in found if pair))


def _around(text: str, cue: re.Match[str]) -> Said | None:
    before, after = text[: cue.start()].rstrip(), text[cue.end() :]
    apart = before.endswith((",", "(", "–", "-")) or cue.group()[0] in ",("
    name, other = _before(before.rstrip(" ,(–-")), _after(after)
    if not (name and other):
        return None
    if cue.re is BETWEEN and not (apart or is_name(name)):
        return None
    if cue.re is not SURE and not is_name(other):
        return None
    if SPOKE.search(cue.group()) and cue.re is APART and not is_name(name):
        return None
    return shown(name), shown(other)


def _before(text: str) -> list[Word]:
    """What the clause ends with: all after its last determiner, else the names, else all of a short one."""
    clause = words(CLAUSE_END.split(text)[-1])
    names = _names_at_the_end(clause)
    for span in (_determined(clause), names, clause if len(clause) < DESCRIBED else []):
        if may_name(span) and len(span) <= DESCRIBED:
            return span
    return []


def _determined(clause: Sequence[Word]) -> list[Word]:
    """`box` of “the box”, and of “the box of the cellar”; of “the box in the cellar” nobody can tell which is meant."""
    last = max((place for place, word in enumerate(clause) if word.is_determiner), default=-1)
    if last < 1:
        return list(clause[last + 1 :]) if last == 0 else []
    before = clause[:last]
    if clause[last].plain in OF_THE:
        return _head(before)
    if before[-1].plain in OF:
        return _head(before[:-1])
    return [] if before[-1].is_function and clause[0].is_determiner else list(clause[last + 1 :])


def _head(before: Sequence[Word]) -> list[Word]:
    last = max((place for place, word in enumerate(before) if word.is_determiner), default=-1)
    return list(before[last + 1 :]) if last >= 0 else []


def _names_at_the_end(clause: Sequence[Word]) -> list[Word]:
    return run_of_names(clause[::-1])[::-1]


def _after(text: str) -> list[Word]:
    """Up to what ends the clause: the names it begins with, else the words before the first that joins."""
    clause = core(words(CLAUSE_END.split(text.lstrip(QUOTES))[0]))
    if names := run_of_names(clause):
        return names if may_name(names) else []
    joins = (place for place, word in enumerate(clause) if word.is_function and word.plain not in PARTICLES)
    span = clause[: next(joins, len(clause))]
    return span if len(span) <= DESCRIBED and may_name(span) else []


def _initials(before: str, inside: str) -> Said | None:
    """“network attached storage (NAS)”, “RER (Réseau Express Régional)”."""
    short = words(before)[-1:] if not INITIALS.fullmatch(inside.strip()) else words(inside)
    long = words(before) if short and short[0].text == inside.strip() else words(inside)
    if len(short) != 1 or not INITIALS.fullmatch(short[0].text):
        return None
    span = spelled_by(short[0].text, long)
    return (shown(span), short[0].text) if span else None


def spelled_by(initials: str, span: Sequence[Word]) -> list[Word]:
    """The last words of it whose first letters these are, words that only join left aside; none where they are not."""
    letters, start = list(initials.casefold()), len(span)
    while letters and start:
        start -= 1
        if span[start].plain[:1] == letters[-1]:
            letters.pop()
        elif not (span[start].is_function or span[start].plain in PARTICLES):
            return []
    return list(span[start:]) if not letters else []
