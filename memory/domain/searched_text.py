"""What of an entry's text the two channels index in full: the whole of it, but for a long exchange.

A long answer drowns the question that it replies to: its words are many, and its vectors lie near to anything on the
subject. So an exchange is found by what the person said and by how the answer begins. The rest of the answer stays in
the word index, where it counts for less and does not lengthen the row (see ranking.py); it has no vectors.
"""

from __future__ import annotations

import re

#: Characters from which an exchange is long.
LONG = 600
#: The line that an answer begins with, as chats and imports write an exchange.
ANSWER = re.compile(r"^assistant: ", re.MULTILINE)
#: How an answer begins: its first sentence, of at most so many characters.
SENTENCE = re.compile(r"[.!?…](?=\s)|\n|(?<=[。！？])")
FIRST = 300


def sides(text: str) -> tuple[str, str]:
    """What is indexed in full, and the rest of a long answer; empty for any other text."""
    answer = ANSWER.search(text) if len(text) > LONG else None
    if answer is None or not text[: answer.start()].strip():
        return text, ""
    first = SENTENCE.search(text, answer.end(), answer.end() + FIRST)
    end = first.end() if first else answer.end() + FIRST
    return text[:end], text[end:]


def searched_text(kind: str, text: str) -> str:
    """What of an entry of this kind is indexed in full."""
    return sides(text)[0] if kind == "exchange" else text
