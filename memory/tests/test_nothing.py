"""Whether memory holds anything on a question: what it is about, and what of that a row covers."""

from __future__ import annotations

import pytest

from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.nothing import SHARE, Near, Sign, Subject, nothing, subject, tells
from memory.domain.ranking import Frequency
from memory.domain.union import Found
from memory.domain.words import terms
from memory.finding.by_meaning import ByMeaning
from memory.finding.searching import not_shown

NEAR = Near(1.18, 1.11)
ROWS = 200


def about(text: str, **held: int) -> Subject:
    """Of a memory of 200 rows, where each of these terms is in so many, and no other in any."""
    content = terms(text, FUNCTION_WORDS).content
    return subject(text, [Frequency(term, held.get(term.shown, 0)) for term in content], ROWS)


@pytest.mark.parametrize(
    "text", ["How old is the cat?", "What did I tell you of the cat?", "Where did the cat go in August 2023?"]
)
def test_what_only_asks_counts_against_no_row(text: str) -> None:
    assert about(text, cat=1).share(["cat"]) == 1.0


def test_the_verb_of_a_french_question_is_not_its_pronoun() -> None:
    asked = about("Quand la chorale répète-t-elle ?", chorale=1, repet=1, el=40)

    assert (asked.share(["chorale", "repet"]), asked.share(["el"])) == (1.0, 0.0)


def test_a_word_that_asks_counts_for_the_row_that_holds_it() -> None:
    asked = about("How many people heard the talk?", people=1, talk=1)

    assert asked.share(["people"]) < SHARE < asked.share(["people", "talk"])


def test_a_question_of_nothing_else_is_weighed_by_all_of_its_words() -> None:
    assert about("What happened in August?", happened=3, august=1).share(["august"]) > 0.4


def test_who_is_named_and_unknown_raises_what_words_must_cover_and_how_near_a_row_must_be() -> None:
    text = "When is the birthday party of {} in the garden?"
    known, unknown = (
        about(text.format(name), birthday=3, party=4, garden=5, **held)
        for name, held in (("Ines", {"ines": 3}), ("Gregory", {}))
    )
    covered = unknown.share(["birthday", "party"])

    assert SHARE < unknown.share(["birthday", "party", "garden"]) < unknown.least
    assert tells(Sign(deliberate=True, distance=1.16), covered, NEAR, known)
    assert not tells(Sign(deliberate=True, distance=1.16), covered, NEAR, unknown)
    assert tells(Sign(deliberate=True, distance=1.13), covered, NEAR, unknown)


def test_a_long_question_is_near_to_everything_so_that_its_words_must_be_there() -> None:
    asked = about("Which engine, sail, rudder, anchor, compass and winch suits the dinghy?", engine=1, sail=1, rudder=1)

    near = Sign(deliberate=False, distance=1.05)
    assert not tells(near, asked.share(["engine"]), NEAR, asked)
    assert tells(near, asked.share(["engine", "sail", "rudder"]), NEAR, asked)


def test_a_question_of_which_no_row_holds_a_word_may_be_in_another_language() -> None:
    sign = Sign(deliberate=True, distance=1.21)

    assert tells(sign, 0.0, NEAR, about("Wem gehört das Boot?"))
    assert not tells(sign, 0.0, NEAR, about("Wem gehört das Boot?", boot=1))


def test_where_distances_were_not_measured_every_row_counts_that_vectors_admitted() -> None:
    unmeasured, asked = Near(None, None), about("Where is the boat?", boat=0)

    assert tells(Sign(deliberate=False, distance=1.9), 0.0, unmeasured, asked)
    assert not tells(Sign(deliberate=False, distance=None), 0.0, unmeasured, asked)


def test_a_row_that_is_not_shown_tells_by_its_words_too() -> None:
    asked = about("Where is the boat?", boat=1)

    assert (nothing([False], [0.0, 1.0], asked), nothing([False], [0.0], asked)) == (False, True)


def test_a_near_row_that_the_budget_leaves_out_tells_too_as_an_exchange_would() -> None:
    rows = tuple(Found(number, 0, distance, None) for number, distance in enumerate((1.05, 1.15, 1.3)))
    found = ByMeaning(rows, 1.22, NEAR, (), "")

    assert not_shown((), found, {}, about("Where is the boat?", boat=1)) == [True, False]
