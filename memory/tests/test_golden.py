"""Golden questions: starred with their right entries, asked again, and compared before and after a change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgesite.errors import EmptyError, InvalidError, UnknownError
from forgesite.models import Account
from memory.domain.golden import Asked, Replay, Right
from memory.forget import forget
from memory.golden import compare, golden_questions, losing, replay, replayed, since_last, star, unstar
from memory.models import Entry, GoldenEntry, GoldenQuestion
from memory.move import retract
from memory.relate import relate
from memory.tests.entries import by_sql, saved

QUESTION = "Which port does the test server use?"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only")]


@pytest.fixture
def port(ana: Account) -> Entry:
    """Among others: in a store of a few entries no word is rare."""
    for number in range(14):
        saved(ana, f"{'abcdefghijklmn'[number] * 5} {'nmlkjihgfedcba'[number] * 7}")
    return saved(ana, "the test server runs on port 8080")


@pytest.fixture
def bike(ana: Account) -> Entry:
    return saved(ana, "my bike is green and stands in the cellar")


def right(ana: Account) -> tuple[Right, ...]:
    [asked] = replay(ana).questions
    return asked.right


def reached(question: GoldenQuestion) -> int:
    question.refresh_from_db()
    assert question.last_result
    return int(question.last_result["reached"])


def test_a_starred_question_is_asked_at_once_and_its_result_kept(ana: Account, port: Entry) -> None:
    question = star(ana, f"  {QUESTION} ", [port.pk, port.pk], run_id="abc", message=7)
    assert (question.text, question.run_id, question.message) == (QUESTION, "abc", 7)
    assert question.last_result
    assert question.last_result["right"] == [{"entry": port.pk, "stands": port.pk, "rank": 1}]
    assert (question.last_result["reached"], question.last_result["degraded"]) == (1, "no_embedder")


def test_the_same_words_again_add_their_entries(ana: Account, port: Entry, bike: Entry) -> None:
    first, again = star(ana, QUESTION, [port.pk]), star(ana, QUESTION, [bike.pk])
    assert first.pk == again.pk
    assert [row.entry_id for row in again.right.all()] == [port.pk, bike.pk]


def test_what_is_no_question_or_names_no_entry_of_ones_own_is_refused(ana: Account, ben: Account, port: Entry) -> None:
    with pytest.raises(EmptyError):
        star(ana, " \0 ", [port.pk])
    with pytest.raises(InvalidError):
        star(ana, QUESTION, [])
    with pytest.raises(UnknownError):
        star(ben, QUESTION, [port.pk])
    assert not GoldenQuestion.objects.exists()


def test_nobody_replays_or_unstars_what_is_anothers(ana: Account, ben: Account, port: Entry) -> None:
    question = star(ana, QUESTION, [port.pk])
    assert (golden_questions(ben), replay(ben).questions, losing(ben, [port.pk])) == ([], (), [])
    with pytest.raises(UnknownError):
        unstar(ben, question.pk)
    unstar(ana, question.pk)
    assert not GoldenEntry.objects.exists()


def test_an_entry_that_was_replaced_counts_by_its_successor(ana: Account, port: Entry) -> None:
    star(ana, QUESTION, [port.pk])
    new = saved(ana, "the test server runs on port 9090 now")
    relate(ana, new.pk, "supersedes", port.pk, actor="person", cause="test")
    assert right(ana) == (Right(port.pk, new.pk, 1),)
    newest = saved(ana, "the test server runs on port 7070 since then")
    relate(ana, newest.pk, "supersedes", new.pk, actor="person", cause="test")
    assert right(ana) == (Right(port.pk, newest.pk, 1),)
    assert [one.entries for one in losing(ana, [newest.pk])] == [(port.pk,)]


def test_an_entry_that_was_folded_counts_by_itself_or_its_aggregate(ana: Account, port: Entry) -> None:
    star(ana, QUESTION, [port.pk])
    fold = saved(ana, "server: port 8080, 32 GB of RAM, stands in the cellar")
    relate(ana, fold.pk, "speaks_for", port.pk, actor="person", cause="test")
    assert right(ana) == (Right(port.pk, fold.pk, 1),)
    [asked] = replay(ana, without=[port.pk]).questions
    assert asked.right == (Right(port.pk, fold.pk, 1),)


def test_rows_left_out_are_not_found_and_others_move_up(ana: Account, port: Entry) -> None:
    other = saved(ana, "the test server of the office uses another port")
    star(ana, QUESTION, [port.pk, other.pk])
    before, after = replay(ana), replay(ana, without=[port.pk])
    assert {one.entry: one.rank for one in after.questions[0].right} == {port.pk: None, other.pk: 1}
    [worse] = compare(before, after).worse
    assert (worse.text, worse.lost) == (QUESTION, (port.pk,))


def test_a_replay_writes_nothing_and_a_kept_one_its_result(ana: Account, port: Entry) -> None:
    question = star(ana, QUESTION, [port.pk])
    retract(ana, port.pk, actor="person", cause="test")
    assert replay(ana).questions[0].reached == 0
    assert reached(question) == 1
    assert [change.lost for change in since_last(ana).worse] == [(port.pk,)]
    assert reached(question) == 0
    assert since_last(ana).worse == ()


def test_a_question_that_memory_has_nothing_on_finds_nothing(ana: Account, port: Entry, bike: Entry) -> None:
    star(ana, "Which colour has the ceiling of the bathroom upstairs?", [bike.pk])
    assert [one.rank for one in right(ana)] == [None]


def test_forgetting_takes_the_right_entry_and_leaves_the_question(ana: Account, port: Entry, bike: Entry) -> None:
    star(ana, QUESTION, [port.pk])
    before = replay(ana)
    [lost] = losing(ana, [port.pk, bike.pk])
    assert (lost.question.text, lost.entries, lost.left) == (QUESTION, (port.pk,), 0)
    forget(ana, [port.pk], actor="person", cause="test")
    assert [asked.right for asked in replay(ana).questions] == [()]
    assert [change.lost for change in compare(before, replayed(ana)).worse] == [(port.pk,)]


@pytest.mark.django_db(transaction=True)
def test_an_entry_that_another_program_deleted_is_none_any_more(ana: Account, port: Entry) -> None:
    star(ana, QUESTION, [port.pk])
    by_sql("PRAGMA foreign_keys = OFF")
    by_sql("DELETE FROM memory_entry WHERE id = %s", port.pk)
    assert right(ana) == ()
    by_sql("DELETE FROM memory_goldenentry")
    by_sql("PRAGMA foreign_keys = ON")


def test_the_same_search_with_and_without_vectors_is_not_compared(ana: Account) -> None:
    with_vectors = replay_of(Asked(1, QUESTION, (Right(5, 5, 1),)))
    without = replay_of(Asked(1, QUESTION, (Right(5, 5, None),), degraded="embedding"))
    compared = compare(with_vectors, without)
    assert [change.id for change in compared.unlike] == [1]
    assert compared.worse == ()


def replay_of(*asked: Asked) -> Replay:
    return Replay(asked, top_k=10, given=5)


rights = st.dictionaries(st.integers(1, 3), st.none() | st.integers(1, 10), max_size=3)
replays = st.dictionaries(st.integers(1, 3), rights, max_size=3)


def made(found: dict[int, dict[int, int | None]]) -> Replay:
    asked = (
        Asked(pk, QUESTION, tuple(Right(entry, entry, rank) for entry, rank in ranks.items()))
        for pk, ranks in found.items()
    )
    return replay_of(*asked)


@given(replays, replays)
def test_what_gets_better_one_way_gets_worse_the_other_way_and_every_question_is_in_one_list(
    before: dict[int, dict[int, int | None]], after: dict[int, dict[int, int | None]]
) -> None:
    there, back = compare(made(before), made(after)), compare(made(after), made(before))
    listed = [change.id for change in (*there.worse, *there.better, *there.same)]
    assert sorted(listed) == sorted(before.keys() & after.keys())
    assert {change.id for change in there.better} <= {change.id for change in back.worse}
    assert [change.id for change in compare(made(before), made(before)).same] == list(before)


def test_the_noise_of_an_order_is_no_change_but_falling_out_of_a_turn_is() -> None:
    ranks = {"same": (1, 5), "worse": (5, 6), "better": (6, 5)}
    for named, (was, now) in ranks.items():
        compared = compare(
            replay_of(Asked(1, QUESTION, (Right(5, 5, was),))), replay_of(Asked(1, QUESTION, (Right(5, 5, now),)))
        )
        assert len(getattr(compared, named)) == 1, named
