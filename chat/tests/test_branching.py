"""Branches as they are made: edits, retries, continuations, and what is in sight after each."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chat.errors import BusyError
from chat.history import (
    branch,
    clear,
    conversation_of,
    interrupt_orphans,
    show_branch,
)
from chat.models import Conversation, Message, State
from chat.persist import Begun, begin, end
from chat.tests.talks import ask, words
from forgesite.errors import ConflictError, ForgeError, InvalidError, UnknownError
from forgesite.models import Account

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_conversation_without_branches_keeps_no_parents(ana: Account, second: Begun) -> None:
    assert not Message.objects.exclude(parent=None).exists()
    assert words(ana, second.conversation) == ["Which port?", "8080", "And the disk?", "1 TB"]


def test_a_retry_is_one_more_answer_to_the_same_message(ana: Account, second: Begun) -> None:
    again = ask(ana, answer="2 TB", conversation=second.conversation, retry=second.answer)

    assert (again.message, again.text, again.so_far, again.parent) == (second.message, "And the disk?", "", None)
    assert again.answer != second.answer
    assert words(ana, second.conversation) == ["Which port?", "8080", "And the disk?", "2 TB"]


def test_what_is_said_next_follows_the_answer_in_sight(ana: Account, second: Begun) -> None:
    ask(ana, answer="2 TB", conversation=second.conversation, retry=second.answer)
    show_branch(ana, second.conversation, second.answer)
    later = ask(ana, "Is that enough?", conversation=second.conversation)

    assert later.parent == second.answer
    assert words(ana, second.conversation)[2:] == ["And the disk?", "1 TB", "Is that enough?", "re: Is that enough?"]


def test_a_retry_of_an_answer_that_is_out_of_sight_brings_its_branch_back(ana: Account, second: Begun) -> None:
    ask(ana, "Which host?", conversation=second.conversation, parent=0)
    show_branch(ana, second.conversation, second.answer)
    again = ask(ana, answer="9090", conversation=second.conversation, retry=Message.objects.all()[1].pk)

    assert words(ana, second.conversation) == ["Which port?", "9090"]
    assert conversation_of(ana, again.conversation).tip is None


def test_an_edit_leaves_what_was_said_on_its_own_branch(ana: Account, first: Begun, second: Begun) -> None:
    edit = ask(ana, "And the memory?", conversation=first.conversation, parent=first.answer)

    assert edit.parent == first.answer
    assert words(ana, first.conversation) == ["Which port?", "8080", "And the memory?", "re: And the memory?"]
    show_branch(ana, first.conversation, second.message)
    assert words(ana, first.conversation) == ["Which port?", "8080", "And the disk?", "1 TB"]


def test_an_edit_of_the_first_message_begins_the_conversation_anew(ana: Account, second: Begun) -> None:
    edit = ask(ana, "Which host?", conversation=second.conversation, parent=0)

    assert edit.parent == 0
    assert words(ana, second.conversation) == ["Which host?", "re: Which host?"]
    show_branch(ana, second.conversation, second.message)
    assert len(words(ana, second.conversation)) == 4


def test_following_the_newest_message_makes_no_branch(ana: Account, first: Begun) -> None:
    ask(ana, "And the disk?", conversation=first.conversation, parent=first.answer)
    ask(ana, "Hello there", parent=0)

    assert not Message.objects.exclude(parent=None).exists()


def test_a_turn_sees_what_came_before_it_on_its_branch_alone(ana: Account, first: Begun, second: Begun) -> None:
    edit = ask(ana, "And the memory?", conversation=first.conversation, parent=first.answer)
    again = ask(ana, conversation=first.conversation, retry=second.answer)

    for begun in (edit, again):
        before = branch(ana, first.conversation, upto=begun.message)
        assert [message.content for message in before] == ["Which port?", "8080"]
    assert [one.content for one in branch(ana, first.conversation, upto=second.message, limit=1)] == ["8080"]


def test_two_clients_keep_to_their_branches_by_naming_what_they_follow(ana: Account, second: Begun) -> None:
    page, program = second, ask(ana, "Which host?", conversation=second.conversation, parent=0)
    for number in range(3):
        page = ask(ana, f"page {number}", conversation=second.conversation, parent=page.answer)
        program = ask(ana, f"program {number}", conversation=second.conversation, parent=program.answer)

    told = [one.content for one in branch(ana, second.conversation, upto=page.message)]
    assert not [text for text in told if "program" in text or "host" in text]
    assert [text for text in told if text.startswith("page")] == ["page 0", "page 1"]


@pytest.mark.parametrize("parent", [-1, 999_999, 10**30])
def test_a_parent_that_is_not_here_is_refused_with_its_number(ana: Account, first: Begun, parent: int) -> None:
    with pytest.raises(InvalidError, match=str(parent)):
        ask(ana, "And now?", conversation=first.conversation, parent=parent)
    assert Message.objects.count() == 2


def test_a_message_of_another_conversation_or_account_is_no_parent(ana: Account, ben: Account, first: Begun) -> None:
    other, bens = ask(ana, "Elsewhere"), ask(ben, "Ben's")
    for foreign in (other, bens):
        cases: list[tuple[dict[str, Any], type[ForgeError]]] = [
            ({"parent": foreign.answer}, InvalidError),
            ({"retry": foreign.answer}, UnknownError),
        ]
        for fields, error in cases:
            with pytest.raises(error):
                ask(ana, "" if "retry" in fields else "And now?", conversation=first.conversation, **fields)
    assert Message.objects.count() == 6


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"retry": "message"}, InvalidError),
        ({"go_on": "message"}, InvalidError),
        ({"retry": "answer", "text": "And this"}, InvalidError),
        ({"retry": "answer", "go_on": "answer"}, InvalidError),
        ({"retry": "answer", "parent": 0}, InvalidError),
        ({"retry": "answer", "conversation": ""}, InvalidError),
        ({"go_on": "answer"}, ConflictError),
    ],
)
def test_what_cannot_be_meant_is_refused_and_stores_nothing(
    ana: Account, first: Begun, fields: dict[str, Any], error: type[ForgeError]
) -> None:
    told = {name: getattr(first, str(value), value) for name, value in fields.items()}
    with pytest.raises(error):
        ask(ana, **{"conversation": first.conversation, **told})
    assert Message.objects.count() == 2


def test_a_conversation_is_not_begun_with_a_server_that_is_unknown(ana: Account) -> None:
    with pytest.raises(InvalidError, match="attic"):
        ask(ana, "Which port?", server="attic")
    assert not Conversation.objects.exists()


@pytest.mark.parametrize("state", [State.CUT, State.STOPPED, State.FAILED, State.INTERRUPTED])
def test_an_answer_that_ended_early_is_gone_on_with_in_its_own_row(ana: Account, state: State) -> None:
    begun = ask(ana, "Count to four", state, answer="one two ")
    more = begin(ana, "", run_id="r2", conversation=begun.conversation, go_on=begun.answer)

    row = Message.objects.get(pk=begun.answer)
    assert (more.answer, more.message, more.text, more.so_far) == (
        begun.answer,
        begun.message,
        "Count to four",
        "one two ",
    )
    assert (row.state, row.content, row.run_id) == (State.RUNNING, "one two ", "r2")
    assert Message.objects.count() == 2


def test_an_answer_is_continued_as_often_as_it_is_cut(ana: Account) -> None:
    begun = ask(ana, "Count to three", State.CUT, answer="one ")
    ask(ana, "", State.CUT, answer="two ", conversation=begun.conversation, go_on=begun.answer)
    ask(ana, "", answer="three", conversation=begun.conversation, go_on=begun.answer)

    assert words(ana, begun.conversation)[1] == "one two three"
    with pytest.raises(ConflictError, match="nothing to continue"):
        ask(ana, "", conversation=begun.conversation, go_on=begun.answer)


def test_an_answer_that_something_follows_is_not_continued(ana: Account) -> None:
    begun = ask(ana, "Count to three", State.CUT, answer="one ")
    edit = ask(ana, "And then?", State.CUT, conversation=begun.conversation)
    with pytest.raises(ConflictError, match="went on after"):
        ask(ana, "", conversation=begun.conversation, go_on=begun.answer)

    ask(ana, "Or else?", conversation=begun.conversation, parent=begun.answer)
    more = ask(ana, "", answer="!", conversation=begun.conversation, go_on=edit.answer)
    assert words(ana, begun.conversation)[-1] == f"{more.so_far}!"


def test_an_answer_still_coming_is_neither_retried_nor_continued(ana: Account) -> None:
    begun = begin(ana, "Count to three", run_id="r1")
    for retry, go_on in ((begun.answer, 0), (0, begun.answer)):
        with pytest.raises(BusyError):
            ask(ana, conversation=begun.conversation, retry=retry, go_on=go_on)


def test_after_a_restart_a_continuation_is_retried_or_continued(ana: Account) -> None:
    begun = ask(ana, "Count to three", State.CUT, answer="one ")
    begin(ana, "", run_id="r2", conversation=begun.conversation, go_on=begun.answer)
    interrupt_orphans()

    assert words(ana, begun.conversation)[1] == "one "
    ask(ana, "", answer="two", conversation=begun.conversation, go_on=begun.answer)
    ask(ana, "", answer="1 2 3", conversation=begun.conversation, retry=begun.answer)
    assert words(ana, begun.conversation) == ["Count to three", "1 2 3"]
    assert Message.objects.get(pk=begun.answer).content == "one two"


def test_a_run_that_is_no_longer_the_newest_ends_without_a_trace_in_the_answer(ana: Account) -> None:
    begun = begin(ana, "Count to three", run_id="r1")
    interrupt_orphans()
    begin(ana, "", run_id="r2", conversation=begun.conversation, go_on=begun.answer)
    end(begun, "late", state=State.STOPPED, answered=False, indexable=False)

    row = Message.objects.get(pk=begun.answer)
    assert (row.state, row.content) == (State.RUNNING, "")


def test_each_id_ever_sent_is_answered_by_its_own_run_for_good(ana: Account) -> None:
    begun = ask(ana, "Count to three", State.CUT, client_id="c1")
    place: dict[str, Any] = {"conversation": begun.conversation}
    ask(ana, "", State.CUT, client_id="c2", go_on=begun.answer, **place)
    again = ask(ana, "", State.CUT, client_id="c3", retry=begun.answer, **place)
    ask(ana, "", State.CUT, client_id="c4", go_on=again.answer, **place)
    rows = list(Message.objects.values())

    sent: dict[str, dict[str, Any]] = {
        "c1": {"text": "Count to three"},
        "c2": {"go_on": begun.answer},
        "c3": {"retry": begun.answer},
    }
    sent["c4"] = {"go_on": again.answer}
    told = [begin(ana, **{"text": "", **fields}, client_id=id_, run_id="x", **place) for id_, fields in sent.items()]

    assert [(one.repeated, one.answer, one.continues) for one in told] == [
        (True, begun.answer, False),
        (True, begun.answer, True),
        (True, again.answer, False),
        (True, again.answer, True),
    ]
    assert {one.message for one in told} == {begun.message}
    assert list(Message.objects.values()) == rows


def test_an_id_whose_answer_was_cleared_is_not_run_again(ana: Account, first: Begun) -> None:
    begun = ask(ana, "Which host?", conversation=first.conversation, client_id="c1")
    Message.objects.filter(pk=begun.message).update(pinned=True)
    clear(ana, first.conversation)

    with pytest.raises(ConflictError, match="deleted"):
        ask(ana, "Which host?", conversation=first.conversation, client_id="c1")


async def test_two_asks_for_the_same_continuation_make_one(ana: Account) -> None:
    begun = await asyncio.to_thread(ask, ana, "Count to three", State.CUT)
    place: dict[str, Any] = {"conversation": begun.conversation, "go_on": begun.answer}
    told = await asyncio.gather(
        *(asyncio.to_thread(begin, ana, "", run_id=f"r{n}", **place) for n in range(4)), return_exceptions=True
    )

    assert [type(one) for one in told].count(Begun) == 1
    assert [type(one) for one in told].count(BusyError) == 3
