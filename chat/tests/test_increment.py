"""A later, longer export adds only what is new, in however many steps it comes."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from chat.domain.increment import increment
from chat.domain.transcript import Message, blocks, units

SAID = st.sampled_from(["Which port?", "8080.", "[error] timeout", "", "[3 messages compacted: #1, searchable"])
TALKS = st.lists(st.builds(Message, role=st.sampled_from(["user", "assistant"]), content=SAID), max_size=8)


@given(TALKS, st.data())
def test_two_imports_give_the_units_of_one(talk: list[Message], data: st.DataObject) -> None:
    seen = data.draw(st.integers(0, len(talk)))
    first = increment(talk[:seen], [False] * seen)
    second = increment(talk, [place < seen for place in range(len(talk))])

    texts = {unit.messages[0].ref: unit.text for unit in (*first.new, *second.new, *(one.unit for one in second.grown))}
    whole = {unit.messages[0].ref: unit.text for unit in units([replace(m, ref=i) for i, m in enumerate(talk)])}
    assert {place: texts[place] for place in whole} == whole
    # A question that came alone was kept; that only a failure answered it since does not take it away.
    assert all(text in {unit.text for unit in first.new} for place, text in texts.items() if place not in whole)
    assert second.messages == tuple(range(seen, len(talk)))


@given(TALKS)
def test_the_same_export_adds_nothing(talk: list[Message]) -> None:
    again = increment(talk, [True] * len(talk))

    assert (again.messages, again.new, again.grown) == ((), (), ())
    assert [unit.text for unit in again.there] == blocks(talk)


def test_a_question_that_was_answered_since_has_grown() -> None:
    talk = [Message("user", "Which port?"), Message("assistant", "8080.")]

    [growth] = increment(talk, [True, False]).grown

    assert growth.before == "user: Which port?"
    assert growth.unit.text == "user: Which port?\nassistant: 8080."


def test_an_exchange_that_had_no_answer_is_new_once_it_has_one() -> None:
    talk = [Message("user", "Which port?"), Message("assistant", "[error] timeout"), Message("assistant", "8080.")]

    assert len(increment(talk, [True, True, False]).new) == 1
