"""How two entries stand to each other, an older and a newer one: by the words that differ, and what the rest says.

Each rule is narrow, and what none of them is sure of stays as it is.
"""

from __future__ import annotations

import re

from memory.domain.exact_words import exact
from memory.domain.fold_safety import Said as Exactly
from memory.domain.fold_safety import says
from memory.domain.fold_words import NEGATING
from memory.domain.happenings import tells_what_happened
from memory.domain.sameness import folded as exact_words
from retention.domain.apart import VALUE, Differences, Found, differences
from retention.domain.changes import changed
from retention.domain.denials import denied
from retention.domain.items import ARCHIVE_OLDER, CONFLICT, KEEP_BOTH, Row
from retention.domain.lasting import twice
from retention.domain.moved_numbers import moved_on
from retention.domain.rule_words import PLAIN, REMINDING
from retention.domain.sayings import Saying, saying

VALUED = re.compile(r"\b(?:is|are|has|have|costs?|weighs|takes|runs|est|sont|a|ont|avons|coute|pese|compte|dure)\b")
DIGIT = re.compile(r"\d")

#: Of the older one's words, the share that is nearly all.
NEARLY = 0.8
#: Nothing is sure, so both stay.
UNSURE: Found = (KEEP_BOTH, "unsure")


def compared(older: Row, newer: Row) -> Found:
    """A pair's option, and the name of the rule that says so."""
    one, other = saying(older.text), saying(newer.text)
    if one.spaceless or other.spaceless:
        return _of_characters(older.text, newer.text)
    if one.stems == other.stems and one.negated == other.negated and not other.changed:
        return (KEEP_BOTH, "happened") if _happens(older.text) or one.past else _restated(older, newer)
    return (
        _contained(older, newer, other)
        or denied(one, other)
        or changed(older, newer, one, other)
        or _frame(one, other)
        or moved_on(older, newer)
        or _told_again(one, other)
        or UNSURE
    )


def _told_again(one: Saying, other: Saying) -> Found | None:
    """The newer one has nearly all of the older one's words, whatever it says with them."""
    shared = set(one.stems) & set(other.stems)
    numbers = {token.stem for token in one.tokens if token.number}
    in_order = [[stem for stem in text.stems if stem in shared] for text in (one, other)]
    if one.negated != other.negated or not numbers <= shared or in_order[0] != in_order[1]:
        return None
    return (ARCHIVE_OLDER, "near") if shared and len(shared) >= NEARLY * len(set(one.stems)) else None


def _of_characters(one: str, other: str) -> Found:
    """Of scripts without spaces the characters that negate are told apart, and what says the same."""
    first, second = (exact_words(text) for text in (one, other))
    if first == second:
        return ARCHIVE_OLDER, "restated"
    bare, other_bare = ("".join(c for c in text if c not in NEGATING) for text in (first, second))
    return (CONFLICT, "negated") if bare == other_bare else UNSURE


def _restated(older: Row, newer: Row) -> Found:
    same = says(Exactly(exact(newer.text)), Exactly(exact(older.text)))
    return (ARCHIVE_OLDER, "restated") if same else UNSURE


def _contained(older: Row, newer: Row, other: Saying) -> Found | None:
    """The newer one says all of the older one, and leaves it true."""
    text = newer.text[REMINDING.match(newer.text.translate(PLAIN)).end() :]  # type: ignore[union-attr]
    if other.changed or not says(Exactly(exact(text)), Exactly(exact(older.text))):
        return None
    return (KEEP_BOTH, "happened") if _happens(older.text) else (ARCHIVE_OLDER, "contained")


def _happens(text: str) -> bool:
    return tells_what_happened(exact(text).words)


def _frame(one: Saying, other: Saying) -> Found | None:
    """The same is said of the same, with another value in one place."""
    if found := twice(one, other):
        return found
    if not (one.short and other.short) or one.asks or other.asks or (other.changed and not one.past):
        return None
    diff = differences(one.tokens, other.tokens)
    if not diff.shared or diff.places != 1 or not diff.older or not diff.newer or diff.at_head:
        return None
    if one.negated != other.negated:
        return None
    if one.once and other.once and len(diff.older) <= VALUE and _of_one_sort(diff):
        return CONFLICT, "once"
    if one.past or other.past:
        stative = one.stative and other.stative and not one.recurs
        if diff.of_one_number and (stative or diff.of_years) and len(diff.shared) >= 2:
            return CONFLICT, "years" if diff.of_years else "was"
        return KEEP_BOTH, "happened"
    if diff.of_one_number and _has_value(one) and _has_value(other):
        return CONFLICT, "value"
    return None


def _of_one_sort(diff: Differences) -> bool:
    """A day and a place do not contradict each other."""
    dates = [all(token.number or token.name for token in side) for side in (diff.older, diff.newer)]
    numbers = [any(token.number for token in side) for side in (diff.older, diff.newer)]
    return not any(numbers) or (all(numbers) and all(dates))


def _has_value(text: Saying) -> bool:
    """Its number comes after what somebody or something is or has: “invoice 12 is paid” names by it which one."""
    found = VALUED.search(text.plain)
    return found is not None and not DIGIT.search(text.plain[: found.start()])
