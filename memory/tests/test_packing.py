"""What fits a budget of bytes and items: whole rows in order, nothing that must be in too few."""

from __future__ import annotations

import pytest
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from forgesite.models import Account
from memory.domain.packing import Limits, Packed, Piece, packed
from memory.errors import ContextOverflowError
from memory.finding.packing import packed as packed_rows
from memory.finding.packing import size
from memory.recall import Query, recall
from memory.tests.entries import found, saved
from memory.tests.test_recall import _with

PIECES = st.lists(st.builds(Piece, st.integers(1, 60), st.booleans() | st.just(False)), max_size=20)
LIMITS = st.builds(Limits, st.integers(1, 12), st.integers(1, 300))


def taken(pieces: list[Piece], places: tuple[int, ...]) -> int:
    return sum(pieces[place].size for place in places)


@given(PIECES, LIMITS)
def test_what_is_kept_is_never_over_the_budget_and_in_order(pieces: list[Piece], limits: Limits) -> None:
    kept = packed(pieces, limits).kept
    assert len(kept) <= limits.items
    assert taken(pieces, kept) <= limits.bytes
    assert list(kept) == sorted(set(kept))


@given(PIECES, LIMITS)
def test_every_piece_is_kept_or_named_once_unless_what_must_be_in_is_too_much(
    pieces: list[Piece], limits: Limits
) -> None:
    made = packed(pieces, limits)
    must = tuple(place for place, piece in enumerate(pieces) if piece.must)
    if len(must) > limits.items or taken(pieces, must) > limits.bytes:
        assert made == Packed(over=True)
        return
    assert sorted([*made.kept, *(place for place, _why in made.skipped)]) == list(range(len(pieces)))
    assert set(must) <= set(made.kept)


@given(PIECES, LIMITS)
def test_what_was_skipped_would_not_have_fitted_at_its_turn(pieces: list[Piece], limits: Limits) -> None:
    made = packed(pieces, limits)
    for place, why in made.skipped:
        before = tuple(each for each in made.kept if each < place or pieces[each].must)
        full = len(before) == limits.items
        assert (why == "items") == full
        assert full or taken(pieces, before) + pieces[place].size > limits.bytes


def test_a_smaller_row_fits_behind_one_that_does_not() -> None:
    made = packed([Piece(50), Piece(70), Piece(40), Piece(10)], Limits(3, 100))
    assert made == Packed((0, 2, 3), ((1, "bytes"),))


def test_what_must_be_in_has_its_room_before_all_else() -> None:
    assert packed([Piece(60), Piece(50, must=True)], Limits(2, 100)) == Packed((1,), ((0, "bytes"),))
    assert packed([Piece(60), Piece(50, must=True)], Limits(1, 200)) == Packed((1,), ((0, "items"),))


def test_rows_that_do_not_fit_are_left_out_by_name_and_keep_their_place(ana: Account, words_only: None) -> None:
    long = saved(ana, "the cellar server has a port, " + "and a long story to it " * 40)
    saved(ana, "the attic server has a port")
    with override_settings(FORGE=_with(EMBEDDING_PROVIDER="none", RECALL_LEXICAL_MAX_DF=1.0)):
        whole = recall(ana, Query("which port has the cellar server", policy="lexical", for_prompt=True))
    assert [row.rank for row in whole.rows] == [1, 2]

    some = packed_rows(whole, limits=Limits(16, size(whole.rows[1])))
    assert [(row.entry.text, row.rank) for row in some.rows] == [("the attic server has a port", 2)]
    assert [(row.id, row.reason, row.channel, row.rank) for row in some.left_out] == [(long.pk, "bytes", "lexical", 1)]
    assert some.left_out[0].score is not None


def test_bytes_are_counted_as_utf_8(ana: Account, words_only: None) -> None:
    saved(ana, "плотва клюёт на рассвете")
    query = Query("плотва", policy="lexical")
    [row] = recall(ana, query).rows
    assert size(row) > len("плотва клюёт на рассвете".encode())
    assert len(recall(ana, Query("плотва", policy="lexical", most_bytes=size(row))).rows) == 1
    assert recall(ana, Query("плотва", policy="lexical", most_bytes=size(row) - 1)).rows == ()


def test_a_search_with_the_settings_as_they_are_loses_no_row_by_packing(ana: Account, words_only: None) -> None:
    for number in range(20):
        saved(ana, f"server {number} listens on a port, {'and there is more to say of it ' * 60}")
    with override_settings(FORGE=_with(EMBEDDING_PROVIDER="none", RECALL_LEXICAL_MAX_DF=1.0)):
        for policy in ("hybrid", "union", "interleave", "weighted", "lexical", "recent"):
            assert len(found(ana, "which port", policy=policy, top_k=20)) == 20
        assert len(found(ana, "which port", policy="balanced", top_k=20)) < 16


@pytest.mark.parametrize("limit", [{"RECALL_MAX_ITEMS": 2}, {"RECALL_MAX_BYTES": 256}])
def test_open_todos_that_do_not_fit_fail_loudly_and_by_name(
    ana: Account, words_only: None, limit: dict[str, int]
) -> None:
    todos = [
        saved(ana, f"Call number {number} back about the {'very ' * 12}long story", kind="todo") for number in (1, 2, 3)
    ]
    for policy in ("balanced", "task_maintenance"):
        assert {row.entry for row in recall(ana, Query("weather", policy=policy)).rows} == set(todos)
        with override_settings(FORGE=_with(EMBEDDING_PROVIDER="none", **limit)):
            with pytest.raises(ContextOverflowError) as refused:
                recall(ana, Query("weather", policy=policy))
            assert [each["id"] for each in refused.value.detail] == [todo.pk for todo in todos]
            assert all(f"#{todo.pk}" in refused.value.message for todo in todos)
            assert recall(ana, Query("weather", policy="semantic")).rows == ()
