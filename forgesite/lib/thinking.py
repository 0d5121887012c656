"""Takes what a model says to itself out of what it says, as it streams. Pure: pieces in, pieces out.

However the text is cut into pieces, the same comes out. A tag in a code fence or in inline code is text like any other.
A closing tag at the start of a line, when none was opened, means that the model's template had opened one: `Unsaid`
takes back what was given before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from forgesite.lib.language_models import Text, Thinking, Unsaid
from forgesite.lib.markdown_code import Code

Piece = Text | Thinking | Unsaid

NAMES = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection")
#: Tags of other shapes: Magistral's, Kimi's, and those of the open-thoughts models.
ODD_OPENERS = ("[think]", "◁think▷", "<|begin_of_thought|>")
ODD_CLOSERS = ("[/think]", "◁/think▷", "<|end_of_thought|>")


def _tag(slash: str, odd: tuple[str, ...]) -> re.Pattern[str]:
    named = "|".join(sorted(NAMES, key=len, reverse=True))
    return re.compile(rf"<{slash}(?:{named})(?:\s[^<>]{{0,40}})?>|{'|'.join(map(re.escape, odd))}", re.IGNORECASE)


OPEN, CLOSE = _tag("", ODD_OPENERS), _tag("/", ODD_CLOSERS)
EVERY = (*(f"<{slash}{name}>" for slash in ("", "/") for name in NAMES), *ODD_OPENERS, *ODD_CLOSERS)
#: A named tag that has begun and may still get words of its own, as in `<think hard`.
BEGUN = re.compile(rf"</?(?:{'|'.join(NAMES)})\s[^<>]{{0,40}}", re.IGNORECASE)
SPECIAL = re.compile(r"[<\[◁`~\n]")
RUN = re.compile(r"`+|~+")


def _may_become_a_tag(rest: str) -> bool:
    low = rest.lower()
    return any(tag.startswith(low) for tag in EVERY) or BEGUN.fullmatch(rest) is not None


@dataclass
class Splitter:
    """`doubtful`: of a model known to open its thinking unseen. All is thinking until it closes it; if it never does,
    it was an answer, and comes at the end.
    """

    doubtful: bool = False
    #: Inside a block.
    thinking: bool = False
    #: A closing tag was met that nothing had opened.
    unopened: bool = False
    _held: str = ""  # the start of what may become a tag or a fence
    _lead: str | None = ""  # blank before the answer; None once the answer has begun
    _tagged: bool = False
    _code: Code = field(default_factory=Code)
    _doubted: list[str] = field(default_factory=list)
    _out: list[Piece] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.thinking = self.doubtful

    def feed(self, piece: str) -> list[Piece]:
        if self._lead is None and not self._held and not self.thinking and SPECIAL.search(piece) is None:
            self._code.words(piece)  # nearly every piece: this is the cheap way
            return [Text(piece)]
        return self._scan(piece, last=False)

    def end(self) -> list[Piece]:
        """What was held back. After it `thinking` says whether a block was left open."""
        out = self._scan("", last=True)
        if not self.doubtful:
            return [*out, Text(self._lead)] if self._lead and not self._tagged else out
        plain = Splitter()
        again = [*plain.feed("".join(self._doubted)), *plain.end()]
        self.thinking = plain.thinking
        return again

    def _scan(self, piece: str, *, last: bool) -> list[Piece]:
        text, self._held = self._held + piece, ""
        at = 0
        while at < len(text):
            step = self._thought(text, at, last=last) if self.thinking else self._answer(text, at, last=last)
            if step == at:
                self._held = text[at:]
                break
            at = step
        out, self._out = self._out, []
        return out

    def _thought(self, text: str, at: int, *, last: bool) -> int:
        """To behind the closing tag, or to where one may have begun."""
        if match := CLOSE.search(text, at):
            self._think(text[at : match.start()])
            self._close()
            return match.end()
        starts = (place for place in range(at, len(text)) if text[place] in "<[◁" and _may_become_a_tag(text[place:]))
        end = len(text) if last else next(starts, len(text))
        self._think(text[at:end])
        return end

    def _answer(self, text: str, at: int, *, last: bool) -> int:
        """To the next character that may matter, or over it. Where it stands still, it waits for more."""
        match = SPECIAL.search(text, at)
        if match is None or match.start() > at:
            end = match.start() if match else len(text)
            self._code.words(text[at:end])
            return self._say(text, at, end)
        if text[at] == "\n":
            self._code.newline()
            return self._say(text, at, at + 1)
        return self._run(text, at, last=last) if text[at] in "`~" else self._tag(text, at, last=last)

    def _run(self, text: str, at: int, *, last: bool) -> int:
        match = RUN.match(text, at)
        assert match is not None
        rest = text[match.end() :].lstrip(" \t\r")
        if not rest and not last:
            return at  # it may go on, and what follows on its line says whether it closes a fence
        self._code.run(match.group(), ends_line=not rest or rest[0] == "\n")
        return self._say(text, at, match.end())

    def _tag(self, text: str, at: int, *, last: bool) -> int:
        if not self._code:
            if match := OPEN.match(text, at):
                self.thinking = self._tagged = True
                self._lead = self._lead and ""
                return match.end()
            if (match := CLOSE.match(text, at)) and self._code.fresh and not self._tagged:
                self._take_back()
                return match.end()
            if not match and not last and _may_become_a_tag(text[at:]):
                return at
        self._code.words(text[at])
        return self._say(text, at, at + 1)

    def _close(self) -> None:
        self.unopened = self.unopened or self.doubtful
        self.thinking = self.doubtful = False
        self._tagged = True
        self._doubted.clear()

    def _take_back(self) -> None:
        if self._lead is None:
            self._out.append(Unsaid())
        self._lead, self._tagged, self.unopened = "", True, True

    def _say(self, text: str, at: int, end: int) -> int:
        words = text[at:end]
        if self._lead is not None:
            if not words.strip():
                self._lead += words
                return end
            # After a thinking block the answer begins with its first word; without one, every blank is the model's.
            words, self._lead = words.lstrip() if self._tagged else self._lead + words, None
        before = self._out[-1] if self._out else None
        if isinstance(before, Text):
            self._out[-1] = Text(before.text + words)
        else:
            self._out.append(Text(words))
        return end

    def _think(self, words: str) -> None:
        if self.doubtful:
            self._doubted.append(words)
        if words:
            self._out.append(Thinking(words))
