"""The same rows and vectors for each memory; what the peers need an environment for is not run here."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench.peers.__main__ import Given, Run, commands, ours, shares, table, work_of
from bench.sets import Exchange, Question, Store

TALK = ("The boat is called Aurora.", "My sister lives in Nantes.", "The boat is called Aurora.")


@pytest.fixture
def store() -> Store:
    exchanges = tuple(Exchange(text, (str(number),), (len(text),), "", "") for number, text in enumerate(TALK))
    questions = (
        Question("1", "What is the boat called?", "plain", frozenset({"0", "2"})),
        Question("2", "Which oven do I have?", "plain", frozenset()),
    )
    return Store("one", exchanges, questions)


def test_what_was_said_twice_is_one_row_and_a_question_without_an_answer_is_left_out(store: Store) -> None:
    work = work_of(store, None)

    assert ([each.text for each in work.exchanges], work.ids[0]) == ([*TALK[:2]], frozenset({"0", "2"}))
    assert [text for text, _gold in work.questions] == ["What is the boat called?"]


@pytest.mark.django_db
def test_ours_finds_the_row_by_the_vectors_that_all_are_given(store: Store) -> None:
    work = work_of(store, None)
    run = ours(work, Given([*TALK, "What is the boat called?"]))

    assert (run.found[0][0], shares([work], run)) == (0, [1.0])


def test_a_peer_is_told_in_times_of_ours(store: Store) -> None:
    said = list(table([work_of(store, None)], {"forge": Run([[0]], 2.0, 4.0), "peer": Run([[1]], 1.0, 16.0)}))

    assert said[0] == "1 stores, 2 rows, 1 questions; CPU without the embedder"
    assert said[3].split() == ["peer", "0.000", "+1.000", "[+1.000,", "+1.000]", "16.00", "0.25×", "1.00", "2.00×"]


def test_an_environment_is_made_beside_the_project_and_never_in_it() -> None:
    made, filled = commands(Path("there"), Path("there/python"), "peer==1")

    assert ("there" in made, filled[-1], sys.prefix in " ".join(filled)) == (True, "peer==1", False)
