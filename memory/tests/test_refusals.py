"""Refusals in a model's own words: caught where the whole reply is one, and nothing else is."""

from __future__ import annotations

import pytest

from bench.refusal_texts import ANSWERS, REFUSALS
from memory.domain.refusals import LONGEST, is_refusal


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_that_sounds_like_a_refusal_is_an_answer(answer: str) -> None:
    assert not is_refusal(answer)


def test_most_refusals_are_caught() -> None:
    caught = [text for text in REFUSALS if is_refusal(text)]

    assert len(caught) >= 70  # measured: 70 of 82


@pytest.mark.parametrize("refusal", REFUSALS[:5])
def test_one_clause_that_says_something_makes_it_an_answer(refusal: str) -> None:
    assert is_refusal(refusal)
    assert not is_refusal(f"{refusal} The port is 8080.")
    assert not is_refusal(f"The port is 8080. {refusal}")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "“I don't know.”",
        "I don't have any information beyond the port: 8080.",
        "Please provide the form.",
        "I don't know. " * (LONGEST // 10),
    ],
)
def test_nothing_a_quotation_and_a_long_reply_are_none(text: str) -> None:
    assert not is_refusal(text)
