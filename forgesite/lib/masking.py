"""Finds a forgotten text in what quotes it: whole, over lines and quotation marks, or as far as a clipping kept it.

Two rules. A *copy* (a preview, a title, an argument) was made from the text: whatever of it stands there goes. *Prose*
was written by somebody: of a short text, only what stands by itself is a quotation of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

#: A run of letters and digits.
RUN = re.compile(r"[^\W_]+")
#: So many texts are looked for one by one.
FEW = 20
#: What may stand between two words of a quotation.
GAP = re.compile(r"[\s>]+")
#: A clipping that kept fewer words and characters than these names nothing.
WORDS, CHARS = 3, 12
#: A field that cuts without a mark is at least so long: a shorter value that ends with the first words is a whole one.
UNMARKED = 100
#: Fewer characters than these are said in many sentences that are about something else; so few without spaces.
SHORT, SHORT_SPACELESS = 12, 5
SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u30ff\u3130-\u318f\u31f0-\u9fff\uac00-\ud7ff\uf900-\ufaff"
_SPACELESS = re.compile(f"[{SPACELESS}\U00020000-\U0003ffff]")
#: What stands before and behind a text that stands by itself.
OPENING = "\n>\"“”«„‘'`*_:()[]—–|"
CLOSES = re.compile(r"[.!?…。！？]*[ \t]*(?:\Z|[\n\"“”»’'`*_()\[\]—–|])")


@dataclass(frozen=True)
class Gone:
    """A text of the entry `entry` that is forgotten."""

    entry: int
    text: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(self.text.split())

    @cached_property
    def mark(self) -> str:
        return f"[forgotten #{self.entry}]"

    @cached_property
    def probes(self) -> tuple[str, ...]:
        """What every quotation of it holds as it stands: the runs of letters in the words a clipping keeps, longest
        first. None of a text that begins without letters."""
        runs = dict.fromkeys(RUN.findall(" ".join(self.words[:WORDS])))
        return tuple(sorted(runs, key=lambda run: -len(run)))

    @cached_property
    def short(self) -> bool:
        letters = "".join(self.words)
        return len(letters) < (SHORT_SPACELESS if _SPACELESS.search(letters) else SHORT)

    @cached_property
    def named(self) -> re.Pattern[str]:
        return re.compile(rf"#{self.entry}(?!\d)")

    def may_be_in(self, value: str) -> bool:
        return all(probe in value for probe in self.probes)


@dataclass(frozen=True)
class Texts:
    """What is forgotten at once, longest first: a text that is part of another leaves nothing of that one behind."""

    each: tuple[Gone, ...]

    def __iter__(self) -> Iterator[Gone]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    def may_be_in(self, value: str) -> list[Gone]:
        """Those that the value could quote, quickly also of a thousand: by a run that each of them begins with."""
        if len(self.each) <= FEW:
            return [text for text in self.each if text.may_be_in(value)]
        by_run, anywhere = self._runs
        apart = _SPACELESS.sub(" ", value)  # a word stands beside those without a space too
        places = {place for run in set(RUN.findall(apart)) & by_run.keys() for place in by_run[run]}
        found = sorted(places.union(anywhere))
        return [self.each[place] for place in found if self.each[place].may_be_in(value)]

    @cached_property
    def _runs(self) -> tuple[dict[str, list[int]], list[int]]:
        """The texts by the run that the fewest of them have, and those whose runs may stand inside longer ones."""
        often = Counter(run for text in self.each for run in text.probes if not _SPACELESS.search(run))
        by_run: dict[str, list[int]] = {}
        anywhere: list[int] = []
        for place, text in enumerate(self.each):
            run = min((run for run in text.probes if run in often), key=lambda run: often[run], default="")
            (by_run.setdefault(run, []) if run else anywhere).append(place)
        return by_run, anywhere


def gone(pairs: Iterable[tuple[int, str]]) -> Texts:
    """Each text with its entry; a blank one is none."""
    texts = [Gone(entry, text) for entry, text in dict.fromkeys(pairs) if text.strip()]
    return Texts(tuple(sorted(texts, key=lambda each: -len(each.text))))


def masked(value: str, texts: Texts) -> str:
    """A copy with every quotation replaced; the same object where there is none."""
    for text in texts.may_be_in(value):
        value = _without(value, text, lambda begins, ends: True, unmarked=len(value) >= UNMARKED)
    return value


def masked_prose(value: str, texts: Texts) -> str:
    """Prose with every quotation replaced. Where it names the entry by its number, a short text is one too."""
    for text in texts.may_be_in(value):
        value = _without(value, text, _is_quotation(value, text), unmarked=False)
    return value


def masked_json(value: Any, texts: Texts) -> Any:
    """A copy of a JSON value, with tuples and sets as well, with every text inside it as `masked` makes it."""
    if isinstance(value, str):
        return masked(value, texts)
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)([masked_json(item, texts) for item in value])
    if isinstance(value, dict):
        return {masked_json(name, texts): masked_json(item, texts) for name, item in value.items()}
    return value


Judge = Callable[[int, int], bool]


def _is_quotation(value: str, text: Gone) -> Judge:
    if not text.short or text.named.search(value):
        return lambda begins, ends: True
    return lambda begins, ends: _opens(value, begins) and CLOSES.match(value, ends) is not None


def _opens(value: str, at: int) -> bool:
    before = value[:at].rstrip(" \t")
    return not before or before[-1] in OPENING


def _without(value: str, text: Gone, is_quotation: Judge, *, unmarked: bool) -> str:
    begins, parts = 0, []
    for found in _word(text.words[0]).finditer(value):
        if found.start() < begins or _inside(value, found.start()):
            continue
        ends = _end(value, found.end(), text.words, unmarked=unmarked)
        if ends and is_quotation(found.start(), ends):
            parts += [value[begins : found.start()], text.mark]
            begins = ends
    return "".join([*parts, value[begins:]]) if parts else value


def _end(value: str, at: int, words: Sequence[str], *, unmarked: bool) -> int:
    """Where the quotation that goes on at `at` ends; 0 where it is none."""
    begun = at - len(words[0])
    for number, word in enumerate(words[1:], 1):
        gap = GAP.match(value, at)
        found = _word(word).match(value, gap.end()) if gap else None
        if found is None:
            cut = _cut(value, gap.end() if gap else at, word, unmarked=unmarked)
            return cut if cut and number >= WORDS and cut - begun >= CHARS else 0
        at = found.end()
    return 0 if _inside(value, at) else at


def _cut(value: str, at: int, word: str, *, unmarked: bool) -> int:
    """Where a clipping ends inside or before this word: at `…`, or at the very end of what has no room for a mark."""
    kept = at
    while kept < len(value) and kept - at < len(word) and value[kept] == word[kept - at]:
        kept += 1
    if kept == len(value):
        return kept if unmarked else 0
    return kept if value[kept] == "…" else 0


def _inside(value: str, at: int) -> bool:
    """Is this place inside a word? Scripts without spaces have no such inside."""
    if not 0 < at < len(value):
        return False
    before, behind = value[at - 1], value[at]
    return before.isalnum() and behind.isalnum() and not (_SPACELESS.match(before) or _SPACELESS.match(behind))


@lru_cache(maxsize=4096)
def _word(word: str) -> re.Pattern[str]:
    """The word, with Markdown's escapes in it."""
    return re.compile(
        "".join(rf"\\?{re.escape(character)}" if not character.isalnum() else character for character in word)
    )
