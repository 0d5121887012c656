"""What a judge's probabilities are worth by a person's decisions: the arithmetic, and the page of the desk."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from forgesite.models import Account
from retention import desk_calibration
from retention.domain.calibration import BINS, EACH, Decided, reliability, share, wilson
from retention.models import Proposal
from retention.tests.entries import said
from retention.tests.test_admin import desk as desk

pytestmark = pytest.mark.django_db
PAGE = "/admin/retention/proposal/calibration/"
PROBABILITIES = st.lists(st.tuples(st.sampled_from([0.5, 0.7, 0.8, 0.9, 0.95, 1.0]), st.booleans()), max_size=80)


def judged(*some: tuple[float, bool]) -> list[Decided]:
    return [Decided("rules-1", "archive", probability, accepted) for probability, accepted in some]


def decided(owner: Account, count: int, *, yes: int, judge: str = "rules-1", **more: object) -> None:
    """So many proposals that somebody decided on, of which the first `yes` were accepted."""
    entry = said(owner, f"The boiler of {judge} {count} was serviced", days=60)
    row = {"owner": owner, "memory": entry, "form": "single", "action": "archive", "model": judge} | more
    Proposal.objects.bulk_create(
        Proposal(**{"probability": 0.9, "status": "applied" if place < yes else "rejected", **row})
        for place in range(count)
    )


def shown(desk: Client) -> str:
    answer = desk.get(PAGE)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


# -- arithmetic


def test_an_interval_by_wilson_stays_between_none_and_all_and_knows_nothing_of_none() -> None:
    assert wilson(39, 40) == pytest.approx((0.8712, 0.9956), abs=5e-4)
    assert wilson(0, 0) == (0, 1)
    assert (wilson(0, 3)[0], wilson(3, 3)[1]) == (0, 1)


@given(PROBABILITIES)
def test_bins_hold_every_decision_once_and_part_no_equal_probabilities(some: list[tuple[float, bool]]) -> None:
    bins = reliability(judged(*some))

    assert sum(each.every for each in bins) == len(some)
    assert sum(each.accepted for each in bins) == sum(accepted for _probability, accepted in some)
    assert len(bins) <= BINS
    assert all(each.every >= min(EACH, len(some)) for each in bins)
    assert all(low.stated < high.stated for low, high in pairwise(bins))


def test_probabilities_that_all_differ_make_ten_bins_of_as_many_each() -> None:
    bins = reliability(judged(*((place / 100, place >= 50) for place in range(100))))

    assert [each.every for each in bins] == [10] * 10
    assert [each.share for each in bins] == [0] * 5 + [1] * 5


@pytest.mark.parametrize(("stated", "verdict"), [(0.99, "over"), (0.5, ""), (0.02, "under")])
def test_a_judge_is_too_sure_only_where_its_decisions_rule_it_out(stated: float, verdict: str) -> None:
    assert share(judged(*((stated, place % 2 == 0) for place in range(20)))).verdict == verdict


# -- the page


def test_fewer_than_ten_decisions_tell_nothing_yet(desk: Client, ana: Account) -> None:
    assert "You have not decided on any proposal yet." in shown(desk)
    decided(ana, 9, yes=9)

    page = shown(desk)

    assert "9 decisions tell nothing yet: from 10 on there is a table." in page
    assert 'class="chart"' not in page


def test_ten_show_each_action_with_its_interval_and_a_chart_whose_table_says_the_same(
    desk: Client, ana: Account, ben: Account
) -> None:
    decided(ana, 12, yes=6)
    decided(ana, 8, yes=8, probability=0.6)
    decided(ben, 30, yes=0, judge="bens")

    page = shown(desk)

    assert '<th scope="row">archive</th><td>20</td><td>0.70 (14)</td><td>0.48 – 0.85</td><td>0.78</td>' in page
    assert "<td>12</td><td>0.50 (6)</td><td>0.25 – 0.75</td><td>0.90</td><td>too sure</td>" in page
    assert "<td>8</td><td>1.00 (8)</td><td>0.68 – 1.00</td><td>0.60</td><td>not sure enough</td>" in page
    assert 'role="img"' in page
    assert page.count('class="chart"') == 1
    assert page.count("<circle") >= 2
    assert "bens" not in page


def test_what_waits_was_kept_or_is_new_is_no_decision_and_both_true_is_a_no(ana: Account) -> None:
    decided(ana, 1, yes=0, status="proposed")
    decided(ana, 2, yes=0, status="dismissed")
    decided(ana, 3, yes=3, action="new", memory=None, text="The safe opens at noon")
    newer = said(ana, "The boiler was never serviced")
    decided(ana, 4, yes=4, action="conflict", related=newer, resolution="keep_both")

    [judge] = desk_calibration.judges(ana)

    assert [(str(each.words), each.found.every, each.found.accepted) for each in judge.actions] == [
        ("contradicts another", 4, 0)
    ]


def test_the_inbox_leads_to_it_and_it_asks_little(
    desk: Client, ana: Account, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    decided(ana, 40, yes=30)
    decided(ana, 40, yes=30, judge="a-model@abc123")
    assert PAGE in desk.get("/admin/retention/proposal/").content.decode()

    with django_assert_max_num_queries(15):
        page = shown(desk)

    assert page.count('class="chart"') == 2
