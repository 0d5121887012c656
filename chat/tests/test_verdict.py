"""When a model's reply is an answer."""

from __future__ import annotations

import pytest

from chat.domain.verdict import Verdict, verdict


def test_only_a_text_that_ended_by_itself_is_an_answer() -> None:
    assert verdict("The port is 8080.", "stop") == Verdict("complete", "")


@pytest.mark.parametrize(("finish", "why"), [("length", "cut off"), ("lost", "broken off")])
def test_a_text_that_was_cut_is_kept_as_a_part(finish: str, why: str) -> None:
    assert verdict("The port is", finish) == Verdict("cut", why)


@pytest.mark.parametrize("finish", ["stop", "length"])
def test_nothing_but_white_space_is_empty(finish: str) -> None:
    assert verdict(" \n", finish) == Verdict("complete", "empty")


def test_a_stream_that_broke_before_its_first_word_broke_off() -> None:
    assert verdict("", "lost") == Verdict("complete", "broken off")


@pytest.mark.parametrize("fields", [{"in_thought": True}, {"thought": True}])
def test_a_model_that_only_thought_has_not_answered(fields: dict[str, bool]) -> None:
    assert verdict("", "length", **fields) == Verdict("complete", "only thought")


def test_a_text_before_an_unclosed_thought_is_a_part() -> None:
    assert verdict("Let me see.", "stop", in_thought=True) == Verdict("cut", "broken off")


def test_thinking_before_an_answer_takes_nothing_from_it() -> None:
    assert verdict("The port is 8080.", "stop", thought=True).not_answered == ""


@pytest.mark.parametrize("text", ["[error] the tool broke", "The model is not available.", "[no memory] nothing"])
def test_our_own_words_for_having_nothing_are_no_answer(text: str) -> None:
    assert verdict(text, "stop") == Verdict("complete", "non-answer")
