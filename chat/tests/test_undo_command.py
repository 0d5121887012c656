"""!undo: the last change of memory is taken back, one after the other, and an erasure never."""

from __future__ import annotations

import pytest

from chat.tests.test_commands import PORT, know, say
from forgesite.models import Account
from memory.models import Commit, Entry
from memory.revise import Changes, revise

pytestmark = pytest.mark.django_db(transaction=True)
NEW_PORT = "the test server runs on port 9090"


def texts() -> list[tuple[str, str]]:
    return list(Entry.objects.order_by("id").values_list("text", "status"))


def test_it_takes_back_what_was_saved_and_shows_it(ana: Account) -> None:
    say(ana, f"!remember fact - {PORT}")
    number = Entry.objects.get().pk

    output = say(ana, "!undo").output

    assert texts() == [(PORT, "retracted")]
    assert f"Undone: created #{number}." in output
    assert f"- #{number} [fact] (retracted) {PORT}" in output


def test_twice_walks_back_and_a_commit_is_done_again_by_its_name(ana: Account) -> None:
    number = know(ana)
    revise(ana, number, Changes(text=NEW_PORT), version=None, actor="person", cause="test")

    assert f"- #{number} [fact] {PORT}" in say(ana, "!undo").output
    again = say(ana, "!undo").output.split("`!undo ")[1].split("`")[0]
    assert texts() == [(PORT, "retracted")]
    say(ana, f"!undo {again}")
    assert texts() == [(PORT, "active")]


def test_after_a_forgetting_nothing_is_undone_unasked(ana: Account) -> None:
    kept = know(ana)
    gone = know(ana, NEW_PORT)
    say(ana, f"!forget {gone}")

    output = say(ana, "!undo").output

    assert f"Forgotten for good, and not undone: forgot #{gone}." in output
    assert f"Nothing was undone. To undo what came before, created #{kept}: " in output
    assert texts() == [(PORT, "active")]
    say(ana, output.split("`")[1])
    assert texts() == [(PORT, "retracted")]


def test_with_nothing_to_undo_it_says_so_and_writes_nothing(ana: Account) -> None:
    result = say(ana, "!undo")
    assert result.output == "There is nothing to undo."
    assert not Commit.objects.exists()


def test_the_commit_names_the_run_and_a_wrong_name_is_an_answer(ana: Account) -> None:
    know(ana)
    run = say(ana, "!undo").run_id
    first, second = Commit.objects.order_by("tick")
    assert second.cause == f"undo {first.address[:12]} chat {run}"
    assert "No commit" in say(ana, "!undo deadbeef").output


def test_a_save_names_the_commit_that_undoes_it(ana: Account) -> None:
    [saved] = say(ana, f"!remember fact - {PORT}").saved
    assert saved["entry"]["commit"] == Commit.objects.get().address


def test_a_stranger_undoes_nothing(ana: Account, ben: Account) -> None:
    know(ana)
    address = Commit.objects.get().address
    assert say(ben, "!undo").output == "There is nothing to undo."
    assert "No commit" in say(ben, f"!undo {address}").output
    assert texts() == [(PORT, "active")]
