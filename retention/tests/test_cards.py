"""What a card says in numbers."""

from __future__ import annotations

import pytest
from django.utils import translation

from retention.cards import Option


@pytest.mark.parametrize(
    ("probability", "said"),
    [(0.9878, "0.99"), (0.0054, "0.01"), (0.5, "0.50"), (0.9971, "> 0.99"), (0.0029, "< 0.01")],
)
def test_a_probability_is_rounded_and_not_cut(probability: float, said: str) -> None:
    assert Option("conflict", probability).said == said


def test_it_is_written_as_the_readers_language_does() -> None:
    with translation.override("fr"):
        assert Option("conflit", 0.9878).said == "0,99"
