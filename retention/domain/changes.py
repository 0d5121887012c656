"""An entry that tells of a change, and an older one that says what it is a change of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from memory.domain.clauses import words
from retention.domain.apart import VALUE, Differences, Found, differences, names
from retention.domain.items import SUPERSEDE_OLDER, Row
from retention.domain.renewals import recoded, renewed
from retention.domain.rule_words import (
    ALSO,
    AND,
    AT_FIRST,
    CHANGES,
    DOING,
    INSTEAD,
    LIVE,
    LONG_AGO,
    MOVED,
    NO_MORE,
    NOT_BUT,
    STOPPED,
    TAKING,
    YEAR,
)
from retention.domain.sayings import CLAUSE_END, Saying, Token, saying

#: Words that the newer one may say besides: more, and it is about something else as well.
MORE = 4
#: Share of the older one's words that the newer one has to say again.
AGAIN = 0.5
#: From where, and to where.
LEAVING = re.compile(
    r"\b(?:switched|moved|migrated|changed|gone|went|passee?s?|migre\w*)\s(?:over\s)?(?:from\s|de\s|d'|du\s)"
)
TOWARDS = re.compile(r"\s(?:to|à|vers|au|en)\s")
#: By which it is told that something is otherwise.
CUES = (CHANGES, NO_MORE, STOPPED)


def changed(older: Row, newer: Row, one: Saying, other: Saying) -> Found | None:
    """The newer one, or a clause of it, says of what the older one says that it is otherwise now."""
    if one.past or not one.short or one.asks or other.asks or not _tells_of_now(newer, other):
        return None
    if other.short and other.changed and (found := _replaced(one, other)):
        return found
    for clause in _clauses(other):
        if clause.changed and (found := _replaced(one, clause)):
            return found
    return _instead(one, other) or renewed(one, other) or recoded(one, other)


def _tells_of_now(newer: Row, other: Saying) -> bool:
    """Not of a change long ago, nor of one that is only thought of; nor does it only add."""
    plain = other.plain
    years = [int(year) for year in YEAR.findall(plain)]
    before = any(year < newer.told_at.year for year in years)
    return not (other.hedged or before or LONG_AGO.search(plain) or ALSO.search(plain))


def _clauses(text: Saying) -> Iterator[Saying]:
    """None of a text that is one clause."""
    parts = _parts(text)
    if len(parts) > 1:
        yield from parts


def _parts(text: Saying) -> list[Saying]:
    return [saying(part.strip()) for part in CLAUSE_END.split(text.text) if part.strip()]


def _replaced(one: Saying, other: Saying) -> Found | None:
    diff = differences(one.tokens, other.tokens)
    if not diff.shared or _again(one, diff) < AGAIN or len(diff.newer) > MORE or not _of_the_same(one, other, diff):
        return None
    if one.no_more or (one.changed and not other.no_more and diff.places > 1):
        return None
    if other.no_more or other.stopped:
        return (SUPERSEDE_OLDER, "ended") if _ended(one, other, diff) else None
    return (SUPERSEDE_OLDER, "changed") if _has_a_new_value(one, other, diff) else None


def _has_a_new_value(one: Saying, other: Saying, diff: Differences) -> bool:
    """Something stands in the place of something, and nothing else is added. Where they share one word alone, it is a
    name in the place of a name, or a number of a number."""
    if len(diff.older) > VALUE or (len(diff.shared) < 2 and not _like_for_like(diff)):
        return False
    if MOVED.search(other.plain):
        return True
    return bool(diff.older) and (diff.places == 1 or not AT_FIRST.match(other.plain))


def _like_for_like(diff: Differences) -> bool:
    # To move somewhere is to live there: of a meeting that is moved the verb says nothing else.
    newer = [token for token in diff.newer if token.stem != LIVE]
    sorts = [(token.name, token.number) for token in (*diff.older, *newer)]
    return len(diff.older) == len(newer) == 1 and sorts[0] == sorts[1] and any(sorts[0])


def _qualified(one: Saying, other: Saying, diff: Differences) -> bool:
    """Before the word that tells of the change it names what the older one does not: `the rent of the garage is now`,
    `at night it is now`."""
    cue = min(
        filter(None, (pattern.search(other.plain) for pattern in CUES)), key=lambda one: one.start(), default=None
    )
    if cue is None or TAKING.search(cue.group()):
        return False
    before = CLAUSE_END.split(other.text[: cue.start()])[-1]
    if not _phrase(other, cue.end()):  # “I use Emacs now”
        return diff.places > 1
    return not {token.stem for token in saying(before).tokens} <= set(one.stems)


def _of_the_same(one: Saying, other: Saying, diff: Differences) -> bool:
    """The newer one names what the older one begins with, and no other thing by it: `rent`, and not `garage rent`."""
    first, again = one.tokens[0].stem, set(other.stems)
    if first not in again and first not in DOING:
        return False
    apart, every = {token.stem for token in diff.newer}, [word.stem for word in words(other.text)]
    if any(was in apart and it == first for was, it in pairwise(every)):
        return False
    if diff.at_head and not names(one.tokens) <= again:
        return False
    told = INSTEAD.search(other.plain)
    if told is None and _qualified(one, other, diff):
        return False
    return told is None or {token.stem for token in _phrase(other, told.end())} <= set(one.stems)


def _phrase(text: Saying, start: int) -> Sequence[Token]:
    return saying(CLAUSE_END.split(text.text[start:], maxsplit=1)[0]).tokens


def _ended(one: Saying, other: Saying, diff: Differences) -> bool:
    """All that the older one says is over: not on one day of it, or with one thing of two."""
    if one.negated or (diff.older and AND.search(one.plain)) or len(diff.older) > (VALUE if diff.newer else MORE):
        return other.stopped and not one.negated and not diff.newer and not AND.search(one.plain)
    denying = [part for part in _parts(other) if part.no_more or part.stopped] or [other]
    said = set(one.stems)
    return all(set(part.stems) <= said for part in denying) and len(diff.newer) <= VALUE


def _again(one: Saying, diff: Differences) -> float:
    """The share of the older one's words that are said again; where both have a number, without those."""
    plain = [token for token in one.tokens if not token.number]
    if plain and any(token.number for token in diff.newer) and any(token.number for token in diff.older):
        return sum(not token.number for token in diff.shared) / len(plain)
    return len(diff.shared) / len(one.tokens)


def _instead(one: Saying, other: Saying) -> Found | None:
    """“In Jira, not in Notion”, “we switched from Redis to Kafka”: what is denied, or was left, is what the older one
    said, and the rest of it is said again."""
    if one.negated or not other.short:
        return None
    denied = [(_phrase(other, match.end()), 0) for match in NOT_BUT.finditer(other.plain)]
    left = [(_left(other, match.end()), MORE) for match in LEAVING.finditer(other.plain)]
    said, again = set(one.stems), set(other.stems)
    for tokens, more in (*denied, *left):
        gone = {token.stem for token in tokens}
        rest, besides = said - gone - DOING, again - said - DOING
        known = bool(rest) or (more and bool(gone & names(other.tokens)))
        if gone and known and gone <= said and rest <= again and len(besides) <= max(more, len(gone)):
            return SUPERSEDE_OLDER, "instead"
    return None


def _left(text: Saying, start: int) -> Sequence[Token]:
    return saying(TOWARDS.split(text.text[start:], maxsplit=1)[0]).tokens
