"""Replies that answer nothing are known by how they start, or by being one of our sentences."""

from __future__ import annotations

import pytest

from memory.domain.non_answers import MARKERS, WHOLE_REPLIES, is_non_answer


@pytest.mark.parametrize("marker", MARKERS)
def test_every_marker_makes_a_non_answer_at_the_start_only(marker: str) -> None:
    assert is_non_answer(f"\n {marker}the server at 10.0.0.2 did not answer")
    assert is_non_answer(marker)
    assert not is_non_answer(f"The log says: {marker}no route to host")


@pytest.mark.parametrize("sentence", sorted(WHOLE_REPLIES))
def test_a_whole_reply_inside_a_longer_one_is_an_answer(sentence: str) -> None:
    assert is_non_answer(f" {sentence} ")
    assert not is_non_answer(f"{sentence} But the web says 8080.")


@pytest.mark.parametrize("blank", ["", "  ", "\n\t"])
def test_a_blank_reply_answers_nothing(blank: str) -> None:
    assert is_non_answer(blank)


def test_quote_style_makes_no_difference() -> None:
    assert is_non_answer("Le modèle n'est pas disponible.")


@pytest.mark.parametrize("reply", ["8080.", "[errors] are logged in /var/log", "Tool errors happen", "No."])
def test_a_short_reply_is_an_answer(reply: str) -> None:
    assert not is_non_answer(reply)
