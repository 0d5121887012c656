"""What each commit did to one entry, from the changes that name it: fields and words before and after, links."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memory.domain.chain import PRESENT
from memory.domain.differences import Piece, differences
from memory.domain.states import (
    EMPTY,
    FORGET,
    MOMENTS,
    RELATE,
    UNRELATE,
    State,
    from_change,
    states_an_entry,
)

WORDS = ("text", "project", "key", "event_words")
#: What a person is told of a state; its digests, counters and clocks say nothing to read.
TOLD = (*WORDS, "kind", "status", "pinned", "event_at", "said_at", "spoken_for", "stale")
#: What follows from elsewhere, comes late or moves nothing: nobody would take it back by itself.
BESIDE = frozenset({"follow", "embed", "baseline"})

Change = Mapping[str, Any]
#: What is known of an entry at one time: by the names of TOLD.
Known = dict[str, Any]
#: The words that digests stand for: by digest, then by the names of WORDS. Those that were erased are not in it.
Words = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class Told:
    """A commit, of its changes only those of the entry. `undone_by`: the address of what took it back, or empty."""

    form: int
    changes: Sequence[Change]
    undone_by: str = ""


@dataclass(frozen=True)
class SpokenFor:
    how: str
    by: int


@dataclass(frozen=True)
class Field:
    """A field that changed. `before` is None where nobody told. `pieces`: how the old text went over into the new."""

    name: str
    before: Any
    after: Any
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True)
class Linked:
    """A link made, or `ended`. `outward`: it goes from this entry to the other."""

    type: str
    other: int
    outward: bool
    ended: bool

    @property
    def same(self) -> tuple[str, int, bool]:
        return self.type, self.other, self.outward


@dataclass(frozen=True)
class Chapter:
    """What one commit did to the entry. `does`: as its changes name it. `erased`: the words it wrote are gone.

    `stands`: it did something that a person would take back, and the entry is still as it left it. `undone_by`: the
    address of the commit that took it back.
    """

    does: tuple[str, ...]
    fields: tuple[Field, ...]
    links: tuple[Linked, ...]
    erased: bool
    stands: bool = False
    undone_by: str = ""


def chapters(
    told: Sequence[Told], entry: int, words: Words, *, earlier: Change | None, compared: Collection[str]
) -> list[Chapter]:
    """One for each commit, oldest first as they are given.

    `earlier`: the last change that states the entry before them. `compared`: the fields by which an entry is still as a
    commit left it.
    """
    known: Known = _known(earlier, {}, words) if earlier else {}
    found = []
    for one in told:
        chapter, known = _chapter(one, entry, known, words)
        found.append(chapter)
    return _standing(found, told, compared)


def digests(changes: Iterable[Change]) -> set[str]:
    """What has to be looked up for them. Of the first form, a project is a text of its own."""
    return {str(change[word]) for change in changes for word in ("words", "text", "project") if change.get(word)}


def _chapter(one: Told, entry: int, before: Known, words: Words) -> tuple[Chapter, Known]:
    """And what is known of the entry after it."""
    stating = [change for change in one.changes if change["do"] not in (RELATE, UNRELATE)]
    links = tuple(_linked(change, entry) for change in one.changes if change["do"] in (RELATE, UNRELATE))
    after = before
    for change in stating:
        after = _known(change, after, words)
    does = tuple(dict.fromkeys(str(change["do"]) for change in stating))
    erased = any(_erased(change, words) for change in stating)
    return Chapter(does, _fields(before, after), links, erased), after


def _known(change: Change, before: Known, words: Words) -> Known:
    if not states_an_entry(dict(change)):
        return before | _first_form(change, words)
    state = from_change(dict(change))
    known: Known = {name: _value(name, getattr(state, name)) for name in TOLD if hasattr(state, name)}
    known["spoken_for"] = SpokenFor(state.superseded_how, state.superseded_by) if state.superseded_by else None
    return known | dict(words.get(state.digest, {}))


def _first_form(change: Change, words: Words) -> Known:
    """What such a commit tells: only what it moved, texts and projects by the digest of each."""
    known: Known = {name: _value(name, change[name]) for name in TOLD if name in change and name not in WORDS}
    for name in ("text", "project"):
        said = change.get(name)
        if said in words:
            known[name] = words[str(said)]["text"]
        elif said == "":
            known[name] = ""
    return known


def _erased(change: Change, words: Words) -> bool:
    digest = change.get("words") or change.get("text")
    return bool(digest) and digest not in words


def _value(name: str, value: Any) -> Any:
    return datetime.fromisoformat(value) if name in MOMENTS and value else value


def _fields(before: Known, after: Known) -> tuple[Field, ...]:
    """What differs. Of an entry that begins here: all that it has, but when it was said, which its commit tells."""
    names = [name for name in TOLD if name in after and (before or name != "said_at")]
    return tuple(_field(name, before.get(name), after[name]) for name in names if _moved(before.get(name), after[name]))


def _moved(before: Any, after: Any) -> bool:
    return before != after and (before not in EMPTY or after not in EMPTY)


def _field(name: str, before: Any, after: Any) -> Field:
    return Field(name, before, after, differences(before, after) if name == "text" and before else ())


def _linked(change: Change, entry: int) -> Linked:
    outward = change["id"] == entry
    other = change["other"] if outward else change["id"]
    return Linked(change["type"], other, outward, change["do"] == UNRELATE)


def _standing(found: Sequence[Chapter], told: Sequence[Told], compared: Collection[str]) -> list[Chapter]:
    """With what stands of each, seen from the newest, whose state is that of the entry."""
    now: State | None = None
    moved: set[tuple[str, int, bool]] = set()
    gone, standing = False, []
    for chapter, one in reversed(list(zip(found, told, strict=True))):
        left, links = _left(one), {link.same for link in chapter.links}
        now = now or left
        gone = gone or FORGET in chapter.does
        still = not gone and moved.isdisjoint(links) and (left is None or now is None or _alike(left, now, compared))
        stands = still and not one.undone_by and _is_somebodys(one)
        standing.append(replace(chapter, stands=stands, undone_by=one.undone_by))
        moved |= links
    return standing[::-1]


def _left(one: Told) -> State | None:
    """How the commit left the entry, where it says so."""
    states = [from_change(dict(change)) for change in one.changes if states_an_entry(dict(change))]
    return states[-1] if states else None


def _alike(one: State, other: State, compared: Collection[str]) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in compared)


def _is_somebodys(one: Told) -> bool:
    """Did it do what a person would take back?"""
    return one.form == PRESENT and not BESIDE.issuperset(change["do"] for change in one.changes)
