"""The order `interleave`: words and vectors in turn, `top_k` rows in all."""

from __future__ import annotations

from typing import get_args

import pytest
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from forgesite import config
from forgesite.models import Account
from forgesite.tests.web import by_token
from memory.domain.union import Budgets, Found, Merged, interleave
from memory.policies import POLICIES
from memory.recall import Query, recall
from memory.tests.entries import found, saved
from memory.tests.test_recall import PORT, _with

CUTOFF = 1.22
IDS = st.lists(st.integers(1, 40), unique=True, max_size=20)
LIVE = st.integers(0, 20)


def near(*ids: int, live: int = 64, distance: float = 0.5) -> list[Found]:
    """What vectors found: the first `live` rows are live, the others archived."""
    return [Found(each, int(place >= live), distance + place / 100, None) for place, each in enumerate(ids)]


def told(*ids: int, live: int = 64) -> list[Found]:
    """What words found."""
    return [Found(each, int(place >= live), None, 20.0 - place, ("port",)) for place, each in enumerate(ids)]


def woven(vectors: list[Found], words: list[Found], top_k: int) -> Merged:
    return interleave(vectors, words, cutoff=CUTOFF, budgets=Budgets(top_k, top_k))


def ids(merged: Merged) -> list[int]:
    return [row.found.id for row in merged.shown]


def test_words_and_vectors_take_turns_and_words_lead() -> None:
    merged = woven(near(1, 2, 3), told(7, 8, 9), 5)
    assert [(row.found.id, row.channel) for row in merged.shown] == [
        (7, "lexical"), (1, "vector"), (8, "lexical"), (2, "vector"), (9, "lexical"),
    ]  # fmt: skip
    assert [(cut.id, cut.reason) for cut in merged.cut] == [(3, "budget")]


def test_a_row_that_both_found_stands_once_at_its_better_place() -> None:
    merged = woven(near(1, 2, 3), told(7, 3), 10)
    assert ids(merged) == [7, 1, 3, 2]
    [both] = [row for row in merged.shown if row.channel == "both"]
    assert (both.found.id, both.found.distance, both.found.score) == (3, 0.52, 19.0)


def test_a_row_past_the_cutoff_is_shown_only_where_words_found_it() -> None:
    merged = woven(near(1, 2, distance=1.3), told(2), 10)
    assert [(row.found.id, row.channel, row.found.distance) for row in merged.shown] == [(2, "lexical", 1.31)]
    assert [(cut.id, cut.reason) for cut in merged.cut] == [(1, "cutoff")]


def test_archived_rows_come_after_all_live_ones() -> None:
    assert ids(woven(near(1, 2, live=1), told(7, 8, 9), 10)) == [7, 1, 8, 9, 2]


@given(IDS, IDS, st.integers(1, 64))
def test_no_row_stands_twice_and_no_more_than_asked_for(vectors: list[int], words: list[int], top_k: int) -> None:
    shown = ids(woven(near(*vectors), told(*words), top_k))
    assert len(shown) == len(set(shown)) == min(top_k, len({*vectors, *words}))


@given(IDS, IDS)
def test_every_admitted_row_is_shown_once_enough_are_asked_for(vectors: list[int], words: list[int]) -> None:
    assert set(ids(woven(near(*vectors), told(*words), 40))) == {*vectors, *words}


@given(IDS, IDS, LIVE, LIVE, st.integers(1, 39))
def test_more_rows_only_add_to_fewer(vectors: list[int], words: list[int], old: int, older: int, top_k: int) -> None:
    live = {*vectors[:old], *words[:older]} - {*vectors[old:], *words[older:]}
    by_vector = sorted(vectors, key=lambda each: each not in live)
    by_word = sorted(words, key=lambda each: each not in live)
    rows = near(*by_vector, live=len(live & {*vectors})), told(*by_word, live=len(live & {*words}))
    assert ids(woven(*rows, 40))[:top_k] == ids(woven(*rows, top_k))


@given(IDS, IDS, st.permutations(range(1, 41)), st.integers(1, 40))
def test_order_goes_by_places_and_never_by_ids(
    vectors: list[int], words: list[int], names: list[int], top_k: int
) -> None:
    named = woven(near(*(names[each - 1] for each in vectors)), told(*(names[each - 1] for each in words)), top_k)
    assert ids(named) == [names[each - 1] for each in ids(woven(near(*vectors), told(*words), top_k))]


@given(IDS, IDS, st.integers(1, 40))
def test_what_is_not_shown_is_named(vectors: list[int], words: list[int], top_k: int) -> None:
    merged = woven(near(*vectors), told(*words), top_k)
    assert {*ids(merged), *(cut.id for cut in merged.cut)} == {*vectors, *words}


def test_every_policy_that_can_be_set_exists() -> None:
    assert set(get_args(config.Policy)) == set(POLICIES)


def test_a_recall_shows_as_many_rows_as_asked_for(ana: Account) -> None:
    for number in range(12):
        saved(ana, f"The test server number {number} has port {9000 + number}")
    answer = recall(ana, Query("test server port 9003 9004", policy="interleave", top_k=4))
    assert (len(answer.rows), answer.policy) == (4, "interleave")
    assert {row.rank for row in answer.rows} == {1, 2, 3, 4}
    assert {row.entry.text[-4:] for row in answer.rows[:3]} >= {"9003", "9004"}
    assert {row.reason for row in answer.left_out} == {"budget"}


def test_without_words_vectors_alone_are_interleaved(ana: Account) -> None:
    saved(ana, "The test server runs on port 8080")
    with override_settings(FORGE=_with(RECALL_LEXICAL=False, RECALL_MAX_DISTANCE="0.1")):
        assert found(ana, PORT, policy="interleave") == []
    assert found(ana, PORT, policy="interleave") == ["The test server runs on port 8080"]


def test_without_an_embedder_words_alone_are_interleaved(ana: Account, words_only: None) -> None:
    saved(ana, "The test server runs on port 8080")
    answer = recall(ana, Query(PORT, policy="interleave", top_k=10))
    assert ([row.channel for row in answer.rows], answer.degraded) == (["lexical"], "no_embedder")


@pytest.mark.django_db(transaction=True)
def test_a_program_may_ask_for_it_by_name(ana: Account) -> None:
    for number in range(12):
        saved(ana, f"The test server number {number} has port {9000 + number}")
    rows = by_token(ana).ask("GET", "/search?q=test+server+port+9003&policy=interleave&top_k=10").json()
    assert [row["rank"] for row in rows] == list(range(1, 11))
    assert rows[0]["content"].endswith("9003")
