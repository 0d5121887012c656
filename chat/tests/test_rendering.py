import re
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.page_blocks import PageBlocks
from chat.rendering import blocks, render

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt&colon;alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:msgbox)",
    "![x](javascript:alert(1))",
    "![x](http://elsewhere.example/a.png)",
    '![x" onerror="alert(1)](http://elsewhere.example/a.png)',
    '[x](http://e.example/"onmouseover="alert(1))',
    "<a href='javascript:alert(1)'>x</a>",
    "<iframe src=http://e.example></iframe>",
    "<style>body{display:none}</style>",
    "<http://e.example/?q=<script>>",
    "```<script>alert(1)</script>\ncode\n```",
    '```"><img src=x onerror=alert(1)>\ncode\n```',
    "> > <img src=x onerror=alert(1)>\n> > - [x](javascript:alert(1))",
    "|<img src=x onerror=alert(1)>|\n|-|\n|<script>alert(1)</script>|",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    r"$\text{<script>alert(1)</script>}$",
    r"$$\text{</mtext></math><img src=x onerror=alert(1)>}$$",
    r"$\text{&lt;img src=x onerror=alert(1)&gt;}$",
    r"\(\href{javascript:alert(1)}{x}\)",
    r"\[\style{background:url(http://e.example)}{x} \class{a onclick=alert(1)}{y}\]",
    r'$\color{red" onmouseover="alert(1)}{x}$',
    r'$\hspace{1em" onmouseover="alert(1)}x$',
    r"$\unknown<script>alert(1)</script>$",
    "```math\n\\text{<style>@import 'http://e.example'</style>}\n```",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
    '<math href="javascript:alert(1)">x</math>',
    "<math><annotation-xml encoding='text/html'><script>alert(1)</script></annotation-xml></math>",
]
PIECES = ["# a", "- x", "para", "```\ncode", "```", "> q", "", "1. n", "---", "|a|\n|-|", "$$", "$$x$$", "\\[", "\\]"]
TAG = re.compile(r"<(/?)([a-z0-9]+)([^>]*)>")


def harmless(html: str) -> None:
    for _end, tag, rest in TAG.findall(html):
        assert tag not in {"script", "img", "svg", "iframe", "style", "object", "form"}
        names = re.sub(r'"[^"]*"', '""', rest)
        assert not re.search(r"\s(on\w+|style|src|mathcolor)\s*=", names)
        assert tag == "a" or "href" not in names
        for link in re.findall(r'href="([^"]*)"', rest):
            assert re.match(r"https?://|mailto:|[^:]*$", link)


@pytest.mark.parametrize("text", ATTACKS)
def test_no_script_and_no_picture_comes_out_of_text(text: str) -> None:
    harmless(render(text))


@given(
    st.lists(
        st.sampled_from([*ATTACKS, "> ", "- ", "**", "`", "\n", "\n\n", "[", "](", "$", "$$", "\\[", "\\]"]), max_size=8
    )
)
def test_nor_out_of_such_texts_put_together(parts: list[str]) -> None:
    harmless(render("".join(parts)))


def test_a_picture_becomes_a_link() -> None:
    html = render("![the rack](https://e.example/rack.png)")
    assert (
        '<a href="https://e.example/rack.png" target="_blank" rel="noopener noreferrer nofollow">the rack</a>' in html
    )


def test_code_is_coloured_by_classes_and_names_its_language() -> None:
    html = render("```python\nprint('<b>')\n```")
    assert 'data-language="python"' in html
    assert '<span class="nb">print</span>' in html
    assert "&lt;b&gt;" in html


def test_code_of_no_known_language_is_shown_as_typed() -> None:
    assert "x &lt; y\n</code>" in render("```nosuch\nx < y\n```")


def test_latex_of_every_spelling_becomes_mathml() -> None:
    for text in (r"so $x^2$", r"so \(x^2\)", "$$x^2$$", "\\[\nx^2\n\\].", "so\n$$\nx^2\n$$", "```math\nx^2\n```"):
        assert "<msup><mi>x</mi><mn>2</mn></msup>" in render(text), text
    assert '<math display="block">' in render("- so\n  $$x$$")


