"""Texts of other products made fit to keep: unreadable characters, thinking blocks, citation marks."""

from __future__ import annotations

import json
import re

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

# Code is consumed first, so that a tag inside it survives; a block that opens before the code swallows it whole.
_BLOCKS = re.compile(
    r"""
    (?P<code>^[ ]{0,3}(?P<fence>`{3,}|~{3,}).*?^[ ]{0,3}(?P=fence)[`~]*[ \t]*$)
  | ^[ \t]*<details\s[^>]*type="(?P<kind>reasoning|code_interpreter|tool_calls)"[^>]*>.*?(?:</details>|\Z)\s*
  | ^[ \t]*<(?P<tag>think|thinking|thought|reasoning)>.*?</(?P=tag)>\s*
  | \A\s*<(?P<open>think|thinking|thought|reasoning)>.*\Z
    """,
    re.DOTALL | re.MULTILINE | re.IGNORECASE | re.VERBOSE,
)
# U+E200 to U+E206 fence what ChatGPT shows as a link or a name: opening, kind, parts between U+E202, closing.
_MARKED = re.compile("\ue200([^\ue200\ue201]*)\ue201")
_MARKS = re.compile("[\ue200-\ue206]")


def mended(text: str) -> tuple[str, int]:
    """The text without lone surrogates and NUL, which no database takes, and how many there were.

    Two halves that stand side by side are one character and are joined.
    """
    if "\0" not in text and not _surrogates(text):
        return text, 0
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    whole = joined.replace("\0", REPLACEMENT)
    return whole, whole.count(REPLACEMENT) - text.count(REPLACEMENT)


def _surrogates(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def without_thinking(text: str) -> tuple[str, int, int]:
    """An assistant's text without what it thought and called; how many thoughts and how many calls were left out."""
    if "<" not in text:
        return text, 0, 0
    counts = {"thought": 0, "call": 0}

    def left_out(match: re.Match[str]) -> str:
        if match["code"] is not None:
            return match[0]
        counts["call" if (match["kind"] or "reasoning").lower() != "reasoning" else "thought"] += 1
        return ""

    return _BLOCKS.sub(left_out, text), counts["thought"], counts["call"]


def without_citations(text: str) -> tuple[str, int]:
    """The text without its citation marks, and how many there were. A marked name or link title stays as words."""
    text, named = _MARKED.subn(lambda match: _words_of(match[1]), text)
    text, bare = _MARKS.subn("", text)
    return text, named + bare


def _words_of(marked: str) -> str:
    kind, *parts = marked.split("\ue202")
    if kind == "url" and parts:
        return parts[0]
    if kind == "entity" and parts:
        return _second(parts[0])
    return ""


def _second(listed: str) -> str:
    try:
        values = json.loads(listed)
    except ValueError:
        return ""
    return values[1] if isinstance(values, list) and len(values) > 1 and isinstance(values[1], str) else ""
