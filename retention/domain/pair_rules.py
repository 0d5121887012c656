"""How two entries stand to each other, an older and a newer one: by the words that differ, and what the rest says.

Each rule is narrow, and what none of them is sure of stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from memory.domain.clauses import words
from memory.domain.exact_words import exact
from memory.domain.fold_safety import Said as Exactly
from memory.domain.fold_safety import says
from memory.domain.fold_words import NEGATING
from memory.domain.happenings import tells_what_happened
from memory.domain.moment_words import MONTHS
from memory.domain.retelling import listed
from memory.domain.sameness import folded as exact_words
from memory.domain.words import stem
from retention.domain.items import ARCHIVE_OLDER, CONFLICT, KEEP_BOTH, SUPERSEDE_OLDER, Row
from retention.domain.rule_words import CHANGES, IRREGULAR, NEVER, PLAIN
from retention.domain.sayings import READ, Saying, Token, saying

#: Words of a value that one may have in the place of another.
VALUE = 3
#: Words that the newer one may say besides: more, and it is about something else as well.
MORE = 4
#: Share of the older one's words that the newer one has to say again.
AGAIN = 0.5
#: Of what is said never to have been, the share that was said to have been: with the verb, and by another one.
DENIED, DENIED_APART = 0.6, 0.75
#: Words that a change of a number shares with what it was, besides the unit, and how near to it, in characters.
SAME_THINGS, NEAR = 3, 90
#: Of the words near either, the share that is near both.
SAME_SHARE = 0.5
#: Before a verb: it was done, or is still to be.
HAVING = listed("have i've we've had has already just ai as a avons avez ont avais avait")
TO_COME = listed("to will would can should going could might")
MEASURE = re.compile(
    r"(?P<money>[$€£])?(?<![\w.])(?P<number>\d[\d.,]*)\s?(?:(?P<sign>[%$€£]|ms\b|gb\b|go\b)|(?P<unit>[a-z]{3,}))?"
)
NO_UNITS = listed("and the for with from but can are was out par des les sur pour avec")
VALUED = re.compile(r"\b(?:is|are|has|have|costs?|weighs|takes|runs|est|sont|a|ont|avons|coute|pese|compte|dure)\b")
DIGIT = re.compile(r"\d")
SENTENCE_END = re.compile(r"[.?!\n]+(?:\s|$)")
CLAUSE_END = re.compile(
    r"[,.;:?!\n](?:\s|$)|\s(?:but|so|because|since|which|although|and\sI|mais|donc|car|parce|puisque)\b"
)

Found = tuple[str, str]
#: Nothing is sure, so both stay.
UNSURE: Found = (KEEP_BOTH, "unsure")


@dataclass(frozen=True)
class Differences:
    """What two texts share, in order, and the one place where they differ. `places`: how many there are."""

    shared: tuple[Token, ...]
    older: tuple[Token, ...]
    newer: tuple[Token, ...]
    places: int
    at_head: bool


def compared(older: Row, newer: Row) -> Found:
    """A pair's option, and the name of the rule that says so."""
    one, other = saying(older.text), saying(newer.text)
    if one.spaceless or other.spaceless:
        return _of_characters(older.text, newer.text)
    if one.stems == other.stems and one.negated == other.negated and not other.changed:
        return (KEEP_BOTH, "happened") if _happens(older.text) or one.past else _restated(older, newer)
    for rule in (_contained, _denied, _frame, _moved_on):
        if found := rule(older, newer, one, other):
            return found
    return UNSURE


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


def _contained(older: Row, newer: Row, one: Saying, other: Saying) -> Found | None:
    """The newer one says all of the older one, and leaves it true."""
    if other.changed or not says(Exactly(exact(newer.text)), Exactly(exact(older.text))):
        return None
    return (KEEP_BOTH, "happened") if _happens(older.text) else (ARCHIVE_OLDER, "contained")


def _happens(text: str) -> bool:
    return tells_what_happened(exact(text).words)


def _denied(older: Row, newer: Row, one: Saying, other: Saying) -> Found | None:
    """One denies what the other states."""
    if one.negated == other.negated and one.never == other.never:
        return None
    denying, stating = (other, one) if other.negated or other.never else (one, other)
    if denying is other and (other.no_more or other.stopped):
        return None
    if denying.short and stating.short and set(denying.stems) == set(stating.stems):
        return CONFLICT, "negated"
    if denying.never and any(_is_stated(told, stating) for told in _nevers(denying)):
        return CONFLICT, "never"
    return None


def _nevers(text: Saying) -> list[tuple[Token, ...]]:
    """What each `never` denies: what comes after it, to the end of its clause."""
    after = (text.text[match.end() :] for match in NEVER.finditer(text.plain))
    return [saying(CLAUSE_END.split(rest, maxsplit=1)[0]).tokens for rest in after]


def _is_stated(told: Sequence[Token], text: Saying) -> bool:
    """In one sentence, as something that was, with every name."""
    for sentence in SENTENCE_END.split(text.text):
        if not told or NEVER.search(sentence.translate(PLAIN)):
            continue
        here = saying(sentence)
        known = set(here.stems)
        if any(token.name and token.stem not in known for token in told):
            continue
        shared = sum(token.stem in known for token in told)
        if _was_done(told[0].stem, sentence) and shared >= max(2, DENIED * len(told)):
            return True
        if here.past and shared >= max(3, DENIED_APART * (len(told) - 1)):
            return True
    return False


