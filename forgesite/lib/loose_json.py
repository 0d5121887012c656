"""Objects in a text, as small models write JSON: prose around them, single quotes, trailing commas, raw line breaks.

An object counts when it is whole. One that was cut inside a text, a number or a key is none at all, for half of it may
say the opposite; one that only lacks its last brackets is whole. The work is bounded whatever the text is.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

#: Characters at the end of a text in which an object is looked for, and how many are read in all: a text of nothing but
#: opening braces is begun at each of them.
LONGEST, MOST = 100_000, 250_000
DEEPEST = 16
CLOSES = {'"': '"', "'": "'", "“": "”", "‘": "’", "„": "“"}
LITERALS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_STOPS = {close: re.compile(rf"[{close}\\]") for close in CLOSES.values()}
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\", "/": "/"}

_BLANK = re.compile(r"(?:\s|//[^\n]*)*+")
_NUMBER = re.compile(r"-?\d{1,300}(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?(?=[\s,}\]])")
_WORD = re.compile(r"[A-Za-z_][\w-]{0,63}")
_HEX = re.compile(r"[0-9a-fA-F]{4}")
#: What may follow the quote that closes a text; another quote stands inside it. A key has none inside.
_AFTER, _ANYTHING = re.compile(r"\s*+(?:[,}\]]|\Z)"), re.compile("")
#: What ends a text as its last character does: a fence, or the tag around a call.
_ENDS = re.compile(r"`{3}|~{3}|</[A-Za-z_]|<\|")


class _BrokenError(Exception):
    """No object begins here, and none before `past`."""

    def __init__(self, past: int = 0) -> None:
        self.past = past


class _TooMuchError(Exception):
    """As much was read as may be."""


def decoded(text: str) -> Any:
    """The text as one JSON value, raw control characters allowed; None where it is none."""
    with suppress(ValueError, RecursionError):
        value = json.loads(text, strict=False)
        return json.loads(whole(json.dumps(value, ensure_ascii=False)))
    return None


def objects(text: str) -> list[dict[str, Any]]:
    """Every outermost object that is whole, in order; of a longer text only those in its last 100,000 characters."""
    reader, found, at = _Reader(text[-LONGEST:].rstrip()), [], 0
    with suppress(_TooMuchError):
        while (at := reader.text.find("{", at)) >= 0:
            try:
                value, at = reader.read(at)
                found.append(value)
            except _BrokenError as broken:
                at = max(at + 1, broken.past)
    return found


class _Reader:
    """Each method takes where to read and gives the value with the place behind it."""

    def __init__(self, text: str) -> None:
        self.text, self._read = text, 0
        self._quoted = False  # a quote stood inside a text: where that text ends was a guess

    def read(self, at: int) -> tuple[dict[str, Any], int]:
        self._quoted = False
        return self._object(at, 0)

    def _value(self, at: int, depth: int) -> tuple[Any, int]:
        first = self.text[at : at + 1]
        if first == "{":
            return self._object(at, depth + 1)
        if first == "[":
            return self._array(at, depth + 1)
        return self._text(at) if first in CLOSES else self._plain(at)

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = self._inside(at, depth)
        while not self._closed(at, "}", bool(found)):
            key, at = self._key(at)
            value, at = self._value(self._blank(self._over(at, ":")), depth)
            found[key], at = value, self._next(at, "}")
        return found, at + self.text.startswith("}", at)

    def _array(self, at: int, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self._inside(at, depth)
        while not self._closed(at, "]", bool(found)):
            value, at = self._value(at, depth)
            found.append(value)
            at = self._next(at, "]")
        return found, at + self.text.startswith("]", at)

    def _inside(self, at: int, depth: int) -> int:
        if depth > DEEPEST:
            raise _BrokenError(at)
        return self._blank(at + 1)

    def _next(self, at: int, close: str) -> int:
        """Behind the comma, or at what closes. A comma that nothing follows was cut."""
        at = self._blank(at)
        if not self.text.startswith(",", at):
            if self._closed(at, close, True):
                return at
            raise _BrokenError
        at = self._blank(at + 1)
        if self._over_already(at):
            raise _BrokenError
        return at

    def _closed(self, at: int, close: str, begun: bool) -> bool:
        """Also where the text ends behind a whole value, unless it was a guess that the value is whole."""
        return self.text.startswith(close, at) or (begun and not self._quoted and self._over_already(at))

    def _over_already(self, at: int) -> bool:
        return at >= len(self.text) or _ENDS.match(self.text, at) is not None

    def _over(self, at: int, mark: str) -> int:
        at = self._blank(at)
        if not self.text.startswith(mark, at):
            raise _BrokenError
        return at + 1

    def _key(self, at: int) -> tuple[str, int]:
        if self.text[at : at + 1] in CLOSES:
            return self._text(at, _ANYTHING)
        if not (word := _WORD.match(self.text, at)):
            raise _BrokenError
        self._spend(word.end() - at + 1)
        return word.group(), word.end()

    def _plain(self, at: int) -> tuple[Any, int]:
        if number := _NUMBER.match(self.text, at):
            self._spend(number.end() - at + 1)
            return json.loads(_plain_number(number.group())), number.end()
        word = _WORD.match(self.text, at)
        if not word or word.group() not in LITERALS:
            raise _BrokenError
        self._spend(word.end() - at + 1)
        return LITERALS[word.group()], word.end()

    def _text(self, at: int, after: re.Pattern[str] = _AFTER) -> tuple[str, int]:
        close, parts, at = CLOSES[self.text[at]], [], at + 1
        while True:
            begun, at = at, self._stop(at, close)
            parts.append(self.text[begun:at])
            if self.text[at] == "\\":
                piece, at = self._escape(at + 1)
                parts.append(piece)
            elif after.match(self.text, at + 1) or _ENDS.match(self.text, at + 1):
                return whole("".join(parts)), at + 1
            else:
                self._quoted = self._quoted or close == '"'
                parts.append(close)
                at += 1

    def _stop(self, at: int, close: str) -> int:
        """Where the next quote or backslash is."""
        found = _STOPS[close].search(self.text, at)
        self._spend((found.start() if found else len(self.text)) - at + 1)
        if found is None:
            raise _BrokenError
        return found.start()

    def _escape(self, at: int) -> tuple[str, int]:
        """An escape that JSON does not know is what it looks like: `C:\\data` lacks a backslash only."""
        mark = self.text[at : at + 1]
        if mark == "u" and (digits := _HEX.match(self.text, at + 1)):
            return chr(int(digits.group(), 16)), digits.end()
        if not mark:
            raise _BrokenError
        return ESCAPES.get(mark, f"\\{mark}"), at + 1

    def _blank(self, at: int) -> int:
        match = _BLANK.match(self.text, at)
        assert match is not None
        self._spend(match.end() - at)
        return match.end()

    def _spend(self, characters: int) -> None:
        self._read += characters
        if self._read > MOST:
            raise _TooMuchError


def _plain_number(written: str) -> str:
    """`007` is no number of JSON, and is one of a small model's."""
    sign, digits = ("-", written[1:]) if written.startswith("-") else ("", written)
    return sign + re.sub(r"^0+(?=\d)", "", digits)


def whole(text: str) -> str:
    """Two halves of one character joined, and half a character alone made visible as lost."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
