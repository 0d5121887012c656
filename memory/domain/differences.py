"""What changed between two versions of a text, for a person to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile

#: Characters of a text whose words are compared; telling them apart takes 0.1 s.
LONGEST = 400_000
#: Words of one text times words of the other, past what both begin and end with: compared in 0.3 s. Two unrelated texts
#: of 150 kB have as many.
MOST = 4_000_000_000
#: Unicode's words, spaces and marks, each a whole number of graphemes. Flags by themselves: in a row of them, where one
#: begins depends on all before it, and to look at them all each time takes a square of time.
WORD = r"(?w)[\U0001F1E6-\U0001F1FF]{2}[\p{GCB=EX}\p{GCB=ZWJ}\p{GCB=SM}]*+|\X+?\b"


@dataclass(frozen=True)
class Piece:
    kind: str  # "same", "gone", "new"
    text: str


@dataclass(frozen=True)
class Change:
    """The words from `start` to `end` became those from `new_start` to `new_end`."""

    start: int
    end: int
    new_start: int
    new_end: int


def differences(before: str, after: str) -> tuple[Piece, ...]:
    """Word by word (character runs for scripts without spaces). "same"+"gone" joined is `before`, "same"+"new" joined
    is `after`, exactly. Long equal stretches are kept whole: the template clips them.

    What is gone stands before what is new in its place; no piece is empty, and none ends inside what a person sees as
    one character. A few equal words between two longer changes go with them. Texts of more than 400,000 characters, or
    of which more than about 150 kB differ, are compared by lines; where more than 60,000 lines differ, everything is
    gone and everything new.
    """
    for cut in (_words, _lines) if max(len(before), len(after)) <= LONGEST else (_lines,):
        old, new = cut(before), cut(after)
        if (changes := _changes(old, new)) is not None:
            return tuple(_pieces(old, new, _tidy(old, new, changes)))
    return Piece("gone", before), Piece("new", after)


def _words(text: str) -> list[str]:
    import regex  # 50 ms, and only who looks at an entry's history needs it

    words: list[str] = regex.findall(WORD, text)
    return words


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _changes(old: Sequence[str], new: Sequence[str]) -> list[Change] | None:
    """The fewest words that are taken, put in or replaced. None where there are too many to compare."""
    from rapidfuzz.distance import Levenshtein

    start = _alike(old, new)
    tail = _alike(reversed(old[start:]), reversed(new[start:]))
    old, new = old[start : len(old) - tail], new[start : len(new) - tail]
    if len(old) * len(new) > MOST:
        return None
    numbers: dict[str, int] = {}  # the library compares hashes, and a number is its own
    one, other = ([numbers.setdefault(word, len(numbers)) for word in words] for words in (old, new))
    edits = (edit for edit in Levenshtein.opcodes(one, other) if edit.tag != "equal")
    return [
        Change(edit.src_start + start, edit.src_end + start, edit.dest_start + start, edit.dest_end + start)
        for edit in edits
    ]


def _alike(old: Iterable[str], new: Iterable[str]) -> int:
    """How many words both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


def _tidy(old: Sequence[str], new: Sequence[str], changes: list[Change]) -> list[Change]:
    """Joins changes with nothing but space between them, or less than either of them: a sentence that was replaced is
    read as two sentences, not as a row of exchanged words."""
    old_at, new_at = list(accumulate(map(len, old), initial=0)), list(accumulate(map(len, new), initial=0))

    def size(change: Change) -> int:
        return max(old_at[change.end] - old_at[change.start], new_at[change.new_end] - new_at[change.new_start])

    def apart(last: Change, change: Change) -> bool:
        between = old_at[change.start] - old_at[last.end]
        space = all(old[word].isspace() for word in range(last.end, change.start))
        return not space and between >= min(size(last), size(change))

    joined: list[Change] = []
    for change in changes:
        while joined and not apart(joined[-1], change):
            last = joined.pop()
            change = Change(last.start, change.end, last.new_start, change.new_end)
        joined.append(change)
    return joined


def _pieces(old: Sequence[str], new: Sequence[str], changes: list[Change]) -> Iterator[Piece]:
    at = 0
    for change in (*changes, Change(len(old), len(old), len(new), len(new))):
        spans = {
            "same": old[at : change.start],
            "gone": old[change.start : change.end],
            "new": new[change.new_start : change.new_end],
        }
        yield from (Piece(kind, "".join(words)) for kind, words in spans.items() if words)
        at = change.end
