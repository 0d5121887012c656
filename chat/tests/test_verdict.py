"""When a model's reply is an answer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.domain.prompts import PREAMBLE
from chat.domain.quotes import is_quoting
from chat.domain.verdict import Verdict, none, verdict


def test_only_a_text_that_ended_by_itself_is_an_answer() -> None:
    assert verdict("The port is 8080.", "stop") == Verdict()


@pytest.mark.parametrize(("finish", "why"), [("length", "cut off"), ("lost", "broken off")])
def test_a_text_that_was_cut_is_kept_as_a_part(finish: str, why: str) -> None:
    assert verdict("The port is", finish) == none(why, state="cut")


def test_nothing_but_white_space_is_empty() -> None:
    assert verdict(" \n", "stop") == none("empty")


@pytest.mark.parametrize("thought", [False, True])
def test_what_was_cut_before_its_first_word_says_so(thought: bool) -> None:
    assert verdict(" \n", "length", thought=thought) == none("cut early")


def test_a_stream_that_broke_before_its_first_word_broke_off() -> None:
    assert verdict("", "lost") == none("broken off")


@pytest.mark.parametrize(("finish", "fields"), [("length", {"in_thought": True}), ("stop", {"thought": True})])
def test_a_model_that_only_thought_has_not_answered(finish: str, fields: dict[str, Any]) -> None:
    assert verdict("", finish, **fields) == none("only thought")


def test_a_text_before_an_unclosed_thought_is_a_part() -> None:
    assert verdict("Let me see.", "stop", in_thought=True) == none("broken off", state="cut")


def test_thinking_before_an_answer_takes_nothing_from_it() -> None:
    assert verdict("The port is 8080.", "stop", thought=True).not_answered == ""


@pytest.mark.parametrize("text", ["[error] the tool broke", "The model is not available.", "[no memory] nothing"])
def test_our_own_words_for_having_nothing_are_no_answer(text: str) -> None:
    assert verdict(text, "stop") == none("non-answer")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The boiler in the cellar leaks. " * 8, "repeats itself"),
        ('{"tool": "remember", "content": {"content": "Owns a server"}}', "placeholder"),
        ("[your answer here]", "placeholder"),
        ('{"error": {"message": "model not loaded"}}', "error body"),
        ("I'm sorry, but I don't have any information about that.", "refusal"),
        ("Je ne sais pas.", "refusal"),
        (PREAMBLE[:400], "leaked prompt"),
    ],
)
def test_what_only_looks_like_an_answer_says_why_it_is_none(text: str, why: str) -> None:
    assert verdict(text, "stop", said=[PREAMBLE]) == Verdict("complete", why, why)


def test_a_circle_has_nothing_to_go_on_with_though_it_was_cut() -> None:
    assert verdict("The boiler in the cellar leaks. " * 8, "length") == none("repeats itself")


def test_what_is_no_answer_enters_no_memory() -> None:
    assert none("empty") == Verdict("complete", "empty", "empty")


GIVEN = ["The NiPoGi server in the cellar has 32 GB of RAM and runs Debian 12.", "Le port est 8080."]


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("Memory says: the NiPoGi server in the cellar has 32 GB of RAM, and runs Debian 12.", True),
        ("#12 fact: | Le port est 8080.", True),
        ("\n".join(GIVEN), True),
        ("32 GB of RAM.", False),
        (
            "It has 32 GB, which is enough for two models of seven billion weights at once, if both are quantised.",
            False,
        ),
        ("", False),
    ],
)
def test_an_answer_that_is_mostly_memory_s_own_words_quotes_it(text: str, quotes: bool) -> None:
    assert is_quoting(text, GIVEN) is quotes
    assert not is_quoting(text, ["8080"])


@given(
    st.text(st.sampled_from("ab .!?<>{}[]\"':,`|-\n東\ud800I don't know"), max_size=80),
    st.sampled_from(["stop", "length"]),
)
def test_any_text_is_judged(text: str, finish: str) -> None:
    judged = verdict(text, finish, said=[PREAMBLE])

    assert bool(judged.not_answered) == bool(judged.not_indexable)
