"""Facts of which there is one, for good: two entries that name two of it contradict each other."""

from __future__ import annotations

import re
from collections.abc import Collection

from memory.domain.moment_words import MONTHS
from memory.domain.words import stem
from retention.domain.apart import VALUE, Found
from retention.domain.items import CONFLICT
from retention.domain.rule_words import AGREED, ALONE, BLOOD, LIFELONG, LIVING, MINE, ORIGIN, REFUSED
from retention.domain.sayings import CLAUSE_END, Saying, Token, saying

MONTH_STEMS = frozenset(map(stem, MONTHS))
DAY = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th|er)?\s(?:of\s)?({'|'.join(MONTHS)})|({'|'.join(MONTHS)})\s(\d{{1,2}}))\b"
)
BLOOD_WORDS = frozenset(map(stem, ("blood", "group", "type", "groupe", "sanguin", "rhesus")))
MONEY = re.compile(r"(\d[\d\s.,]*)\s?(?:€|£|\$|euros?\b|dollars?\b|pounds?\b)|[€£$]\s?(\d[\d.,]*)")
TOTALS = re.compile(r"\b(?:was|were|came\sto|amounted\sto|totalled|etait|etaient|s'elevait|s'elevaient|se\smontait)\b")


def twice(one: Saying, other: Saying) -> Found | None:
    """Whatever their words are arranged like."""
    if not (one.short and other.short) or one.asks or other.asks or one.hedged or other.hedged:
        return None
    if _two_bloods(one, other) or _two_origins(one, other):
        return CONFLICT, "once"
    if one.past and other.past and (_one_name_apart(one, other, ALONE) or _one_name_apart(one, other, LIFELONG)):
        return CONFLICT, "whole"
    if _two_totals(one, other):
        return CONFLICT, "was"
    if _two_decisions(one, other):
        return CONFLICT, "decided"
    return None


def _two_bloods(one: Saying, other: Saying) -> bool:
    was, now = (BLOOD.search(text.plain) for text in (one, other))
    if not (was and now) or was.groups() == now.groups():
        return False
    whose, others = _subject(one, was.group()), _subject(other, now.group())
    return whose == others and (bool(whose) or all(MINE.search(text.plain) for text in (one, other)))


def _subject(text: Saying, value: str) -> set[str]:
    inside = set(value.split())
    named = (token.stem for token in text.tokens if token.stem not in BLOOD_WORDS)
    return {one for one in named if not any(word.startswith(one) for word in inside)}


def _two_origins(one: Saying, other: Saying) -> bool:
    """When it was built, founded or born: another year, or another day, of the same."""
    was, now = (ORIGIN.search(text.plain) for text in (one, other))
    if not (was and now) or was.lastgroup != now.lastgroup:
        return False
    first, second = (_without(text, was.group(), now.group()) for text in (one, other))
    apart = first ^ second
    dates, others = _dates(one), _dates(other)
    differ = not (dates <= others or others <= dates)
    return _dated(one) and _dated(other) and bool(first & second) and apart <= LIVING and differ


def _without(text: Saying, *cues: str) -> set[str]:
    """The words that say whose origin it is."""
    inside = {word for cue in cues for word in cue.split()}
    kept = (token for token in text.tokens if not _is_date(token))
    return {token.stem for token in kept if not any(word.startswith(token.stem) for word in inside)}


def _is_date(token: Token) -> bool:
    return token.number or token.stem in MONTH_STEMS


def _dates(text: Saying) -> set[str]:
    return {token.stem for token in text.tokens if _is_date(token)}


def _dated(text: Saying) -> bool:
    return 0 < len(_dates(text)) <= VALUE


def _one_name_apart(one: Saying, other: Saying, cue: re.Pattern[str]) -> bool:
    """Both say that it was one alone, or all of a life; and there are two names for it, one in each."""
    if not (cue.search(one.plain) and cue.search(other.plain)):
        return False
    first, second = (saying(CLAUSE_END.split(text.text, maxsplit=1)[0]) for text in (one, other))
    return _names_apart(first, second) if first.tokens and second.tokens else False


def _names_apart(one: Saying, other: Saying) -> bool:
    first, second = set(one.stems), set(other.stems)
    return _is_a_name(one, first - second) and _is_a_name(other, second - first) and len(first & second) >= 2


def _is_a_name(text: Saying, apart: Collection[str]) -> bool:
    """One name, which the text may begin with, and besides it years alone."""
    rest = [token for token in text.tokens if token.stem in apart and not token.number]
    first = text.tokens[0].stem
    return len(rest) == 1 and (rest[0].name or rest[0].stem == first)


def _two_totals(one: Saying, other: Saying) -> bool:
    """What something of the same day came to, in money."""
    days, others = (set(DAY.findall(text.plain)) for text in (one, other))
    sums, sums_there = (_sums(text) for text in (one, other))
    if not days or days != others or len(sums) != 1 or len(sums_there) != 1 or sums == sums_there:
        return False
    names = {token.stem for token in (*one.tokens, *other.tokens) if token.name}
    shared = set(one.stems) & set(other.stems)
    about = {token.stem for token in one.tokens if not _is_date(token)} & shared
    return bool(TOTALS.search(one.plain) and TOTALS.search(other.plain)) and names <= shared and len(about) >= 3


def _two_decisions(one: Saying, other: Saying) -> bool:
    """On the same day it was agreed to, and turned down."""
    days, others = (set(DAY.findall(text.plain)) for text in (one, other))
    told = [bool(pattern.search(text.plain)) for text in (one, other) for pattern in (AGREED, REFUSED)]
    if not days or days != others or told not in ([True, False, False, True], [False, True, True, False]):
        return False
    first, second = ({token.stem for token in text.tokens if not _is_date(token)} for text in (one, other))
    named = {token.stem for token in (*one.tokens, *other.tokens) if token.name and not _is_date(token)}
    return named <= first & second and len(first & second) >= 2 and len(first ^ second) <= VALUE + 1


def _sums(text: Saying) -> set[str]:
    return {re.sub(r"[\s.,]", "", first or second) for first, second in MONEY.findall(text.plain)}
