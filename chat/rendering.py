"""Markdown to HTML that cannot run a script, load a picture from elsewhere or carry a style of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from itertools import islice
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from chat.domain.latex import mathml
from chat.domain.math_rules import math_rules

#: Longer code is shown as it is: highlighting takes about 1 ms a kilobyte, on the loop that serves everyone.
HIGHLIGHTED = 50_000
LINE_END = re.compile(r"\r\n|\r|\n")
FORMATTER = HtmlFormatter(nowrap=True)

TAGS = "p br hr em strong s del code pre span div blockquote ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td a"
MATHML = (
    "math mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mmultiscripts "
    "mprescripts mtable mtr mtd mstyle mpadded mphantom menclose"
)
SPACED = {"width", "height", "depth", "lspace", "voffset"}
ATTRIBUTES = {
    "a": {"href", "title"},
    "ol": {"start"},
    "code": {"class"},
    "span": {"class"},
    "div": {"class", "data-language"},
    "th": {"class"},
    "td": {"class"},
    "math": {"display"},
    "mi": {"mathvariant"},
    "mo": {"stretchy", "fence", "form", "separator", "lspace", "rspace", "minsize", "maxsize", "movablelimits"},
    "mover": {"accent"},
    "munder": {"accentunder"},
    "mfrac": {"linethickness"},
    "mstyle": {"displaystyle", "scriptlevel"},
    "mtable": {"displaystyle", "columnalign"},
    "mtd": {"columnalign"},
    "mspace": SPACED,
    "mpadded": SPACED,
    "menclose": {"notation"},
}
CLEANER = nh3.Cleaner(
    tags={*TAGS.split(), *MATHML.split()},
    attributes=ATTRIBUTES,
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer nofollow",
    set_tag_attribute_values={"a": {"target": "_blank"}},
    clean_content_tags={"script", "style"},
)


class Renderer(RendererHTML):
    """Pictures become links, code gets classes and its language's name, columns their side as a class, LaTeX MathML.

    A table stands in a box of its own, so that a wide one scrolls in it and not with the page.
    """

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        source = str(token.attrs.get("src", ""))
        shown = self.renderInlineAsText(token.children or [], options, env) or source
        return f'<a href="{escape(source)}">{escape(shown)}</a>'

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        language = (token.info.split() or [""])[0]
        if language == "math":
            return formula(token.content, display=True)
        return code_block(token.content, language)

    def code_block(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return code_block(tokens[idx].content, "")

    def table_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return '<div class="table"><table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return "</table></div>\n"

    def math_inline(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return formula(tokens[idx].content, display=False)

    def math_display(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return formula(tokens[idx].content, display=True) + ("\n" if tokens[idx].block else "")

    def math_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return f'<p><code class="latex">{escape(tokens[idx].content)}</code></p>\n'

    @staticmethod
    def renderAttrs(token: Token) -> str:
        side = str(token.attrs.pop("style", "")).removeprefix("text-align:")
        if side:
            token.attrSet("class", side)
        return RendererHTML.renderAttrs(token)


def code_block(code: str, language: str) -> str:
    label = escape(language[:40])
    return (
        f'<div class="code" data-language="{label}"><div class="code-label">{label}</div>'
        f'<pre><code class="highlight">{_highlighted(code, language)}</code></pre></div>\n'
    )


def formula(latex: str, *, display: bool) -> str:
    """As MathML; as it was written where that is not to be had. A displayed one scrolls sideways in itself."""
    shown = mathml(latex, display=display) or f'<code class="latex">{escape(latex)}</code>'
    return f'<span class="formula">{shown}</span>' if display else shown


def _highlighted(code: str, language: str) -> str:
    lexer = _lexer(language.lower()) if language and len(code) <= HIGHLIGHTED else None
    return escape(code) if lexer is None else str(highlight(code, lexer, FORMATTER))


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


MARKDOWN = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True}, renderer_cls=Renderer).enable(
    ["table", "strikethrough"]
)
MARKDOWN.use(math_rules)
#: The same without a look inside the blocks.
OUTLINE = MarkdownIt("commonmark").enable("table").use(math_rules).disable(["inline", "text_join"])


def render(markdown: str) -> str:
    """The whole text as HTML; the empty text as nothing."""
    return str(CLEANER.clean(MARKDOWN.render(markdown)))


def blocks(markdown: str) -> list[str]:
    """The same, one string a top-level block: joined, they are `render(markdown)`."""
    env: dict[str, Any] = {}
    groups = [group for group, _line in _top_level(MARKDOWN.parse(markdown, env))]
    return [str(CLEANER.clean(MARKDOWN.renderer.render(group, MARKDOWN.options, env))) for group in groups]


def open_block(markdown: str) -> tuple[int, int]:
    """How many top-level blocks are closed, and where in the text the open one begins: more text changes only it."""
    groups = _top_level(OUTLINE.parse(markdown))
    if not groups:
        return 0, 0
    ends = [end.end() for end in islice(LINE_END.finditer(markdown), groups[-1][1])]
    return len(groups) - 1, ends[-1] if ends else 0


def _top_level(tokens: list[Token]) -> list[tuple[list[Token], int]]:
    """The tokens of each top-level block, and the line it begins at."""
    groups: list[tuple[list[Token], int]] = []
    depth = 0
    for token in tokens:
        if depth == 0 and token.nesting >= 0:
            groups.append(([], token.map[0] if token.map else 0))
        groups[-1][0].append(token)
        depth += token.nesting
    return groups
