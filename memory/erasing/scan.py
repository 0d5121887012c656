"""Looks for texts in files, byte by byte: streamed, within a time, and telling what it did not look at."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

#: Read at once; the memory of a scan is this, whatever the files' size.
BLOCK = 4 * 1024 * 1024
#: A longer text is looked for by pieces of its beginning, middle and end: a database keeps it in several pages.
WHOLE, PIECE = 256, 96
#: So many patterns are looked for one by one; more by their first bytes, and an odd number that mixes those.
FEW, KEY, MIX = 16, 8, np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Hit:
    """`count`: places in the file. `patterns`: what was found there."""

    path: Path
    count: int
    patterns: frozenset[bytes]


@dataclass
class Looked:
    """`skipped`: files that were not looked at, or not to their end."""

    files: int = 0
    bytes: int = 0
    hits: list[Hit] = field(default_factory=list)
    skipped: list[Path] = field(default_factory=list)


@dataclass(frozen=True)
class Wanted:
    """One text, as the bytes that any file of Forge would hold of it. UTF-16 is none of them: nothing writes it."""

    forms: tuple[frozenset[bytes], ...]

    @property
    def patterns(self) -> frozenset[bytes]:
        return frozenset[bytes]().union(*self.forms)


def wanted(text: str) -> Wanted:
    return Wanted(tuple(frozenset(_written(piece)) for piece in _pieces(text.strip())))


def _written(text: str) -> Iterator[bytes]:
    """As it is, and as JSON escapes it, with and without other letters than ASCII."""
    yield text.encode("utf-8", "replace")
    yield json.dumps(text)[1:-1].encode()
    yield json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8", "replace")


def _pieces(text: str) -> list[str]:
    if len(text) <= WHOLE:
        return [text]
    middle = (len(text) - PIECE) // 2
    cut = (text[:PIECE], text[middle : middle + PIECE], text[-PIECE:])
    return [piece for piece in (each.strip() for each in cut) if piece]


def look(paths: Iterable[Path], texts: Sequence[str], *, seconds: float) -> Looked:
    """Every file in this order. One that vanishes meanwhile holds nothing; one that cannot be read is skipped."""
    looked, end = Looked(), time.monotonic() + seconds
    asked = [one for one in map(wanted, dict.fromkeys(texts)) if one.forms]
    for path in paths:
        if time.monotonic() >= end:
            looked.skipped.append(path)
            continue
        try:
            _look_at(path, asked, looked, end)
        except FileNotFoundError:
            continue
        except OSError:
            looked.skipped.append(path)
    return looked


def _look_at(path: Path, asked: Sequence[Wanted], looked: Looked, end: float) -> None:
    patterns = sorted(frozenset[bytes]().union(*(one.patterns for one in asked)), key=len)
    counts = dict.fromkeys(patterns, 0)
    longest = len(patterns[-1]) if patterns else 1
    for block, fresh in _blocks(path, longest - 1):
        looked.bytes += fresh
        count(block, patterns, len(block) - fresh, counts)
        if time.monotonic() >= end and fresh == BLOCK:
            looked.skipped.append(path)
            break
    looked.files += 1
    if places := sum(_places(one, counts) for one in asked):
        looked.hits.append(Hit(path, places, frozenset(pattern for pattern in patterns if counts[pattern])))


def _blocks(path: Path, overlap: int) -> Iterator[tuple[bytes, int]]:
    """Each with the end of the one before it, and how much of it is new."""
    with path.open("rb", buffering=0) as file:
        tail = b""
        while fresh := file.read(BLOCK):
            block = tail + fresh
            yield block, len(fresh)
            tail = block[-overlap:] if overlap else b""


def count(block: bytes, patterns: Sequence[bytes], old: int, counts: dict[bytes, int]) -> None:
    """How often each stands in the block, without what was in its first `old` bytes already.

    A search for one goes through 3 GB a second, so that many patterns are looked for at once, by how they begin: 178 MB
    for a thousand of them take a second.
    """
    many = [pattern for pattern in patterns if len(pattern) >= KEY]
    if len(many) <= FEW:
        many = []
    for pattern in set(patterns).difference(many):
        counts[pattern] += block.count(pattern) - block.count(pattern, 0, old)
    if not many:
        return
    begin: dict[int, list[bytes]] = {}
    for pattern in many:
        begin.setdefault(int.from_bytes(pattern[:KEY], "little"), []).append(pattern)
    for key, place in _beginnings(block, np.array(sorted(begin), dtype=np.uint64)):
        for pattern in begin[key]:
            if place + len(pattern) > old and block.startswith(pattern, place):
                counts[pattern] += 1


def _beginnings(block: bytes, keys: NDArray[np.uint64]) -> Iterator[tuple[int, int]]:
    """Where eight bytes of the block are one of the keys. A small table of their hashes tells most places apart."""
    table = np.zeros(1 << 16, dtype=bool)
    table[_hash(keys)] = True
    for shift in range(min(KEY, len(block) - KEY + 1)):
        words = np.frombuffer(block, dtype="<u8", offset=shift, count=(len(block) - shift) // KEY)
        likely = np.flatnonzero(table[_hash(words)])
        found = keys[np.searchsorted(keys, words[likely]).clip(max=len(keys) - 1)] == words[likely]
        for at in likely[found]:
            yield int(words[at]), int(at) * KEY + shift


def _hash(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return (words * MIX) >> np.uint64(48)


def _places(one: Wanted, counts: dict[bytes, int]) -> int:
    """Of a text in pieces, as many places as its commonest piece has."""
    return max(sum(counts[pattern] for pattern in form) for form in one.forms)
