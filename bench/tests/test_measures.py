"""The measures, on questions small enough to compute by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bench.measures import Met, means, measured, paired

GOLD = frozenset({"a", "b", "c"})
NOTHING = Met({}, 300)


def row(*gold: str, length: int = 300) -> Met:
    return Met(dict.fromkeys(gold, length), length)


def test_shares_count_the_gold_of_the_first_rows() -> None:
    shown = [NOTHING, row("a"), *[NOTHING] * 5, row("b", "c")]
    found = measured(shown, GOLD, holders=2)
    assert [found[f"R@{k}"] for k in (5, 10, 20)] == [pytest.approx(1 / 3), 1, 1]
    assert [found[f"all@{k}"] for k in (5, 10, 20)] == [0, 1, 1]
    assert [found[f"hit@{k}"] for k in (5, 10, 20)] == [1, 1, 1]
    assert found["MRR"] == 1 / 2


def test_nothing_found_scores_nothing() -> None:
    assert set(measured([NOTHING], GOLD, holders=2).values()) == {0}
    assert set(measured([], GOLD, holders=2).values()) == {0}


def test_gain_falls_with_the_rank_and_the_best_order_gains_one() -> None:
    assert measured([row("a"), row("b", "c")], GOLD, holders=2)["nDCG@10"] == 1
    late = measured([NOTHING, row("a"), row("b", "c")], GOLD, holders=2)["nDCG@10"]
    assert late == pytest.approx((1 / math.log2(3) + 1 / math.log2(4)) / (1 + 1 / math.log2(3)))


def test_a_row_that_repeats_gold_gains_nothing() -> None:
    once = measured([row("a"), NOTHING, row("b", "c")], GOLD, holders=2)
    twice = measured([row("a"), row("a"), row("b", "c")], GOLD, holders=2)
    assert twice == once


def test_only_gold_that_ends_within_four_thousand_characters_is_read() -> None:
    assert measured([row("a", length=3000), row("b", length=1000)], GOLD, holders=3)["R@4k"] == pytest.approx(2 / 3)
    assert measured([row("a", length=3000), row("b", length=1001)], GOLD, holders=3)["R@4k"] == pytest.approx(1 / 3)


def test_the_first_words_of_a_long_row_are_read() -> None:
    assert measured([Met({"a": 200, "b": 9000}, 9000)], GOLD, holders=2)["R@4k"] == pytest.approx(1 / 3)


def test_means_are_over_questions() -> None:
    assert means([{"MRR": 1.0}, {"MRR": 0.5}]) == {"MRR": 0.75}
    assert means([]) == {}


def test_equal_runs_differ_by_an_interval_around_zero() -> None:
    random = np.random.default_rng(7)
    old, noise = random.random(400), random.normal(0, 0.2, 400)
    found = paired(old + noise - noise.mean(), old)
    assert found.low < 0 < found.high
    assert paired(old, old).high == 0


def test_a_clear_gain_has_an_interval_above_zero() -> None:
    random = np.random.default_rng(7)
    old = random.random(400)
    found = paired(old + random.normal(0.05, 0.2, 400), old)
    assert 0 < found.low < found.mean < found.high


def test_the_same_runs_give_the_same_interval() -> None:
    old, new = np.random.default_rng(7).random((2, 50))
    assert paired(new, old) == paired(new, old)
