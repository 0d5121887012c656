import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.domain.quoting import as_typed, clip, quotation
from chat.domain.title import title_of
from chat.rendering import render


@pytest.mark.parametrize(
    "text",
    ["the test server runs on port 8080", "Le NiPoGi a 32 Go de RAM", "snake_case_name and C++ 2 < 3", "`ls -l`"],
)
def test_a_plain_text_is_quoted_as_it_is(text: str) -> None:
    assert as_typed(text) == text


@pytest.mark.parametrize(
    "text",
    [
        *("# not a heading", "2 * 3 * 4 and *5*", "[a](b)", "- a dash", "__init__.py", "1. one", "1) one"),
        *("$x$ is a sum", "$$x$$", r"\(x\) and \[y\]", r"\begin{align}x", "![a][b] *c*", "[12] *d* (e)"),
    ],
)
def test_a_text_that_markdown_would_change_is_escaped(text: str) -> None:
    shown = render(as_typed(text))
    assert shown == f"<p>{text}</p>\n"


def test_one_line_has_its_mark_beside_it() -> None:
    assert quotation("port 8080", "#1 fact", typed=True) == "> port 8080 — #1 fact"


def test_an_open_code_block_does_not_swallow_the_mark() -> None:
    assert "<p>— #12 exchange</p>" in render(quotation("see\n```python\nprint(1)", "#12 exchange", typed=False))


def test_a_long_text_is_clipped_around_the_word_that_was_asked_for() -> None:
    shown = clip("filler " * 300 + "the port is 8080 " + "filler " * 300, ["port"], 200)
    assert "the port is 8080" in shown
    assert (shown[0], shown[-1]) == ("…", "…")


@given(st.text(), st.integers(10, 300))
def test_clipping_never_grows_a_text(text: str, length: int) -> None:
    assert len(clip(text, [], length)) <= max(len(text), length + 2)
    assert clip(text, [], len(text)) == text


def test_a_title_is_the_first_words_and_shows_its_cut() -> None:
    assert title_of("Where\n do  things run?") == "Where do things run?"
    long = title_of("Remember that the test server in the cellar runs on port 8080 since May")
    assert long == "Remember that the test server in the cellar runs on port…"
