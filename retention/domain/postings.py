"""Which entries have which words, in no more than 16 bytes for each word of each entry, and no text at all."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from retention.domain.columns import Floats, Ints

#: Words of entries that are worked on at once.
AT_ONCE = 16_384
#: Bits of a number, and of each of two in one.
WHOLE, HALF = 64, np.uint64(32)

Numbers = NDArray[np.uint64]
Places = NDArray[np.uint32]


@dataclass(frozen=True)
class Postings:
    """The words that say something: those of more than one entry, and of not too many. Each is a number.

    Entry `n` has those of `terms` from `starts[n]` to `starts[n + 1]`, word `t` is of the `holders` from `firsts[t]`
    on. `sizes` and `sums`: how many words an entry has in all, and how much they weigh. `work`: how often an entry
    meets another in a word, or itself.
    """

    terms: Places
    starts: Ints
    holders: Places
    firsts: Ints
    weights: Floats
    sizes: NDArray[np.int32]
    sums: Floats
    work: Ints

    def meetings(self, start: int, end: int) -> tuple[Ints, Ints, Floats]:
        """Of the entries from `start` to `end`: for each of their words each of its holders, and what it weighs."""
        terms = self.terms[self.starts[start] : self.starts[end]]
        own = np.repeat(np.arange(start, end), np.diff(self.starts[start : end + 1]))
        counts = self.firsts[terms + 1] - self.firsts[terms]
        at = np.repeat(self.firsts[terms] - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        return np.repeat(own, counts), self.holders[at].astype(np.int64), np.repeat(self.weights[terms], counts)


def posted(contents: Iterable[Collection[str]], count: int, most: int) -> Postings:
    """The words of `count` entries. Those of more than `most` of them only weigh."""
    bits = count.bit_length()
    keys, sizes = _keys(contents, count, bits)
    firsts = _firsts(keys, bits)
    held = np.diff(firsts)
    weights = np.log(1 + count / held)
    telling = (held > 1) & (held <= most)
    numbers = (np.cumsum(telling) - 1).astype(np.uint64)
    sums, work, end = np.zeros(count), np.zeros(count), 0
    for start in range(0, len(keys), AT_ONCE):
        here = (keys[start : start + AT_ONCE] & np.uint64((1 << bits) - 1)).astype(np.int64)
        words = np.searchsorted(firsts, np.arange(start, start + len(here)), side="right") - 1
        sums += np.bincount(here, weights[words], minlength=count)
        here, words = here[telling[words]], words[telling[words]]
        work += np.bincount(here, held[words], minlength=count)
        # Into the room of those that were looked at: all of them are as much as a pass may hold.
        keys[end : end + len(here)] = here.astype(np.uint64) << HALF | numbers[words]
        end += len(here)
    ends = np.append(0, np.cumsum(held[telling]))
    return Postings(*_turned(keys[:end], count), ends, weights[telling], sizes, sums, work.astype(np.int64))


def pieces(work: Ints, most: int) -> Iterator[tuple[int, int]]:
    """All entries in turn, as many together as have no more work than that, or one that has more by itself."""
    done = np.append(0, np.cumsum(work))
    start = 0
    while start < len(work):
        end = max(start + 1, int(np.searchsorted(done, done[start] + most, side="right")) - 1)
        yield start, end
        start = end


def _keys(contents: Iterable[Collection[str]], count: int, bits: int) -> tuple[Numbers, NDArray[np.int32]]:
    """A number for each word of each entry, in order: first what is of the word, then the place of the entry."""
    keys, sizes = array("Q"), np.zeros(count, np.int32)
    for place, some in enumerate(contents):
        sizes[place] = len(some)
        keys.extend(_hashed(word, WHOLE - bits) << bits | place for word in some)
    flat = np.frombuffer(keys, np.uint64)
    flat.sort()
    return flat, sizes


def _hashed(word: str, bits: int) -> int:
    """Of a million words two are taken for one about once in a hundred stores of 40,000 entries."""
    return int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()) >> (WHOLE - bits)


def _firsts(keys: Numbers, bits: int) -> Ints:
    """Where each word begins, and the end."""
    found = [np.zeros(min(1, len(keys)), np.int64)]
    for start in range(0, len(keys), AT_ONCE):
        some = keys[start : start + AT_ONCE + 1] >> np.uint64(bits)
        found.append(np.flatnonzero(some[1:] != some[:-1]) + start + 1)
    return np.append(np.concatenate(found), len(keys))


def _turned(pairs: Numbers, count: int) -> tuple[Places, Ints, Places]:
    """Of places and words in one, by words: the words by places, where each place begins, and the places by words."""
    holders = (pairs >> HALF).astype(np.uint32)
    pairs.sort()
    starts = np.searchsorted(pairs, np.arange(count + 1, dtype=np.uint64) << HALF)
    return pairs.astype(np.uint32), starts, holders
