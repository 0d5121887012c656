"""Properties of a conversation's tree, whatever was branched and whatever was deleted since."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chat.domain.branches import NOTHING, Tree, tree

Row = tuple[int, int | None]


@st.composite
def rows(draw: st.DrawFn) -> list[Row]:
    """Ids with gaps; parents that are absent, none, there, deleted, or nonsense from outside."""
    ids = sorted(draw(st.sets(st.integers(1, 60), min_size=1, max_size=25)))
    parents = draw(st.lists(st.none() | st.integers(-3, 70), min_size=len(ids), max_size=len(ids)))
    return list(zip(ids, parents, strict=True))


def all_paths(found: Tree) -> set[tuple[int, ...]]:
    return {found.path(found.leaf(message)) for message in found.ids}


@given(rows())
def test_a_path_never_repeats_and_starts_at_a_beginning(held: list[Row]) -> None:
    found = tree(held)
    for message in found.ids:
        path = found.path(message)
        assert list(path) == sorted(set(path))
        assert found.parents[path[0]] == NOTHING
        assert [found.parents[one] for one in path[1:]] == list(path[:-1])


@given(rows())
def test_every_message_lies_on_the_path_to_its_own_leaf(held: list[Row]) -> None:
    found = tree(held)
    for message in found.ids:
        leaf = found.leaf(message)
        assert message in found.path(leaf)
        assert not found.children.get(leaf)


@given(rows())
def test_siblings_are_symmetric_and_in_order(held: list[Row]) -> None:
    found = tree(held)
    for message in found.ids:
        beside = found.siblings(message)
        assert len(beside) != 1
        assert list(beside) == sorted(beside)
        assert all(found.siblings(other) == beside for other in beside)
        assert not beside or message in beside


@given(rows())
def test_by_siblings_alone_every_message_is_reached_from_the_branch_in_sight(held: list[Row]) -> None:
    found = tree(held)
    seen: set[int] = set()
    ahead = [found.end(None)]
    while ahead:
        new = [message for message in found.path(ahead.pop()) if message not in seen]
        seen.update(new)
        ahead += [found.leaf(other) for message in new for other in found.siblings(message)]
    assert seen == set(found.ids)


@given(rows(), st.none() | st.integers(0, 70))
def test_the_branch_in_sight_ends_with_a_message_that_nothing_follows(held: list[Row], tip: int | None) -> None:
    found = tree(held)
    assert not found.children.get(found.end(tip))
    assert found.end(tip) in found.ids


@given(rows(), st.sets(st.integers(1, 60)))
def test_rows_deleted_from_outside_leave_every_other_message_on_some_path(held: list[Row], gone: set[int]) -> None:
    left = tree([row for row in held if row[0] not in gone])
    for message in left.ids:
        assert message in left.path(left.leaf(message))


@given(rows(), st.sets(st.integers(1, 60)))
def test_taking_messages_out_keeps_what_stays_of_every_path(held: list[Row], gone: set[int]) -> None:
    before = tree(held)
    moved = before.without(gone)
    after = tree([(one, moved.get(one, before.parents[one])) for one in before.ids if one not in gone])
    for message in after.ids:
        assert after.path(message) == tuple(one for one in before.path(message) if one not in gone)


def test_a_conversation_without_branches_is_one_path() -> None:
    found = tree([(2, None), (5, None), (9, None)])
    assert found.path(found.end(None)) == (2, 5, 9)
    assert [found.siblings(message) for message in found.ids] == [(), (), ()]


def test_an_edited_question_and_a_retried_answer_are_alternatives() -> None:
    found = tree([(1, None), (2, None), (3, 1), (4, None), (5, None), (6, 0), (7, None)])
    assert (found.siblings(1), found.siblings(3), found.siblings(4)) == ((1, 6), (2, 3), ())
    assert found.path(found.end(None)) == (6, 7)
    assert found.path(found.end(3)) == (1, 3, 4, 5)
    assert found.path(found.end(2)) == (1, 2)


def test_an_empty_conversation_has_nothing_in_sight() -> None:
    assert tree([]).path(tree([]).end(None)) == ()
