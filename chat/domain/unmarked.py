"""A model that quotes its prompt quotes the lines that fence memory in it: these are taken out of what it says.

They would be stored with the answer, and come back in the next prompt as something that the person was told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.domain.fence import MARK

LINE = re.compile(rf"</?memory [0-9a-f]{{{MARK}}}>\n?")
#: What may still become one: its beginning, or all of it while the line end is to come.
BEGUN = re.compile(rf"</?memory [0-9a-f]{{0,{MARK}}}|</?memory [0-9a-f]{{{MARK}}}>")
LEADS = ("<memory ", "</memory ")
LONGEST = len("</memory >") + MARK


@dataclass
class Unmarked:
    """Of a text that comes in pieces. What may be the beginning of such a line is held back until that is known."""

    held: str = ""

    def more(self, text: str) -> str:
        """What can be shown now."""
        if not self.held and "<" not in text:
            return text
        text = LINE.sub(_but_unended, self.held + text)
        start = text.rfind("<", -LONGEST)
        self.held = text[start:] if start >= 0 and _begun(text[start:]) else ""
        return text[: len(text) - len(self.held)]

    def rest(self) -> str:
        """Once nothing more comes."""
        text, self.held = LINE.sub("", self.held), ""
        return text


def _but_unended(found: re.Match[str]) -> str:
    """One at the very end waits for its line end."""
    whole = found[0].endswith("\n") or found.end() < len(found.string)
    return "" if whole else found[0]


def _begun(text: str) -> bool:
    return bool(BEGUN.fullmatch(text)) or any(lead.startswith(text) for lead in LEADS)
