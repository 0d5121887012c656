"""What the sets by another hand hold. Nothing is judged here, and no text is shown when a count is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from bench.retention_texts import FILLS, LANGUAGES, Made, fresh, made, sealed

#: Templates of both languages together, at the least.
LEAST = {
    ("archive", ""): 25,
    ("supersede_older", ""): 25,
    ("conflict", ""): 20,
    ("keep_both", "recurs"): 16,
    ("keep_both", "past"): 12,
    ("keep_both", ""): 15,
    ("keep", ""): 20,
    ("restated", ""): 8,
}
each_set = pytest.mark.parametrize("some", [fresh, sealed])


@pytest.mark.parametrize(("some", "half"), [(fresh, 0), (sealed, 1)])
def test_each_half_holds_as_many_templates_of_each_label_as_is_said(some: Callable[[], list[Made]], half: int) -> None:
    counts = Counter((one.gold, one.trap) for one in some())

    assert set(counts) == set(LEAST)
    assert [label for label, least in LEAST.items() if counts[label] < least * FILLS] == []
    assert {one.half for one in some()} == {half}
    assert {one.lang for one in some()} == set(LANGUAGES)


@each_set
def test_every_slot_is_filled_and_no_entry_comes_twice(some: Callable[[], list[Made]]) -> None:
    texts = [(one.older, one.newer) for one in some()]
    twice = len(texts) - len(set(texts))

    assert sum("{" in text or "}" in text for pair in texts for text in pair) == 0
    assert twice == 0
    assert sum(older == newer for older, newer in texts) == 0


@each_set
def test_one_entry_stands_alone_and_every_pair_has_two(some: Callable[[], list[Made]]) -> None:
    alone = {one.gold for one in some() if not one.newer}

    assert alone == {"archive", "keep"}
    assert sum(bool(one.newer) for one in some() if one.gold in alone) == 0


def test_the_two_halves_and_the_first_set_share_no_text() -> None:
    sets = [{one.older for one in some()} for some in (made, fresh, sealed)]
    shared = sum(len(each) for each in sets) - len(set.union(*sets))

    assert shared == 0
