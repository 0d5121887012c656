"""Is this place of a Markdown text inside code? Followed run by run, as the text comes in."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: What may stand before a fence on its line: indentation, quotation, a list's mark.
LEAD = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?[ \t]*")
#: A longer start of a line is no lead, so no more of it is kept.
ENOUGH = 80


@dataclass
class Code:
    """`line`: the line so far, as far as it matters. Inline code ends with its line at the latest."""

    line: str = ""
    _fence: str = ""
    _opening: bool = False  # on the fence's own first line
    _inline: int = 0

    def __bool__(self) -> bool:
        return bool(self._fence or self._inline)

    @property
    def fresh(self) -> bool:
        """Nothing yet on this line but what may stand before a fence."""
        return LEAD.fullmatch(self.line) is not None

    def words(self, words: str) -> None:
        """Words without a line's end, a backtick or a tilde."""
        if len(self.line) < ENOUGH:
            self.line += words

    def newline(self) -> None:
        self.line, self._inline, self._opening = "", 0, False

    def run(self, run: str, *, ends_line: bool) -> None:
        """A whole run of backticks or tildes."""
        if self._fence:
            self._in_fence(run, ends_line=ends_line)
        elif not self._inline and len(run) >= 3 and self.fresh:
            self._fence, self._opening = run, True
        elif run[0] == "`":
            self._inline = 0 if self._inline == len(run) else self._inline or len(run)
        self.words(run)

    def _in_fence(self, run: str, *, ends_line: bool) -> None:
        if self._opening:
            if run == self._fence and run[0] == "`":  # ```like this``` it was inline code
                self._fence, self._opening = "", False
        elif run[0] == self._fence[0] and len(run) >= len(self._fence) and ends_line and self.fresh:
            self._fence = ""
