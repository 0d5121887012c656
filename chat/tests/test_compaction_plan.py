"""Where a window is cut: the golden cases of the systems before us, and what holds for every window."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.domain.compaction import Limits, Plan, Row, cap, plan, triggers

LIMITS = Limits(messages=80, keep_recent=20, tokens=6000, target=3000, characters=float("inf"))
SMALL = Limits(messages=6, keep_recent=4, tokens=100, target=50, characters=400.0)


def rows(count: int, *, tokens: int = 10, pinned: int = 0, characters: int = 0) -> list[Row]:
    """Exchanges, the oldest `pinned` rows of them pinned."""
    roles = cycle(["user", "assistant"])
    return [
        Row(pk, role, tokens=tokens, characters=characters, pinned=pk <= pinned)
        for pk, role in zip(range(1, count + 1), roles, strict=False)
    ]


def test_eighty_messages_are_not_too_many_and_eighty_two_are() -> None:
    assert triggers(rows(80), LIMITS) == ()
    assert plan(rows(80), LIMITS).removed == ()
    assert plan(rows(82), LIMITS) == Plan(("messages",), tuple(range(1, 63)), tuple(range(63, 83)))


def test_pinned_messages_count_and_stay() -> None:
    found = plan(rows(82, pinned=10), LIMITS)

    assert found.triggers == ("messages",)
    assert found.removed == tuple(range(11, 63))
    assert found.kept == (*range(1, 11), *range(63, 83))


def test_tokens_take_the_smallest_cut_that_reaches_the_target() -> None:
    found = plan(rows(10, tokens=700), LIMITS)

    assert found.triggers == ("tokens",)
    assert found.kept == (7, 8, 9, 10)
    assert found.below_keep_recent


def test_pinned_tokens_count_towards_the_target() -> None:
    assert plan(rows(10, tokens=700, pinned=2), LIMITS).kept == (1, 2, 9, 10)


def test_one_exchange_is_left_where_the_target_cannot_be_reached() -> None:
    assert plan(rows(4, tokens=4000), LIMITS).kept == (3, 4)
    assert plan(rows(2, tokens=4000), LIMITS).removed == ()


def test_of_two_triggers_the_larger_cut_is_made() -> None:
    large = [replace(row, tokens=300) for row in rows(90)]

    assert plan(large, LIMITS).triggers == ("messages", "tokens")
    assert len(plan(large, LIMITS).kept) == 10
    few = [replace(row, tokens=70 if row.id < 80 else 1) for row in rows(100)]
    assert len(plan(few, LIMITS).kept) == 20


def test_the_ratio_takes_the_older_half() -> None:
    found = plan(rows(8, characters=60), replace(SMALL, messages=80, tokens=10**6))

    assert found.triggers == ("ratio",)
    assert found.removed == (1, 2, 3, 4)


def test_forced_takes_all_but_the_newest() -> None:
    assert plan(rows(30), LIMITS, forced=True).removed == tuple(range(1, 11))
    assert plan(rows(20), LIMITS, forced=True).removed == ()


def test_a_question_is_not_split_from_its_answer() -> None:
    three = [Row(pk, "user" if pk % 3 == 1 else "assistant") for pk in range(1, 13)]

    assert plan(three, SMALL, forced=True).removed == (1, 2, 3, 4, 5, 6)


def test_what_runs_and_what_is_newer_is_not_taken() -> None:
    busy = [replace(row, running=row.id == 4) for row in rows(30)]

    assert plan(busy, LIMITS, forced=True).removed == (1, 2)


@pytest.mark.parametrize(
    ("count", "pinned", "most", "slack", "kept"),
    [
        (100, 0, 100, 20, 100),
        (102, 0, 100, 20, 80),
        (102, 10, 100, 20, 80),
        (102, 90, 100, 20, 90),
        (12, 0, 10, 50, 1),
        (12, 12, 10, 4, 12),
    ],
)
def test_the_hard_cap_keeps_the_pinned_and_the_newest(
    count: int, pinned: int, most: int, slack: int, kept: int
) -> None:
    found = cap(rows(count, pinned=pinned), most, slack)

    assert len(found.kept) == kept
    assert found.kept[:pinned] == tuple(range(1, pinned + 1))
    assert found.kept[pinned:] == tuple(range(count - (kept - pinned) + 1, count + 1))


def test_the_hard_cap_does_not_take_what_runs() -> None:
    busy = [replace(row, running=row.id == 4) for row in rows(12)]

    assert cap(busy, 10, 6).removed == (1, 2)


WINDOWS = st.lists(
    st.tuples(
        st.sampled_from(["user", "assistant", "assistant", "system"]),
        st.integers(0, 60),
        st.integers(0, 200),
        st.booleans(),
        st.sampled_from([False] * 9 + [True]),
    ),
    max_size=24,
).map(lambda found: [Row(pk, *rest) for pk, rest in enumerate(found, 1)])


@given(WINDOWS, st.booleans())
def test_every_message_is_kept_or_removed_once_in_order(window: list[Row], forced: bool) -> None:
    found = plan(window, SMALL, forced=forced)

    assert sorted([*found.removed, *found.kept]) == [row.id for row in window]
    assert list(found.removed) == sorted(found.removed)
    assert list(found.kept) == sorted(found.kept)
    assert found.triggers or not found.removed


@given(WINDOWS, st.booleans())
def test_pinned_rows_stay_and_no_exchange_is_split(window: list[Row], forced: bool) -> None:
    found = plan(window, SMALL, forced=forced)
    gone = set(found.removed)

    assert not any(row.pinned for row in window if row.id in gone)
    last = max(gone, default=0)
    assert all(row.id in gone for row in window if row.id <= last and not row.pinned)
    after = next((row for row in window if row.id > last), None)
    assert not gone or after is None or after.role == "user" or after.pinned
    running = next((row.id for row in window if row.running), 10**6)
    assert last < running


@given(WINDOWS)
def test_the_target_is_reached_or_one_exchange_is_left(window: list[Row]) -> None:
    still = [replace(row, running=False) for row in window]
    found = plan(still, SMALL)
    left = [row for row in still if row.id in found.kept]

    if "tokens" in found.triggers:
        loose = [row for row in left if not row.pinned]
        assert sum(row.tokens for row in left) <= SMALL.target or sum(row.role == "user" for row in loose[1:]) == 0


@given(WINDOWS, st.integers(4, 12), st.integers(0, 12))
def test_the_cap_leaves_no_more_than_it_says(window: list[Row], most: int, slack: int) -> None:
    still = [replace(row, running=False) for row in window]
    found = cap(still, most, slack)
    pinned = sum(row.pinned for row in still)

    assert sorted([*found.removed, *found.kept]) == [row.id for row in still]
    assert len(found.kept) == (len(still) if len(still) <= most else max(pinned, max(most - slack, 1)))
