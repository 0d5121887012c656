"""What Forge itself says for having nothing is known as no answer, in every language it says it in."""

from __future__ import annotations

import pytest
from django.utils import translation

from chat.answer import nothing_found
from memory.domain.non_answers import is_non_answer
from memory.recall import LeftOut, Recalled


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("nearest", [None, LeftOut(13, "cutoff", 1.29)])
@pytest.mark.parametrize("cutoff", [None, 1.22])
def test_the_built_in_responder_s_own_words_are_no_answer(
    language: str, nearest: LeftOut | None, cutoff: float | None
) -> None:
    recalled = Recalled((), (), True, nearest, cutoff, "union", (), "")

    with translation.override(language):
        assert is_non_answer(nothing_found(recalled))


@pytest.mark.parametrize(
    ("distance", "cutoff", "said"),
    [
        (1.2876, 1.22, "distance 1.29; the cutoff is 1.22"),
        (1.2204, 1.22, "distance 1.2204; the cutoff is 1.2200"),  # not “1.22; the cutoff is 1.22”
    ],
)
def test_the_nearest_is_told_from_the_cutoff_by_the_numbers_shown(distance: float, cutoff: float, said: str) -> None:
    recalled = Recalled((), (), True, LeftOut(13, "cutoff", distance), cutoff, "union", (), "")
    assert said in nothing_found(recalled)


def test_a_distance_is_written_as_the_readers_language_does() -> None:
    recalled = Recalled((), (), True, LeftOut(13, "cutoff", 1.2876), 1.22, "union", (), "")
    with translation.override("fr"):
        assert "1,29" in nothing_found(recalled)
