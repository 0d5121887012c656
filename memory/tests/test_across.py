"""A question in another language than the memory: which row stands out, and what a recall makes of it."""

from __future__ import annotations

import pytest

from forgesite.models import Account
from memory.domain.across import (
    FARTHER,
    SHARE_ACROSS,
    STANDS_OUT,
    across,
    in_reach,
    may_be_meant,
    naming,
    stands_out,
    told_anyhow,
    weighed_across,
)
from memory.domain.languages import language
from memory.domain.nothing import LONG, SHARE, Subject
from memory.recall import Query, recall
from memory.tests.entries import saved

GLASS = "The recycling lorry comes on alternate Wednesdays, glass goes to the bank by the station."
NOTES = [
    "The spare key is with Mrs Dalton on the second floor.",
    "Tom is allergic to peanuts and to kiwi.",
    "My sister Ines teaches chemistry in Bristol.",
    "The landlord is Mr Petrov, reachable in the evening only.",
    "I take my coffee without milk, and no sugar.",
    "The choir rehearses on Thursdays in St Anne's hall.",
    "The hall is painted in Skimming Stone, two tins were enough.",
    "We chose PostgreSQL for the billing service because of its row locks.",
    "Invoices are sent before the fifth of the month.",
    "The piano was sold to the Lindqvists for 600.",
    "My blood group is O negative.",
]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Who has our spare key?", "en"),
        ("Où faut-il porter le verre ?", "fr"),
        ("L’équipe se réunit le mardi", "fr"),
        ("Hopper, 10.0.4.17", ""),
        ("on a", ""),
        ("", ""),
    ],
)
def test_a_language_is_told_by_the_words_that_only_it_has(text: str, code: str) -> None:
    assert language(text) == code


def test_of_two_texts_only_known_and_different_languages_are_across() -> None:
    assert across("Où est le bateau ?", "The boat is in the harbour.")
    assert not across("Where is the boat?", "The boat is in the harbour.")
    assert not across("Où est le bateau ?", "Aurora: Bristol")


def ranked(*distances: float) -> dict[int, float]:
    """Of the rows 1, 2, 3 …"""
    return dict(enumerate(distances, 1))


FAR = 1.1 + STANDS_OUT + 0.01


def test_a_row_stands_out_from_the_tenth_and_not_from_the_next() -> None:
    far = [FAR] * 30

    assert stands_out(1, ranked(1.1, *[1.11] * 8, *far))
    assert not stands_out(1, ranked(1.1, *[1.11] * 9, *far))


def test_in_a_small_memory_it_stands_out_from_the_row_at_a_third_of_it() -> None:
    assert stands_out(1, ranked(1.1, FAR, FAR, FAR))
    assert not stands_out(1, ranked(1.1, 1.11, FAR, FAR))
    assert not stands_out(1, ranked(1.1, FAR, FAR))
    assert not stands_out(1, {})


def test_how_far_past_the_cutoff_it_may_be_goes_by_the_cutoff_in_force() -> None:
    assert [in_reach(1.22 + FARTHER, cutoff) for cutoff in (1.22, 1.21, None)] == [True, False, True]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Quand la chorale de l’école répète-t-elle ?", "chorale école répète"),
        ("Which spare key did we give to Mrs O'Brien?", "spare key Mrs O Brien"),
        ("When was it?", "When was it?"),
    ],
)
def test_what_names_something_in_a_question_keeps_its_spelling(question: str, words: str) -> None:
    assert naming(question) == words


def test_no_row_is_meant_by_a_question_of_a_stranger_or_a_long_one_or_where_another_covers_more() -> None:
    short, long = Subject({"boat": 4.0}, {}), Subject(dict.fromkeys(map(str, range(LONG)), 4.0), {})

    assert may_be_meant(short, {}, 1)
    assert may_be_meant(short, {1: 0.4, 2: 0.4}, 1)
    assert not may_be_meant(short, {2: 0.1}, 1)
    assert not may_be_meant(Subject({"boat": 4.0}, {}, stranger=True), {}, 1)
    assert not may_be_meant(long, {}, 1)


def test_across_languages_words_tell_from_a_higher_share_on() -> None:
    asked, named = Subject({"boat": 4.0}, {}), Subject({"boat": 4.0}, {}, stranger=True)

    assert SHARE < weighed_across(asked).least < named.least == weighed_across(named).least
    assert not told_anyhow(asked, {1: SHARE})
    assert told_anyhow(asked, {1: SHARE_ACROSS})


@pytest.fixture
def notes(ana: Account) -> Account:
    for text in (GLASS, *NOTES):
        saved(ana, text)
    return ana


def test_the_row_that_stands_out_is_shown_past_the_cutoff_and_tells(notes: Account) -> None:
    answer = recall(notes, Query("Où faut-il porter le verre ?"))

    assert [(row.entry.text, row.tells, row.near) for row in answer.rows] == [(GLASS, True, True)]
    assert (answer.rows[0].distance or 0) > (answer.cutoff or 9)
    assert [notice for notice in answer.notices if "another language" in notice]
    assert not answer.nothing


def test_the_words_that_only_ask_bring_no_row_nearer(notes: Account) -> None:
    assert not recall(notes, Query("De quelle couleur est peint le couloir ?")).nothing
    assert recall(notes, Query("Qui peut nous ouvrir la porte ?")).nothing


def test_what_is_asked_of_a_stranger_is_held_to_the_usual_distance(notes: Account) -> None:
    answer = recall(notes, Query("Combien Gaspard a-t-il eu pour le piano ?"))

    assert ([row.tells for row in answer.rows], answer.nothing) == ([False], True)


def test_what_memory_does_not_hold_is_nothing_in_the_other_language_too(notes: Account) -> None:
    answer = recall(notes, Query("Quel serrurier a changé la serrure du garage ?"))

    assert (answer.rows, answer.nothing) == ((), True)


def test_a_row_of_the_question_s_own_language_is_held_to_the_cutoff(notes: Account) -> None:
    answer = recall(notes, Query("When do they practise singing?"))

    assert (answer.rows, answer.nothing) == ((), True)
    assert answer.nearest is not None
    assert 1.22 < (answer.nearest.distance or 0) < 1.22 + FARTHER


def test_two_words_that_are_written_alike_in_both_languages_tell_nothing(notes: Account) -> None:
    cellar = saved(
        notes,
        "Water got into the cellar where the old chair stood, and the plumber found a valve of the worn type behind "
        "the boiler.",
    )

    answer = recall(notes, Query("Quel type de chair mange le lion ?"))

    assert [(row.entry, row.matched_terms, row.tells) for row in answer.rows] == [(cellar, ("chair", "type"), False)]
    assert answer.nothing
