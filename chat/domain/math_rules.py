r"""Where a Markdown text holds LaTeX: `$…$`, `$$…$$`, `\(…\)`, `\[…\]` and equation environments, as models write it.

"$5 and $6" is money. A formula that is displayed runs, like a fenced block, to its end or to the next blank line: so
more text changes nothing before it.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

OPENS = re.compile(r"\$\$(?!\$)|\\\[|\\begin\{(equation|align|alignat|gather|multline|eqnarray)(\*?)\}")
CLOSES = {"$": "$", "$$": "$$", r"\(": r"\)", r"\[": r"\]"}
#: A number and then words, with nothing of LaTeX in them: `$20 (about 18 euros) in US$`.
PRICE = re.compile(r"\d[^\\{}^_=]*[\s(][^\W\d_]{2,}[^\\{}^_=]*")
#: Brackets that Markdown would escape too: `\[12\]`, `\(see below\)`.
ESCAPED = {
    r"\(": re.compile(r"[^\\{}^_=]*[^\W\d_]{4,}[^\\{}^_=]*"),
    r"\[": re.compile(r"[\d,\s]+|[^\\{}^_=]*[^\W\d_]{4,}[^\\{}^_=]*"),
}
#: How far a sign looks for its partner.
REACH = 4000
#: What may follow a displayed formula on its last line, and is shown as the end of it.
PUNCTUATION = ".,;:"
INTERRUPTS = ["paragraph", "reference", "blockquote", "list"]


def math_rules(markdown: MarkdownIt) -> None:
    """Tokens `math_inline` and `math_display`, their LaTeX as content; `math_open` is one whose end is not there."""
    markdown.inline.ruler.before("escape", "math_inline", _inline)
    markdown.block.ruler.before("fence", "math_display", _block, {"alt": INTERRUPTS})


def _inline(state: StateInline, silent: bool) -> bool:
    opens = state.src[state.pos : state.pos + 2]
    opens = "$" if opens[:1] == "$" and opens != "$$" else opens
    if opens not in CLOSES:
        return False
    begins = state.pos + len(opens)
    ends = _partner(state.src, CLOSES[opens], begins)
    content = state.src[begins:ends] if ends > begins else ""
    if not content.strip() or (_only_a_sign(state, begins, ends) if opens == "$" else _only_escaped(opens, content)):
        return False
    if not silent:
        token = state.push("math_inline" if opens in ("$", r"\(") else "math_display", "math", 0)
        token.content, token.markup = content.strip(), opens
    state.pos = ends + len(CLOSES[opens])
    return True


def _partner(text: str, closes: str, begins: int) -> int:
    r"""Where it closes, or -1. `\$` closes nothing."""
    ends = text.find(closes, begins, begins + REACH)
    while ends > 0 and closes[0] == "$" and text[ends - 1] == "\\":
        ends = text.find(closes, ends + 1, begins + REACH)
    return ends


def _only_a_sign(state: StateInline, begins: int, ends: int) -> bool:
    """Money, or the name of a variable: `$5 and $6`, `5$ or 6$`, `$HOME/$PATH`."""
    text = state.src
    beside = text[begins - 2 : begins - 1] + text[ends + 1 : ends + 2]
    return (
        any(sign.isalnum() for sign in beside)
        or text[begins].isspace()
        or text[ends - 1].isspace()
        or PRICE.fullmatch(text, begins, ends) is not None
    )


def _only_escaped(opens: str, content: str) -> bool:
    return opens in content or (opens in ESCAPED and ESCAPED[opens].fullmatch(content) is not None)


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    line = _line(state, start)
    opens = None if state.is_code_block(start) else OPENS.match(line)
    if opens is None:
        return False
    closes = CLOSES.get(opens[0]) or rf"\end{{{opens[1]}{opens[2]}}}"
    rest = line[opens.end() :]
    if closes in rest and not _ends(rest, closes):
        return False  # something follows on the same line: the paragraph's own rules see to it
    if not silent:
        last, closed = (start, True) if closes in rest else _last(state, start, end, closes)
        typed = "\n".join(_line(state, number) for number in range(start, last + 1)).strip()
        token = state.push("math_display" if closed else "math_open", "math", 0)
        token.content = typed if opens[1] or not closed else _inside(typed, opens[0], closes)
        token.block, token.markup, token.map = True, opens[0], [start, last + 1]
        state.line = last + 1
    return True


def _ends(line: str, closes: str) -> bool:
    return line.rstrip().rstrip(PUNCTUATION).endswith(closes)


def _inside(typed: str, opens: str, closes: str) -> str:
    formula, _closes, after = typed[len(opens) :].rpartition(closes)
    return formula.strip() + after


def _last(state: StateBlock, start: int, end: int, closes: str) -> tuple[int, bool]:
    """The line that the formula ends with, and whether it is closed there."""
    for number in range(start + 1, end):
        if state.isEmpty(number) or state.sCount[number] < state.blkIndent:
            return number - 1, False
        if _ends(_line(state, number), closes):
            return number, True
    return end - 1, False


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]
