"""The short messages that stand where compacted messages stood: their builders and recognisers, side by side.

A pointer is bracketed and opens with the count of compacted messages and one fixed phrase a language; a summary opens
with a bracket of its own. The recognisers read only that opening, so one whose end was changed (an entry forgotten
since) is still recognised.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

#: In the words of the system before us too.
_POINTER = re.compile(r"\[\d+ (?:messages? compacted|messages? (?:précédents? )?compactés?)\b")
_SUMMARY = re.compile(r"\[(?:summary of|résumé de) \d+ (?:earlier message|message)s?\b")


@dataclass(frozen=True)
class _Words:
    one: str
    many: str
    nothing: str
    entries: str
    how: str
    known: str
    out: str
    left_out: str
    below: str
    summary: tuple[str, str]
    extracts: str


_ENGLISH = _Words(
    one="message compacted: ",
    many="messages compacted: ",
    nothing="nothing indexable, no entry created",
    entries="entries",
    how="searchable via",
    known="in memory already",
    out="out of the window, not in memory",
    left_out="left out of memory",
    below="summarised further down",
    summary=("summary of {} earlier message", "summary of {} earlier messages"),
    extracts=", extracts only: no model wrote one",
)
_FRENCH = _Words(
    one="message compacté : ",
    many="messages compactés : ",
    nothing="rien d’indexable, aucune entrée créée",
    entries="entrées",
    how="à chercher par",
    known="déjà en mémoire",
    out="hors de la fenêtre, pas en mémoire",
    left_out="laissés hors de la mémoire",
    below="résumés plus bas",
    summary=("résumé de {} message antérieur", "résumé de {} messages antérieurs"),
    extracts=", simples extraits : aucun modèle ne l’a rédigé",
)
_WORDS = {"en": _ENGLISH, "fr": _FRENCH}


def pointer(
    messages: int, entries: tuple[int, ...], *, language: str = "en", left_out: int = 0, known: bool = False
) -> str:
    """`[35 messages compacted: #10-#24 (15 entries), searchable via !recall]`. Any language but French is English.

    `left_out`: how many of the messages are in no entry. `known`: memory held some of them before.
    """
    words = _WORDS.get(language, _ENGLISH)
    if not entries and not known:
        return f"{_opening(messages, words)}{words.nothing}]"
    rest = f"; {left_out} {words.left_out}" if left_out else ""
    named = _named(entries, words.entries) if entries else words.known
    return f"{_opening(messages, words)}{named}, {words.how} !recall{rest}]"


def capped(messages: int, *, language: str = "en") -> str:
    """For what left the window and is in no entry: `[20 messages compacted: out of the window, not in memory]`."""
    words = _WORDS.get(language, _ENGLISH)
    return f"{_opening(messages, words)}{words.out}]"


def taken_over(messages: int, *, language: str = "en") -> str:
    """In place of a summary that a newer one holds: `[20 messages compacted: summarised further down]`."""
    words = _WORDS.get(language, _ENGLISH)
    return f"{_opening(messages, words)}{words.below}]"


def _opening(messages: int, words: _Words) -> str:
    return f"[{messages} {words.one if messages == 1 else words.many}"


def _named(entries: tuple[int, ...], plural: str) -> str:
    if len(entries) == 1:
        return f"#{entries[0]}"
    return f"#{min(entries)}-#{max(entries)} ({len(entries)} {plural})"


def summary(messages: int, text: str, *, language: str = "en", extracts: bool = False) -> str:
    """`[summary of 35 earlier messages] …`. `extracts`: no model wrote it, and it says so."""
    words = _WORDS.get(language, _ENGLISH)
    opening = words.summary[messages != 1].format(messages)
    return f"[{opening}{words.extracts if extracts else ''}] {text.strip()}"


def is_pointer(content: str) -> bool:
    """Whether the message is a pointer, whatever its role and whichever language wrote it."""
    return _POINTER.match(content.lstrip()) is not None


def is_summary(content: str) -> bool:
    """Whether it is a summary that a compaction left, in whichever language."""
    return _SUMMARY.match(content.lstrip()) is not None


def summarised(content: str) -> tuple[int, str]:
    """Of how many messages a summary is, and what it says of them. 0 and nothing of what is none."""
    if not is_summary(content):
        return 0, ""
    opening, _bracket, text = content.lstrip().partition("]")
    return int(re.sub(r"\D+", " ", opening).split()[0]), text.strip()