def _was_done(verb: str, sentence: str) -> bool:
    """Does it tell of this verb in the past: “I submitted”, “we've met”, “j'ai fini”?"""
    every = words(sentence)
    for place, word in enumerate(every):
        before = {other.plain for other in every[max(0, place - 2) : place]}
        past = word.plain in IRREGULAR or word.plain.endswith("ed") or bool(before & HAVING)
        if word.stem == verb and past and not before & TO_COME:
            return True
    return False


def _frame(older: Row, newer: Row, one: Saying, other: Saying) -> Found | None:
    """The same is said of the same, with another value in one place."""
    if not (one.short and other.short) or one.asks or other.asks:
        return None
    diff = _differences(one.tokens, other.tokens)
    if not diff.shared:
        return None
    if other.changed and not one.past:
        return _changed(one, other, diff)
    if diff.places != 1 or not diff.older or not diff.newer or diff.at_head or one.negated != other.negated:
        return None
    numbers = _one_number(diff)
    if one.once and other.once and len(diff.older) <= VALUE:
        return CONFLICT, "once"
    if one.past or other.past:
        stative = one.stative and other.stative and not one.recurs
        if numbers and (stative or _years(diff)) and len(diff.shared) >= 2:
            return CONFLICT, "years" if _years(diff) else "was"
        return KEEP_BOTH, "happened"
    if numbers and _has_value(one) and _has_value(other):
        return CONFLICT, "value"
    return None


def _has_value(text: Saying) -> bool:
    """Its number comes after what somebody or something is or has: “invoice 12 is paid” names by it which one."""
    found = VALUED.search(text.plain)
    return found is not None and not DIGIT.search(text.plain[: found.start()])


def _changed(one: Saying, other: Saying, diff: Differences) -> Found | None:
    """The newer one tells of a change, and what it is a change of stands in the older one."""
    again = len(diff.shared) / len(one.tokens)
    if again < AGAIN or len(diff.newer) > MORE or (len(diff.older) > VALUE and not other.stopped):
        return None
    if one.no_more or (one.changed and not other.no_more and diff.places > 1):
        return None
    if diff.at_head and not _names(one.tokens) <= _names(other.tokens):
        return None
    if other.no_more or other.stopped:
        return (SUPERSEDE_OLDER, "ended") if len(diff.newer) <= VALUE else None
    return SUPERSEDE_OLDER, "changed"


def _differences(one: Sequence[Token], other: Sequence[Token]) -> Differences:
    stems, others = [token.stem for token in one], [token.stem for token in other]
    matcher = SequenceMatcher(None, stems, others, autojunk=False)
    apart = [op for op in matcher.get_opcodes() if op[0] != "equal"]
    either = set(stems) & set(others)
    older = tuple(token for token in one if token.stem not in either)
    newer = tuple(token for token in other if token.stem not in either)
    head = any(op[1] == 0 and op[2] > 0 and op[0] == "replace" and op[2] < len(stems) for op in apart)
    shared = tuple(token for token in one if token.stem in either)
    return Differences(shared, older, newer, len(apart), head)


def _one_number(diff: Differences) -> bool:
    return all(token.number for token in (*diff.older, *diff.newer)) and len(diff.older) == len(diff.newer) == 1


def _years(diff: Differences) -> bool:
    return _one_number(diff) and all(
        token.stem.isdigit() and len(token.stem) == 4 for token in (*diff.older, *diff.newer)
    )


def _names(tokens: Sequence[Token]) -> set[str]:
    return {token.stem for token in tokens if token.name}


def _moved_on(older: Row, newer: Row, one: Saying, other: Saying) -> Found | None:
    """In longer texts: it tells that something is changed to a number, and the older one gave another number of the
    same unit, with the same words around it."""
    new = [one for one in _measures(newer.text) if CHANGES.search(one.around) and not NEVER.search(one.around)]
    for now in new:
        for was in _measures(older.text) if new else ():
            shared = (now.stems & was.stems) - {now.unit}
            alike = len(shared) >= max(SAME_THINGS, SAME_SHARE * min(len(now.stems), len(was.stems)))
            if now.unit == was.unit and now.number != was.number and alike:
                return SUPERSEDE_OLDER, "measured"
    return None


@dataclass(frozen=True)
class Measure:
    """A number by what it counts: the word after it, or what is written on to it (65%, 250ms); and what stands near."""

    number: str
    unit: str
    around: str
    stems: frozenset[str]


def _measures(text: str) -> list[Measure]:
    plain = text[:READ].translate(PLAIN)
    found = []
    for match in MEASURE.finditer(plain):
        unit = match["sign"] or match["unit"] or match["money"] or ""
        if unit and unit not in MONTHS and unit not in NO_UNITS:
            around = SENTENCE_END.split(plain[max(0, match.start() - NEAR) : match.start()])[-1]
            around += match.group() + SENTENCE_END.split(plain[match.end() : match.end() + NEAR // 2])[0]
            stems = frozenset(token.stem for token in saying(around).tokens if not token.number)
            found.append(Measure(match["number"].rstrip(".,").replace(",", ""), stem(unit), around, stems))
    return found
