"""A long text in parts that an embedder can take: at line ends where they fall well, else cut hard."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Parts:
    """`dropped` counts the characters past the last part: they are found by words only."""

    texts: tuple[str, ...]
    dropped: int


def parts(text: str, longest: int, most: int) -> Parts:
    """At most `most` parts of at most `longest` characters, blank ones left out."""
    cut: list[str] = []
    current = ""
    for line in _lines(text, longest):
        if current and len(current) + len(line) > longest:
            cut, current = [*cut, current], ""
        current += line
    cut = [part for part in [*cut, current] if part.strip()]
    return Parts(tuple(cut[:most]), sum(map(len, cut[most:])))


def _lines(text: str, longest: int) -> list[str]:
    lines = text.splitlines(keepends=True)
    return [line[i : i + longest] for line in lines for i in range(0, len(line), longest)]