@pytest.mark.parametrize(
    "text",
    [
        *("$5 and $6", "5$ or 6$", "$HOME/$PATH", "$20 (about 18€) in US$.", "it's $5-$6, $$$", "a $ b $ c"),
        *(r"\$x\$", "`$x$`", "US$ 5 and A$ 6", "$5, or $10k if $n > 3"),
    ],
)
def test_money_is_no_formula(text: str) -> None:
    assert "<math" not in render(text)


def test_a_bracket_escaped_as_markdown_allows_is_no_formula() -> None:
    assert render(r"\[12\] and \(see below\)") == "<p>[12] and (see below)</p>\n"


@pytest.mark.parametrize("latex", [r"\nosuch{x}", r"\frac{1}{", "a & b", r"\def\a{\a\a}\a", "{" * 2000, "x" * 5000])
def test_latex_that_cannot_be_read_is_shown_as_it_was_written(latex: str) -> None:
    assert f'<code class="latex">{escape(latex)}</code>' in render(f"```math\n{latex}\n```").replace("\n<", "<")


def test_a_formula_that_is_not_closed_yet_is_one_block() -> None:
    assert blocks("$$\na\n- b") == ['<p><code class="latex">$$\na\n- b</code></p>\n']
    assert len(blocks("$$\na\n- b\n$$")) == 1


def test_aligned_lines_keep_their_sides_and_an_upright_letter_stands() -> None:
    html = render("\\begin{align}\na &= b \\\\\nc &= \\mathrm{d}x\n\\end{align}")
    assert '<mtd columnalign="right"><mi>a</mi></mtd><mtd columnalign="left">' in html
    assert '<mi mathvariant="normal">d</mi>' in html
    assert "<mo>±</mo>" in render(r"$a \pm b$")


def test_a_table_has_a_box_to_scroll_in() -> None:
    assert render("|a|\n|-|").startswith('<div class="table"><table>')


def test_a_column_keeps_its_side_without_a_style() -> None:
    assert '<td class="right">1</td>' in render("|a|\n|-:|\n|1|")


@given(st.lists(st.sampled_from(PIECES)))
def test_the_blocks_are_the_whole_text(parts: list[str]) -> None:
    text = "\n".join(parts)
    assert "".join(blocks(text)) == render(text)


@given(st.text("ab *`#->$\\[]\n", max_size=60), st.integers(1, 7))
def test_blocks_sent_while_a_text_grows_end_as_the_whole(text: str, size: int) -> None:
    page, shown = PageBlocks(), dict[int, str]()
    for at in range(0, len(text), size):
        shown |= {frame.block: frame.html for frame in page.grow(text[at : at + size], now=at)}
    shown |= {frame.block: frame.html for frame in page.all()}
    assert [html for _number, html in sorted(shown.items()) if html] == blocks(text)


def test_a_block_that_joins_the_one_before_it_is_shown_as_nothing() -> None:
    page = PageBlocks()
    page.grow("one\n#", now=0)

    assert [(frame.block, frame.html) for frame in page.grow("two", now=1)] == [(0, "<p>one<br>\n#two</p>\n"), (1, "")]


def test_a_closed_block_is_sent_once_and_the_open_one_twice_a_second() -> None:
    page = PageBlocks()
    sent = [frame.block for tick in range(10) for frame in page.grow("word ", now=tick / 10)]
    assert sent == [0, 0]
    sent = [frame.block for tick in range(10, 30) for frame in page.grow("\n\nword ", now=tick / 10)]
    assert sorted(set(sent)) == list(range(17))
    assert max(sent.count(number) for number in sent) <= 2


def test_a_long_open_block_waits_in_proportion() -> None:
    page = PageBlocks()
    page.grow("```\n" + "x = 1\n" * 1000, now=0)
    assert page.grow("y", now=2) == []
    assert len(page.grow("z", now=4)) == 1
