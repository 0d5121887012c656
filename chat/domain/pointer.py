"""The short message that stands where compacted messages stood: its builder and its recogniser, side by side.

A pointer is bracketed and opens with the count of compacted messages and one fixed phrase a language. The recogniser
reads only that opening, so a pointer whose end was changed (an entry forgotten since) is still one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_POINTER = re.compile(r"\[\d+ (?:messages? compacted|messages? compactés?)\b")


@dataclass(frozen=True)
class _Words:
    one: str
    many: str
    nothing: str
    entries: str
    how: str


_ENGLISH = _Words(
    "message compacted: ", "messages compacted: ", "nothing indexable, no entry created", "entries", "searchable via"
)
_FRENCH = _Words(
    "message compacté : ", "messages compactés : ", "rien d’indexable, aucune entrée créée", "entrées", "à chercher par"
)
_WORDS = {"en": _ENGLISH, "fr": _FRENCH}


def pointer(messages: int, entries: tuple[int, ...], *, language: str = "en") -> str:
    """`[35 messages compacted: #10-#24 (15 entries), searchable via !recall]`. Any language but French is English."""
    words = _WORDS.get(language, _ENGLISH)
    opening = f"[{messages} {words.one if messages == 1 else words.many}"
    if not entries:
        return f"{opening}{words.nothing}]"
    return f"{opening}{_named(entries, words.entries)}, {words.how} !recall]"


def _named(entries: tuple[int, ...], plural: str) -> str:
    if len(entries) == 1:
        return f"#{entries[0]}"
    return f"#{min(entries)}-#{max(entries)} ({len(entries)} {plural})"


def is_pointer(content: str) -> bool:
    """Whether the message is a pointer, whatever its role and whichever language wrote it."""
    return _POINTER.match(content.lstrip()) is not None
