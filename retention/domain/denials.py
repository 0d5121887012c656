"""Two entries of which one denies what the other states."""

from __future__ import annotations

from collections.abc import Sequence

from memory.domain.clauses import words
from memory.domain.retelling import listed
from retention.domain.apart import Found
from retention.domain.items import CONFLICT
from retention.domain.rule_words import IRREGULAR, MINE, NEVER, PLAIN
from retention.domain.sayings import CLAUSE_END, SENTENCE_END, Saying, Token, saying

#: Of what is said never to have been, the share that was said to have been: with the verb, and by another one.
DENIED, DENIED_APART = 0.6, 0.75
#: Before a verb: it was done, or is still to be.
HAVING = listed("have i've we've had has already just ai as a avons avez ont avais avait est sont s'est suis")
TO_COME = listed("to will would can should going could might")


def denied(one: Saying, other: Saying) -> Found | None:
    if one.negated == other.negated and one.never == other.never:
        return None
    denying, stating = (other, one) if other.negated or other.never else (one, other)
    if denying is other and (other.no_more or other.stopped):
        return None
    if denying.short and stating.short and set(denying.stems) == set(stating.stems):
        return CONFLICT, "negated"
    if denying.never and any(_is_stated(told, stating) for told in _nevers(denying)):
        return CONFLICT, "never"
    if denying.never and denying.short and _alone_denied(denying, stating):
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


def _alone_denied(denying: Saying, stating: Saying) -> bool:
    """`Ana never smoked`: one word is denied, of the same one of whom it is stated."""
    told = [some for some in _nevers(denying) if len(some) == 1 and not some[0].name]
    about = {token.stem for token in denying.tokens if not any(token in some for some in told)}
    same = (
        bool(about & set(stating.stems)) if about else bool(MINE.search(stating.plain) and MINE.search(denying.plain))
    )
    others = {token.stem for token in stating.tokens if token.name} - set(denying.stems)
    by_name = {token.stem for token in denying.tokens if token.name} <= set(stating.stems)
    sentence = SENTENCE_END.split(stating.text, maxsplit=1)[0]
    done = any(_was_done(some[0].stem, sentence) for some in told)
    return same and by_name and done and (not others or bool(about)) and not stating.hedged


def _was_done(verb: str, sentence: str) -> bool:
    """Does it tell of this verb in the past: “I submitted”, “we've met”, “j'ai fini”?"""
    every = words(sentence)
    for place, word in enumerate(every):
        before = {other.plain for other in every[max(0, place - 2) : place]}
        past = word.plain in IRREGULAR or word.plain.endswith("ed") or bool(before & HAVING)
        if word.stem == verb and past and not before & TO_COME:
            return True
    return False
