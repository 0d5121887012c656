"""What an entry says, as details that can be compared one by one, and which of them are left once each says its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.domain.exact_words import GRAMMAR, HAVING, Exact, exact
from memory.domain.fold_safety import Said, says, why_not
from memory.domain.subjects import labelled, tokens

#: A list without a label has so many items; with two, a comma is punctuation.
ITEMS = 3
PARTS = re.compile(r"[,;]")
#: Of one detail so many others are compared.
TRIED = 200
SENTENCE = re.compile(r"[.!?…](?=\s+\S)|[\n\r]")


@dataclass(frozen=True)
class Detail:
    """One thing that an entry says. `item`: one of a list, so that of whom it is said stands elsewhere."""

    text: str
    entry: int
    item: bool = False

    @property
    def said(self) -> Said:
        return Said(words_of(self.text), self.item)


@dataclass(frozen=True)
class Told:
    """An entry's label, or nothing, and its details."""

    label: str
    details: tuple[Detail, ...]

    @property
    def listed(self) -> bool:
        return any(detail.item for detail in self.details)


@dataclass(frozen=True)
class Unlike:
    """Two entries of which one holds all words of a detail of the other, and yet does not say it."""

    entries: tuple[int, int]
    why: str


@dataclass(frozen=True)
class Distinct:
    """`left`: the details that say what no other one says, in order. `unlike`: what kept others among them."""

    left: tuple[Detail, ...]
    unlike: tuple[Unlike, ...]


@lru_cache(maxsize=20_000)
def words_of(text: str) -> Exact:
    return exact(text)


def told(entry: int, text: str) -> Told:
    """A label makes a list, and so do three items or more without a verb; all else is one detail."""
    found = labelled(text)
    if found.label:
        details = tuple(Detail(_bare(each), entry, item=True) for each in found.details if _bare(each))
        return Told(found.label, details) if details else Told("", (Detail(_bare(text), entry),))
    items = [_bare(each) for each in PARTS.split(text) if _bare(each)]
    if len(items) >= ITEMS and not SENTENCE.search(text.strip()) and all(map(_is_item, items)):
        return Told("", tuple(Detail(each, entry, item=True) for each in items))
    return Told("", (Detail(_bare(text), entry),))


def is_one_sentence(text: str) -> bool:
    return not SENTENCE.search(text.strip())


def _bare(text: str) -> str:
    """Without the full stop at its end, which would stand in the midst of a line."""
    plain = text.strip()
    return plain[:-1].rstrip() if plain.endswith(".") and not plain.endswith("..") else plain


def _is_item(text: str) -> bool:
    sorts = words_of(text).sorts
    return bool(sorts) and not set(sorts) & {HAVING, GRAMMAR}


def distinct(details: Sequence[Detail]) -> Distinct:
    """Each thing once, in its most spelled-out words, where it was said first. Dropped is only what another one says.

    Others are looked for by plain words, all of which have to be there; see fold_safety.py for what more it takes.
    """
    first = _one_of_each(details)
    holders: dict[str, set[int]] = {}
    words = [frozenset(tokens(each.text)) for each in first]
    for place, some in enumerate(words):
        for word in some:
            holders.setdefault(word, set()).add(place)
    left, unlike = [], []
    for place, each in enumerate(first):
        others = _holding(words[place], holders) - {place} if words[place] else set()
        speaking, against = _speaking(first, place, sorted(others))
        unlike += against
        if not speaking:
            left.append(each)
    unlike += _clashing(first)
    return Distinct(tuple(left), tuple(dict.fromkeys(unlike)))


def said_by(known: Mapping[int, Told]) -> dict[int, tuple[int, ...]]:
    """Each entry that says all that others of the same label, or of none, say; and those others, ascending."""
    words = {pk: frozenset(word for each in own.details for word in tokens(each.text)) for pk, own in known.items()}
    holders: dict[str, set[int]] = {}
    for pk, some in words.items():
        for word in some:
            holders.setdefault(word, set()).add(pk)
    found: dict[int, tuple[int, ...]] = {}
    for pk, own in sorted(known.items()):
        others = sorted(_holding(words[pk], holders) - {pk})[:TRIED] if words[pk] else []
        for other in others:
            if own.label in ("", known[other].label) and pk not in found and _all_said(own, known[other]):
                found[other] = (*found.get(other, ()), pk)
                break
    return found


def _all_said(own: Told, other: Told) -> bool:
    return all(any(says(each.said, detail.said) for each in other.details) for detail in own.details)


def _holding(words: Iterable[str], holders: dict[str, set[int]]) -> set[int]:
    rarest = sorted((holders[word] for word in words), key=len)
    return rarest[0].intersection(*rarest[1:])


def _speaking(details: Sequence[Detail], place: int, others: Sequence[int]) -> tuple[bool, list[Unlike]]:
    """Does one of the others say it? And those that hold its words and do not."""
    one = details[place]
    against: list[Unlike] = []
    for other in others[:TRIED]:
        if says(details[other].said, one.said):
            return True, []
        if details[other].entry != one.entry:
            against.append(_unlike(one, details[other], why_not(details[other].said, one.said)))
    return False, against


def _unlike(one: Detail, other: Detail, why: str) -> Unlike:
    return Unlike((min(one.entry, other.entry), max(one.entry, other.entry)), why)


def _clashing(details: Sequence[Detail]) -> list[Unlike]:
    """Those that differ in their numbers alone: `32 Go` and `64 Go` of one thing."""
    alike: dict[tuple[str, ...], Detail] = {}
    found = []
    for each in details:
        words = each.said.words.words
        form = tuple("" if word.form[-1:].isdigit() else word.form for word in words)
        if "" in form and any(form):
            first = alike.setdefault(form, each)
            if first.entry != each.entry:
                found.append(_unlike(first, each, "numbers"))
    return found


def _one_of_each(details: Sequence[Detail]) -> list[Detail]:
    """Of those with the same words the one of most words, then the longest, where the first of them stood."""
    found: dict[tuple[str, ...], Detail] = {}
    for each in details:
        words = each.said.words
        said = (words.operator, *(words.forms or (each.text,)))
        known = found.get(said)
        if known is None or _spelled_out(each) > _spelled_out(known):
            found[said] = each
    return list(found.values())


def _spelled_out(detail: Detail) -> tuple[int, int]:
    return len(detail.text.split()), len(detail.text)
