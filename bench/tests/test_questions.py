"""What a harness takes for a question, and what it refuses."""

from __future__ import annotations

import argparse

import pytest

from bench.questions import Asked, add_arguments, asked


def given(*words: str) -> list[Asked]:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return asked(parser.parse_args(words))


def test_each_hit_has_its_entries_and_a_miss_has_none() -> None:
    questions = given("--hit", "Où est le NiPoGi ?", "Who feeds the cat?", "--expect", "12,#40", "-", "--miss", "Why?")

    assert questions == [
        Asked("Où est le NiPoGi ?", (12, 40), False),
        Asked("Who feeds the cat?", (), False),
        Asked("Why?", (), True),
    ]


@pytest.mark.parametrize("text", ["", "  ", "<your question>", "What is ...?", "TODO", "What of XXX?", "Et donc…"])
def test_what_nobody_has_filled_in_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        given("--miss", text)

    assert left.value.code == 1
    assert "fill it in" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "No question"),
        (["--hit", "Who feeds the cat?"], "1 questions after --hit, 0 entries"),
        (["--hit", "Who feeds the cat?", "--expect", "cat"], "is no entry"),
        (["--miss", "Who feeds the cat?", "who feeds  the cat?"], "given twice"),
    ],
)
def test_input_of_no_use_says_why(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        given(*words)

    assert left.value.code == 1
    assert why in capsys.readouterr().err
