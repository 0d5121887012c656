import re

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
]
TAG = re.compile(r"<(/?)([a-z0-9]+)([^>]*)>")


def harmless(html: str) -> None:
    for _end, tag, rest in TAG.findall(html):
        assert tag not in {"script", "img", "svg", "iframe", "style", "object", "form"}
        assert not re.search(r"\s(on\w+|style|src)\s*=", re.sub(r'"[^"]*"', '""', rest))
        for link in re.findall(r'href="([^"]*)"', rest):
            assert re.match(r"https?://|mailto:|[^:]*$", link)


@pytest.mark.parametrize("text", ATTACKS)
def test_no_script_and_no_picture_comes_out_of_text(text: str) -> None:
    harmless(render(text))


@given(st.lists(st.sampled_from([*ATTACKS, "> ", "- ", "**", "`", "\n", "\n\n", "[", "]("]), max_size=8))
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


def test_a_column_keeps_its_side_without_a_style() -> None:
    assert '<td class="right">1</td>' in render("|a|\n|-:|\n|1|")


@given(st.lists(st.sampled_from(["# a", "- x", "para", "```\ncode", "```", "> q", "", "1. n", "---", "|a|\n|-|"])))
def test_the_blocks_are_the_whole_text(parts: list[str]) -> None:
    text = "\n".join(parts)
    assert "".join(blocks(text)) == render(text)


@given(st.text("ab *`#->\n", max_size=60), st.integers(1, 7))
def test_blocks_sent_while_a_text_grows_end_as_the_whole(text: str, size: int) -> None:
    page, shown = PageBlocks(), dict[int, str]()
    for at in range(0, len(text), size):
        shown |= {frame.block: frame.html for frame in page.grow(text[at : at + size], now=at)}
    shown |= {frame.block: frame.html for frame in page.all()}
    whole = blocks(text)
    assert [shown[number] for number in range(len(whole))] == whole


def test_a_closed_block_is_sent_once_and_the_open_one_twice_a_second() -> None:
    page = PageBlocks()
    sent = [frame.block for tick in range(10) for frame in page.grow("word ", now=tick / 10)]
    assert sent == [0, 0]
    sent = [frame.block for tick in range(10, 20) for frame in page.grow("\n\nword ", now=tick / 10)]
    assert max(sent.count(number) for number in set(sent)) <= 3
