"""Numbers beside the axes: none is rounded to the wrong side of a line."""

from __future__ import annotations

import re

from django.utils import translation

from memory.desk.charts import of_recalls

GIVEN, LEFT = [(1, 0.86), (35, 0.69)], [(1, 1.31), (18, 1.44)]


def marks(drawn: str) -> list[str]:
    return re.findall(r">([\d.,]+)</text>", drawn)


def test_a_cutoff_stands_on_the_right_side_of_the_numbers_beside_it() -> None:
    assert marks(of_recalls(GIVEN, LEFT, 1.22)) == ["0.50", "0.75", "1.00", "1.25", "1.50"]


def test_they_are_written_as_the_readers_language_does() -> None:
    with translation.override("fr"):
        assert "0,75" in marks(of_recalls(GIVEN, LEFT, 1.22))
