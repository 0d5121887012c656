"""What the bench of the forgetting pass counts, and what its own set holds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from bench.retention import of_made, of_texts, proposed
from bench.retention_judge import thresholds
from bench.retention_measures import Judged, brier, calibration_error, precision
from bench.retention_split import held_out
from bench.retention_texts import made
from retention.domain.calibration import wilson


def judged(probability: float, *, right: bool) -> Judged:
    return Judged("archive", probability, right, "archive")


def test_an_interval_by_wilson_is_that_of_the_books() -> None:
    assert wilson(39, 40) == pytest.approx((0.8712, 0.9956), abs=5e-4)
    assert precision([judged(0.9, right=True)] * 4).startswith("4/4 = 1.000 [0.510")
    assert precision([]) == "0/0"


def test_a_judge_that_knows_how_sure_it_may_be_has_no_calibration_error() -> None:
    sure = [judged(0.75, right=place % 4 != 0) for place in range(40)]

    assert calibration_error(sure) == pytest.approx(0)
    assert calibration_error(sorted(sure, key=lambda one: one.right)) == pytest.approx(0)
    assert calibration_error([judged(0.75, right=place % 2 == 0) for place in range(40)]) == pytest.approx(0.25)
    assert calibration_error([judged(1.0, right=False)] * 20) == 1
    assert brier([judged(0.5, right=True)]) == 0.25


def test_the_made_set_holds_as_many_of_each_as_is_said() -> None:
    counts = Counter(one.gold for one in made())

    assert counts["archive"] >= 120
    assert counts["supersede_older"] >= 120
    assert counts["conflict"] >= 80
    assert sum(one.recurs for one in made()) >= 60
    assert {one.lang for one in made()} == {"en", "fr"}


def test_nothing_of_the_public_set_is_here_but_digests() -> None:
    assert all(len(one) == 16 and int(one, 16) >= 0 for one in held_out())


def test_on_what_it_was_not_calibrated_on_the_rules_hold_their_bars() -> None:
    shown = proposed(of_made(1))
    by_action = {name: [one for one in shown if one.action == name] for name in ("archive", "supersede", "conflict")}

    for name, least, number in (("archive", 0.95, 40), ("supersede", 0.95, 40), ("conflict", 0.8, 20)):
        assert len(by_action[name]) >= number
        assert sum(one.right for one in by_action[name]) / len(by_action[name]) >= least
    assert not any(one.turned or one.recurs for one in shown)
    assert calibration_error(of_made(1)) <= 0.05


def test_what_a_tale_of_earlier_times_replaces_is_counted_as_the_wrong_direction() -> None:
    told = [replace(one, gold="keep_both", trap="past") for one in made() if one.gold == "supersede_older"]
    replaced = [one for one in of_texts(told) if one.action == "supersede"]

    assert replaced
    assert all(one.turned and not one.right for one in replaced)
    assert not any(one.turned for one in of_texts(told) if one.action != "supersede")


def test_a_threshold_is_the_lowest_by_which_enough_are_right() -> None:
    sure = [judged(0.9, right=True)] * 20
    unsure = [judged(0.6, right=False)] * 2

    assert thresholds([*unsure, *sure]) == {"archive": 0.9}
    assert thresholds([*unsure, *sure[:9]]) == {}
    assert thresholds([*sure, *sure, judged(0.6, right=False)]) == {"archive": 0.6}
