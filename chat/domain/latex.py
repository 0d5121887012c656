"""LaTeX as MathML, by a library whose output is taken as a tree and not as text; what it cannot read, as None."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from html import unescape
from xml.etree.ElementTree import Element, tostring

from latex2mathml import exceptions
from latex2mathml.converter import Converter

#: A formula is some lines. What is longer is shown as it was written, and costs nothing.
LONGEST = 4000
#: Definitions can grow without an end when they are expanded, and a formula needs none.
DEFINES = re.compile(r"\\(newcommand|renewcommand|def|newenvironment|DeclareMathOperator)(?![a-zA-Z])")
#: Environments by the name that the library knows them under.
ENVIRONMENT = re.compile(r"\\(begin|end)\{([a-zA-Z]+)\*?\}(?:\{\d+\})?")
KNOWN_AS = {
    **dict.fromkeys(("align", "aligned", "alignat", "alignedat", "eqnarray", "split"), "split"),
    **dict.fromkeys(("gather", "gathered", "multline", "multlined"), "matrix"),
    **dict.fromkeys(("equation", "displaymath", "math"), ""),
    "dcases": "cases",
}
#: How the library writes the letters of an upright font: as references.
UPRIGHT = re.compile(r"&#x000[4-7][0-9A-F];")
#: What the library raises on a wrong formula: its own classes, which have no common base, and now and then a slip.
WRONG: tuple[type[Exception], ...] = (
    *(one for one in vars(exceptions).values() if isinstance(one, type) and issubclass(one, Exception)),
    *(AttributeError, LookupError, RuntimeError, StopIteration, TypeError, ValueError),
)
#: Signs that Unicode counts among the operators, and that stand for a thing.
THINGS = frozenset("∞∂∇∅∀∃")
UNREAD = re.compile(r"&|\\[a-zA-Z]*")


@lru_cache(maxsize=512)
def mathml(latex: str, *, display: bool) -> str | None:
    """The `<math>` element, well formed, its text escaped. None for what is no LaTeX, too long or too deep."""
    if len(latex) > LONGEST or DEFINES.search(latex):
        return None
    try:
        tree = Converter(display="block" if display else "inline").convert_to_element(_adapted(latex))
        return _written(tree) if all(_readable(part) for part in tree.iter()) else None
    except WRONG:
        return None


def _adapted(latex: str) -> str:
    known = ENVIRONMENT.sub(_known, latex)
    if r"\\" in known and r"\begin" not in known:
        name = "split" if "&" in known else "matrix"
        return rf"\begin{{{name}}}{known}\end{{{name}}}"
    return known


def _known(found: re.Match[str]) -> str:
    act, name = found[1], found[2]
    if name not in KNOWN_AS:
        return found[0]
    return rf"\{act}{{{KNOWN_AS[name]}}}" if KNOWN_AS[name] else ""


def _readable(part: Element) -> bool:
    """The library passes on a command that it does not know as if it were a variable."""
    return part.tag == "mtext" or not UNREAD.fullmatch(unescape(part.text or ""))


def _written(tree: Element) -> str:
    for part in tree.iter():
        text = unescape(part.text or "")
        if part.tag == "mi" and UPRIGHT.fullmatch(part.text or ""):
            part.set("mathvariant", "normal")
        if part.tag == "mi" and len(text) == 1 and unicodedata.category(text) == "Sm" and text not in THINGS:
            part.tag = "mo"  # the library takes ± for a variable, and it would stand without room on its sides
        part.text, part.tail = text or None, None
    return tostring(tree, encoding="unicode")
