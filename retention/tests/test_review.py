"""What a person says to a proposal, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection

from forgesite.errors import ConflictError, InvalidError, UnknownError
from forgesite.models import Account
from memory.errors import DegenerateError, EventError, NotLiveError
from memory.given.gathered import Found, Gathered
from memory.golden import star
from memory.models import Commit, Entry, Link, Receipt
from memory.move import archive
from memory.recall import Query, recall
from memory.receipts import seal
from memory.relate import relate
from memory.revise import Changes, revise
from memory.verify import verify
from retention import forgetting_pass, review
from retention.errors import AlreadyDecidedError, OutdatedError
from retention.models import Proposal
from retention.tests.entries import changed, over, said
from retention.uses import Uses, uses


def proposed(owner: Account) -> Proposal:
    forgetting_pass.run(owner)
    return review.proposals(owner).get()


def contradicting(owner: Account) -> tuple[Entry, Entry]:
    return (
        said(owner, "Deploys on Fridays are allowed", days=3),
        said(owner, "Deploys on Fridays are not allowed", days=2),
    )


def links(type: str) -> list[tuple[int, int]]:
    return list(Link.objects.standing().filter(type=type).values_list("entry_id", "other_id"))


def is_live(entry: Entry) -> bool:
    return Entry.objects.get(pk=entry.pk).is_live


def test_a_yes_replaces_the_older_one_as_the_persons_act(on: None, ana: Account) -> None:
    old, new = changed(ana)

    done = review.accept(ana, proposed(ana).pk)

    assert (done.status, done.resolution) == ("applied", "supersede")
    assert links("supersedes") == [(new.pk, old.pk)]
    commit = Commit.objects.get(address=done.commit)
    assert (commit.actor, commit.cause) == ("person", f"proposal {done.pk}")
    assert verify(ana).ok


def test_a_yes_puts_away_what_is_over(on: None, ana: Account) -> None:
    car = over(ana)

    review.accept(ana, proposed(ana).pk)

    assert Entry.objects.get(pk=car.pk).status == "archived"


def test_a_second_yes_changes_nothing(on: None, ana: Account) -> None:
    over(ana)
    proposal = proposed(ana)
    review.accept(ana, proposal.pk)
    commits = Commit.objects.count()

    for decide in (review.accept, review.reject):
        with pytest.raises(AlreadyDecidedError) as refused:
            decide(ana, proposal.pk)
        assert (refused.value.code, refused.value.status) == ("already_decided", 409)
    assert Commit.objects.count() == commits


@pytest.mark.parametrize(
    ("resolution", "status", "linked"),
    [
        ("", "active", "conflicts"),
        ("none", "active", "conflicts"),
        ("archive_older", "archived", ""),
        ("supersede", "active", "supersedes"),
        ("keep_both", "active", ""),
    ],
)
def test_a_conflict_is_settled_one_of_four_ways(
    on: None, ana: Account, resolution: str, status: str, linked: str
) -> None:
    old, new = contradicting(ana)

    done = review.accept(ana, proposed(ana).pk, resolution=resolution)

    assert done.resolution == (resolution or "none")
    assert Entry.objects.get(pk=old.pk).status == status
    assert list(Link.objects.standing().values_list("type", "entry_id", "other_id")) == (
        [(linked, new.pk, old.pk)] if linked else []
    )
    assert bool(done.commit) == (resolution != "keep_both")
    assert forgetting_pass.run(ana).candidates == 0  # settled, it does not come back


def test_what_was_settled_comes_back_once_one_of_the_two_moves(on: None, ana: Account) -> None:
    _old, new = contradicting(ana)
    review.accept(ana, proposed(ana).pk, resolution="keep_both")
    text = "Deploys on Fridays are never allowed"
    revise(ana, new.pk, Changes(text=text), version=None, actor="person", cause="test")

    forgetting_pass.run(ana)

    assert review.proposals(ana).count() == 1


def test_a_no_may_say_that_both_are_true_and_is_final_too(on: None, ana: Account) -> None:
    old, new = changed(ana)

    done = review.reject(ana, proposed(ana).pk, resolution="keep_both")

    assert (done.status, done.resolution, done.commit) == ("rejected", "keep_both", "")
    assert is_live(old)
    assert is_live(new)
    assert forgetting_pass.run(ana).candidates == 0
    assert review.take_back(ana, done.pk).resolution == ""


@pytest.mark.parametrize(("action", "named"), [("archive", "keep_both"), ("conflict", "keep_both"), ("", "supersede")])
def test_a_no_says_nothing_that_it_does_not_do(on: None, ana: Account, action: str, named: str) -> None:
    made: dict[str, Callable[[Account], object]] = {"archive": over, "conflict": contradicting, "": changed}
    made[action](ana)
    proposal = proposed(ana)

    with pytest.raises(InvalidError):
        review.reject(ana, proposal.pk, resolution=named)
    assert review.proposal_of(ana, proposal.pk).status == "proposed"


def test_only_a_conflict_is_settled_otherwise_than_proposed(on: None, ana: Account) -> None:
    changed(ana)
    proposal = proposed(ana)

    for wrong in ("archive_older", "keep_both"):
        with pytest.raises(InvalidError):
            review.accept(ana, proposal.pk, resolution=wrong)
    assert review.proposal_of(ana, proposal.pk).status == "proposed"


def test_a_no_is_final_until_the_entry_moves(on: None, ana: Account) -> None:
    car = over(ana)
    review.reject(ana, proposed(ana).pk)

    assert forgetting_pass.run(ana).candidates == 0
    assert is_live(car)


def test_a_yes_to_what_is_no_longer_live_or_was_edited_is_refused(on: None, ana: Account) -> None:
    old, new = changed(ana)
    proposal = proposed(ana)
    revise(ana, new.pk, Changes(text="The wifi password is now heron-86"), version=None, actor="person", cause="test")

    with pytest.raises(OutdatedError):
        review.accept(ana, proposal.pk)
    archive(ana, old.pk, actor="person", cause="test")
    with pytest.raises(NotLiveError) as refused:
        review.accept(ana, proposal.pk)

    assert refused.value.status == 409
    assert review.proposal_of(ana, proposal.pk).status == "proposed"
    assert links("supersedes") == []


def test_a_yes_to_what_was_read_after_an_edit_is_done_and_to_what_was_not_refused(on: None, ana: Account) -> None:
    old, new = changed(ana)
    proposal = proposed(ana)
    read = review.versions(review.proposal_of(ana, proposal.pk))
    review.edited(ana, proposal.pk, new.pk, text="The wifi password is now heron-86", version=new.version)

    with pytest.raises(OutdatedError, match="while you looked"):
        review.accept(ana, proposal.pk, seen=read)
    with pytest.raises(OutdatedError, match="while you looked"):
        review.accept(ana, proposal.pk, seen={old.pk: old.version})
    assert review.changed(review.proposal_of(ana, proposal.pk)) == [new.pk]
    now = review.versions(review.proposal_of(ana, proposal.pk))
    assert review.accept(ana, proposal.pk, seen=now).status == "applied"


def test_an_entry_of_it_is_edited_before_the_decision_and_no_other(on: None, ana: Account) -> None:
    old, new = changed(ana)
    other = said(ana, "The bicycle is blue")
    proposal = proposed(ana)

    for wrong, error in ((other, UnknownError), (Entry(pk=10**9, version=1), UnknownError)):
        with pytest.raises(error):
            review.edited(ana, proposal.pk, wrong.pk, text="The bicycle is red", version=wrong.version)
    done = review.edited(ana, proposal.pk, old.pk, text="The wifi password is birch-72", version=old.version)

    assert (done.text, done.version) == ("The wifi password is birch-72", 2)
    assert review.proposal_of(ana, proposal.pk).status == "proposed"
    review.reject(ana, proposal.pk)
    with pytest.raises(AlreadyDecidedError):
        review.edited(ana, proposal.pk, new.pk, text="Nothing of it", version=new.version)


def test_open_todos_that_rest_on_the_older_one_rest_on_the_newer_too_until_it_is_taken_back(
    on: None, ana: Account
) -> None:
    old, new = changed(ana)
    todos = [said(ana, f"Tell {name} the wifi password", kind="todo") for name in ("Ben", "Iris")]
    done = said(ana, "Print the wifi password", kind="todo")
    for todo in (*todos, done):
        relate(ana, todo.pk, "source", old.pk, actor="person", cause="test")
    revise(ana, done.pk, Changes(status="closed"), version=None, actor="person", cause="test")
    rests = {(todo.pk, old.pk) for todo in (*todos, done)}
    proposal = proposed(ana)
    before = verify(ana)

    review.accept(ana, proposal.pk)

    assert set(links("source")) == rests | {(todo.pk, new.pk) for todo in todos}
    assert all(Entry.objects.get(pk=todo.pk).is_live for todo in todos)
    review.take_back(ana, proposal.pk)
    assert set(links("source")) == rests
    assert (links("supersedes"), is_live(old)) == ([], True)
    assert (before.ok, verify(ana).ok) == (True, True)


def test_a_yes_to_what_became_an_event_is_refused(on: None, ana: Account) -> None:
    car = over(ana)
    proposal = proposed(ana)
    revise(ana, car.pk, Changes(kind="event"), version=None, actor="person", cause="test")

    with pytest.raises(EventError) as refused:
        review.accept(ana, proposal.pk)
    assert (refused.value.code, refused.value.status) == ("event", 409)
    assert is_live(car)


def test_a_decision_can_be_taken_back(on: None, ana: Account) -> None:
    old, new = changed(ana)
    proposal = proposed(ana)
    review.accept(ana, proposal.pk)

    back = review.take_back(ana, proposal.pk)

    assert (back.status, back.resolution, back.commit, back.decided_at) == ("proposed", "", "", None)
    assert links("supersedes") == []
    assert is_live(old)
    review.accept(ana, proposal.pk)
    assert links("supersedes") == [(new.pk, old.pk)]
    assert verify(ana).ok


@pytest.mark.parametrize("resolution", ["none", "archive_older", "supersede", "keep_both"])
def test_what_is_taken_back_is_as_it_was_to_the_last_column(on: None, ana: Account, resolution: str) -> None:
    said(ana, "Deploys on Fridays are allowed"), said(ana, "Deploys on Fridays are not allowed")
    proposal = proposed(ana)
    before = [{**row, "version": 0} for row in Entry.objects.order_by("pk").values()]

    review.accept(ana, proposal.pk, resolution=resolution)
    review.take_back(ana, proposal.pk)

    assert [{**row, "version": 0} for row in Entry.objects.order_by("pk").values()] == before
    assert not Link.objects.standing().exists()
    assert verify(ana).ok


def test_a_yes_to_what_another_program_deleted_is_refused_and_a_no_is_not(on: None, ana: Account) -> None:
    old, _new = changed(ana)
    proposal = proposed(ana)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM memory_entry WHERE id = %s", [old.pk])

    with pytest.raises(NotLiveError, match="not in memory any more"):
        review.accept(ana, proposal.pk)

    assert review.reject(ana, proposal.pk).status == "rejected"


def test_a_no_can_be_taken_back_and_what_waits_cannot(on: None, ana: Account) -> None:
    over(ana)
    proposal = proposed(ana)
    review.reject(ana, proposal.pk)

    assert review.take_back(ana, proposal.pk).status == "proposed"
    with pytest.raises(ConflictError):
        review.take_back(ana, proposal.pk)


def test_of_several_each_is_decided_by_itself(on: None, ana: Account) -> None:
    over(ana)
    old, _new = changed(ana)
    forgetting_pass.run(ana)
    ids = list(review.proposals(ana).values_list("pk", flat=True))
    archive(ana, old.pk, actor="person", cause="test")

    settled = review.decide_many(ana, [*ids, 10**9], review.accept)

    assert len(settled.done) == 1
    assert set(settled.refused) == {*ids, 10**9} - {settled.done[0].pk}


def test_what_is_anas_is_unknown_to_ben(on: None, ana: Account, ben: Account) -> None:
    over(ana)
    proposal = proposed(ana)

    for decide in (review.accept, review.reject, review.take_back):
        with pytest.raises(UnknownError):
            decide(ben, proposal.pk)
    assert list(review.proposals(ben)) == []


def test_it_says_how_many_answers_were_given_the_entry_and_which_golden_questions_name_it(
    on: None, ana: Account
) -> None:
    old, new = changed(ana)
    question = "What is birch-71?"
    for run in ("a", "b"):
        seal(ana, Gathered([Found("recall", recall(ana, Query(question)))]), run_id=run * 32)
    star(ana, question, [old.pk])

    used = uses(ana, [proposed(ana)])

    last = Receipt.objects.latest("number").at
    assert used[old.pk] == Uses(2, (question,), last)
    assert used[new.pk].golden == ()


def new(owner: Account, text: str = "Our cat is called Rex") -> Proposal:
    row = Proposal(owner=owner, action="new", probability=0.9, text=text, kind="fact", message=7)
    row.save()
    return row


def test_a_yes_to_a_new_entry_saves_it_in_the_persons_words(on: None, ana: Account) -> None:
    done = review.accept(ana, new(ana).pk, text="Our dog is called Rex", kind="note")

    entry = Entry.objects.of(ana).get()
    assert (entry.text, entry.kind, entry.origin, entry.message) == ("Our dog is called Rex", "note", "person", 7)
    assert (done.status, Commit.objects.get(address=done.commit).actor) == ("applied", "person")
    review.take_back(ana, done.pk)
    assert not Entry.objects.of(ana).live().exists()
    with pytest.raises(UnknownError):
        review.accept(ana, 10**9)


def test_a_new_entry_that_memory_refuses_waits_again(on: None, ana: Account) -> None:
    proposal = new(ana)

    with pytest.raises(DegenerateError):
        review.accept(ana, proposal.pk, text="Rex")

    assert review.proposal_of(ana, proposal.pk).status == "proposed"
    assert not Entry.objects.exists()
