"""A remembered text as a Markdown quotation: as it was typed, its cut visible, its id beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt

from chat.domain.math_rules import math_rules

CLIP = 700
LEAD = 120
PLAIN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).use(math_rules)
HARMLESS = frozenset({"paragraph_open", "paragraph_close", "inline", "text", "softbreak", "code_inline"})
#: Without `[` and `(`: a backslash before them would begin a formula, and their partners' own is enough.
SPECIAL = re.compile(r"([\\`*_{}\])<>#+\-.!|~=$])")


def as_typed(text: str) -> str:
    """Markdown that shows the text as it was typed. Most texts are that Markdown themselves."""
    tokens = PLAIN.parse(text)
    if {token.type for token in tokens} <= HARMLESS and all(_flat(token.children or ()) for token in tokens):
        return text
    return SPECIAL.sub(r"\\\1", text)


def _flat(children: Sequence[object]) -> bool:
    return all(getattr(child, "type", "") in HARMLESS for child in children)


def clip(text: str, terms: Sequence[str] = (), length: int = CLIP) -> str:
    """At most `length` characters around the first of the terms, each cut shown as `…`."""
    if len(text) <= length:
        return text
    begins = _begin(text, terms, length)
    ends = begins + length
    return ("…" if begins else "") + text[begins:ends].strip() + ("…" if ends < len(text) else "")


def _begin(text: str, terms: Sequence[str], length: int) -> int:
    folded = text.casefold()
    places = [place for term in terms if (place := folded.find(term.casefold())) >= 0]
    first = max(0, min(places, default=0) - LEAD)
    if first + length >= len(text):
        first = len(text) - length
    return 0 if first == 0 else max(first, text.find(" ", first, first + LEAD) + 1)


def quotation(text: str, mark: str, *, typed: bool) -> str:
    """`> text — mark`. Several lines, and Markdown as it is (`typed` false), have their mark below: a code block that
    the clipping left open ends with the quotation."""
    lines = (as_typed(text) if typed else text).splitlines() or [""]
    if typed and len(lines) == 1:
        return f"> {lines[0]} — {mark}"
    return "\n".join([*(f"> {line}" for line in lines), "", f"— {mark}"])
