"""Remembered text as data: between two lines that it cannot write, and with nothing in it that opens a role.

Whoever can get a sentence into memory (a mail that was pasted, a page that was imported) must not speak to the model
through it. What a template or a model takes for the start of a turn is shown by look-alikes, and is read all the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

MARK = 16
#: Without a shape of their own, and able to hide words or to turn their order.
HIDDEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
ROLES = r"system|user|assistant|human|ai|bot|model|developer|tool|function|instructions?|prompt"
#: `SYSTEM: …`, `### User: …`, `**Assistant**: …` at the start of a line.
LABEL = re.compile(rf"^([^\w\n]*)({ROLES})\b[*_\]\s]*[:：]\s*", re.IGNORECASE)
#: `<|im_start|>` and its kin, with fullwidth bars too.
TOKEN = re.compile(r"[<＜]\s?[|｜]([^<>＜＞\n]{0,64})[|｜]\s?[>＞]")
TAG = re.compile(
    rf"<(<?/?\s*(?:{ROLES}|s|bos|eos|pad|unk|sys|inst|start_of_turn|end_of_turn|think\w*|thought|reasoning|memory|data"
    r"|tool_\w+|function_\w+)\b[^<>\n]{0,64}>?)>",
    re.IGNORECASE,
)
BRACKET = re.compile(
    r"\[(/?(?:INST|SYS|SYSTEM\w*|AVAILABLE_TOOLS|TOOL\w*|no memory|memory|saved|not saved|today|todos)\b"
    r"[^\[\]\n]{0,64})\]",
    re.IGNORECASE,
)
FENCE = re.compile(r"`{3,}|~{3,}")


@dataclass(frozen=True)
class Datum:
    """One thing to show: `head` says what it is, `text` is what it says."""

    head: str
    text: str


def fenced(data: Sequence[Datum]) -> str:
    """The data between an opening and a closing line. Both hold the same mark, which nothing between them holds."""
    body = "\n".join(shown(datum) for datum in data)
    mark = _mark(body)
    return f"<memory {mark}>\n{body}\n</memory {mark}>"


def shown(datum: Datum) -> str:
    """`head` on a line of its own, each line of the text behind a bar."""
    head = " ".join(harmless(datum.head).split())
    return "\n".join([f"{head}:", *(f"| {harmless(line)}".rstrip() for line in datum.text.splitlines())])


def harmless(line: str) -> str:
    """One line as it is read, with nothing in it that opens a role, a fence or a note of Forge's."""
    line = HIDDEN.sub("", line)
    line = TOKEN.sub(r"‹¦\1¦›", line)
    line = TAG.sub(lambda tag: f"‹{tag[1].replace('<', '‹').replace('>', '›')}›", line)
    line = BRACKET.sub(r"(\1)", line)
    line = FENCE.sub(lambda fence: "'" * len(fence[0]), line)
    return LABEL.sub(r"\1(\2) ", line)


def _mark(body: str) -> str:
    """A digest of the body: no text can hold its own. Tried again all the same where it would."""
    mark = sha256(body.encode("utf-8", "replace")).hexdigest()[:MARK]
    while mark in body:
        mark = sha256(mark.encode()).hexdigest()[:MARK]
    return mark
