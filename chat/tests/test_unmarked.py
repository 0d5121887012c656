"""The lines that fence memory are taken out of what a model says, however they come in."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.domain.frames import Delta, Frame, Step, Unsaid
from chat.domain.unmarked import LINE, Unmarked
from chat.unmarked import unmarked

MARK = "0123456789abcdef"
QUOTED = f"You keep:\n<memory {MARK}>\n- #1 [fact] my bike is green\n</memory {MARK}>\nThat is all."


def said(*pieces: str) -> str:
    text = Unmarked()
    return "".join([*(text.more(piece) for piece in pieces), text.rest()])


@given(st.lists(st.integers(0, len(QUOTED)), max_size=12))
def test_however_it_is_cut_the_lines_go_and_the_rest_stays(cuts: list[int]) -> None:
    at = [0, *sorted(cuts), len(QUOTED)]
    pieces = [QUOTED[start:end] for start, end in pairwise(at)]
    assert said(*pieces) == "You keep:\n- #1 [fact] my bike is green\nThat is all."


@given(st.lists(st.one_of(st.text(max_size=12), st.sampled_from(["<", "</mem", "<memory ", "abc", f"{MARK}>", "\n"]))))
def test_no_line_is_left_and_nothing_else_goes(pieces: list[str]) -> None:
    assert said(*pieces) == LINE.sub("", "".join(pieces))


@pytest.mark.parametrize("text", ["a < b and c > d", "<memory leak>", "<memory", "see </memory 12>", f"<memory {MARK}"])
def test_other_text_is_shown_as_it_is(text: str) -> None:
    assert said(*text) == text


def test_what_cannot_become_one_is_shown_at_once() -> None:
    text = Unmarked()
    assert [text.more(piece) for piece in ("if a ", "<", " b", "<m", "em", "ex")] == [
        "if a ",
        "",
        "< b",
        "",
        "",
        "<memex",
    ]


async def test_what_was_held_back_is_shown_before_the_next_frame() -> None:
    async def frames() -> AsyncGenerator[Frame, None]:
        for frame in (Delta("a <"), Step("model", "done"), Delta(f"<memory {MARK}>"), Delta("b <me"), Unsaid()):
            yield frame
        yield Delta("c <memory")

    assert [frame async for frame in unmarked(frames())] == [
        Delta("a "),
        Delta("<"),
        Step("model", "done"),
        Delta("b "),
        Unsaid(),
        Delta("c "),
        Delta("<memory"),
    ]
