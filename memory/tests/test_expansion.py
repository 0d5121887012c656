"""Other ways to ask what a question asks: the frame that goes, what a model may say, and the limits of both."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.expansion import EXAMPLE_REWRITES, LONGEST, MOST, bare, by_rule, read, within_limits, words
from memory.domain.frames_of_questions import without_frame

QUESTION = "Where did I leave the ladder?"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Do you remember where I parked the car?", "where I parked the car?"),
        ("Hi, could you remind me which day the bins go out?", "which day the bins go out?"),
        ("I was wondering if you know when the lease ends", "when the lease ends"),
        ("Can you tell me what you remember about the boat?", "the boat?"),
        ("Where is the boat, please?", "Where is the boat?"),
        ("Est-ce que tu te souviens de la marque du lave-vaisselle ?", "marque du lave-vaisselle ?"),
        ("Peux-tu me rappeler le code du portail s’il te plaît ?", "le code du portail?"),
        ("Tu te souviens où j’ai garé la voiture ?", "où j’ai garé la voiture ?"),
        ("Weißt du noch, wo das Auto steht?", "wo das Auto steht?"),
        ("¿Te acuerdas de dónde vive Marta?", "dónde vive Marta?"),
        ("Do you remember?", "Do you remember?"),
        (QUESTION, QUESTION),
    ],
)
def test_what_is_said_to_whom_one_asks_is_no_part_of_what_is_asked(text: str, asked: str) -> None:
    assert without_frame(text) == asked


@given(st.text())
def test_no_text_is_framed_away(text: str) -> None:
    assert bool(without_frame(text).strip()) == bool(text.strip())


def test_by_rule_first_the_frame_goes_and_then_the_function_words() -> None:
    assert by_rule("Can you tell me what RAM the NiPoGi has?") == ("what RAM the NiPoGi has?", "RAM NiPoGi")
    assert by_rule("Où est-ce que j’ai garé la voiture ?") == ("garé voiture",)


def test_one_word_is_no_variant_and_neither_is_the_question_itself() -> None:
    assert by_rule("What do you know about Marie?") == ()
    assert within_limits("Le café de Zoé ?", ["le cafe de zoe", "  LE CAFÉ, de Zoé!"]) == ()
    assert within_limits(QUESTION, ["the ladder", "The ladder!", "x y" * LONGEST]) == ("the ladder",)
    assert by_rule(f"Do you remember the ladder {'and the shed ' * LONGEST}?") == ()
    assert len(within_limits(QUESTION, ["one two", "two three", "three four", "four five", "five six"])) == MOST


@given(st.text(), st.lists(st.text(max_size=150)))
def test_whatever_is_handed_in_the_limits_hold(question: str, variants: list[str]) -> None:
    kept = within_limits(question, variants)

    assert len(kept) <= MOST
    assert all(len(each) <= LONGEST and words(each) >= 2 for each in kept)
    assert len({bare(question), *map(bare, kept)}) == len(kept) + 1


def reply(*questions: object) -> str:
    return json.dumps({"questions": questions}, ensure_ascii=False)


def test_of_a_models_rewrites_those_without_a_question_mark_are_dropped_and_not_repaired() -> None:
    said = reply("Where is the ladder kept?", "The ladder is in the shed", "Où est l’échelle ?")

    assert read(said, QUESTION) == ("Where is the ladder kept?", "Où est l’échelle ?")
    assert read(f"Here you are:\n```json\n{said}\n```", QUESTION) == read(said, QUESTION)


@pytest.mark.parametrize(
    "said",
    [
        reply("Where is it?", "Where was it?"),
        reply("Where is it?", "Where was it?", "Where is the ladder?", "In the shed?"),
        reply("Where is it?", "Where was it?", 3),
        '{"questions": "Where is it?"}',
        '["Where is it?", "Where was it?", "Where is the ladder?"]',
        '{"questions": ["Where is it?", "Whe',
        "I do not know.",
        "",
    ],
)
def test_anything_but_three_strings_is_no_reply(said: str) -> None:
    assert read(said, QUESTION) == ()


def test_what_is_copied_from_the_example_is_dropped() -> None:
    said = reply(EXAMPLE_REWRITES[0], "Where does zorvella keep the ladder?", "Where is the ladder kept?")

    assert read(said, QUESTION) == ("Where is the ladder kept?",)
