"""The drawer: pinned messages, their partners in their branch, and what they outlive."""

from __future__ import annotations

import pytest

from chat.branches import placed
from chat.drawer import drawer, pin, unpin
from chat.history import clear, conversation_of, show_branch, window
from chat.models import Conversation, Message, Role
from chat.persist import Begun
from chat.tests.talks import ask, words
from forgesite.errors import UnknownError
from forgesite.models import Account
from forgesite.tests.web import by_token

pytestmark = pytest.mark.django_db


def pinned(owner: Account, conversation: str | None = None) -> list[int]:
    return [message.pk for message in drawer(owner, conversation)]


@pytest.mark.parametrize("named", ["message", "answer"])
def test_question_and_answer_are_pinned_together(ana: Account, first: Begun, second: Begun, named: str) -> None:
    done = pin(ana, getattr(second, named))

    assert pinned(ana) == [second.message, second.answer] == [row.pk for row in done.messages]
    assert done.count == 2


def test_only_the_one_that_is_named_is_unpinned_and_the_order_stays(ana: Account, first: Begun, second: Begun) -> None:
    pin(ana, second.message)
    pin(ana, first.message)

    assert unpin(ana, first.answer).count == 3
    assert pinned(ana) == [first.message, second.message, second.answer]


def test_a_message_alone_is_pinned_without_its_partner(ana: Account, first: Begun) -> None:
    pin(ana, first.answer, partner=False)
    assert pinned(ana) == [first.answer]


def test_a_question_without_an_answer_does_not_pin_the_next_question(ana: Account, first: Begun, second: Begun) -> None:
    Message.objects.filter(pk=first.answer).delete()
    pin(ana, first.message)
    assert pinned(ana) == [first.message]


def test_the_partner_is_the_neighbour_in_the_branch(ana: Account, first: Begun, second: Begun) -> None:
    again = ask(ana, retry=first.answer, conversation=first.conversation)

    pin(ana, first.message)
    assert pinned(ana) == [first.message, again.answer]

    unpin(ana, first.message)
    unpin(ana, again.answer)
    show_branch(ana, first.conversation, first.answer)
    pin(ana, first.message)
    assert pinned(ana) == [first.message, first.answer]

    pin(ana, again.answer)
    assert pinned(ana) == [first.message, first.answer, again.answer]


def test_a_compacted_message_that_is_pinned_is_in_the_window_again(ana: Account, first: Begun, second: Begun) -> None:
    Message.objects.filter(pk__in=[first.message, first.answer]).update(compacted=True)

    pin(ana, first.answer)

    seen = window(ana, first.conversation).messages
    assert [row.pk for row in seen] == [first.message, first.answer, second.message, second.answer]


def test_a_pointer_and_somebody_elses_message_are_unknown(ana: Account, ben: Account, first: Begun) -> None:
    talk = conversation_of(ana, first.conversation)
    pointer = Message.objects.create(owner=ana, conversation=talk, role=Role.SYSTEM, content="[…]", place=first.message)

    for owner, message in ((ana, pointer.pk), (ben, first.message), (ana, 999_999)):
        with pytest.raises(UnknownError):
            pin(owner, message)
        with pytest.raises(UnknownError):
            unpin(owner, message)
    assert pinned(ana) == []


def test_a_cleared_conversation_keeps_its_drawer_and_nothing_out_of_the_window(
    ana: Account, first: Begun, second: Begun
) -> None:
    talk = conversation_of(ana, first.conversation)
    Message.objects.create(owner=ana, conversation=talk, role=Role.SYSTEM, content="[…]", place=first.message)
    pin(ana, second.message)
    Message.objects.filter(pk=second.answer).update(compacted=True)
    Conversation.objects.update(hot_upto=1)

    assert clear(ana, first.conversation) == 2

    assert words(ana, first.conversation) == ["And the disk?", "1 TB"]
    assert len(window(ana, first.conversation).messages) == 2
    assert not placed(talk).exists()
    assert Conversation.objects.get().hot_upto is None


def test_without_a_conversation_the_drawer_is_of_all_but_temporary_ones(ana: Account, first: Begun) -> None:
    other = ask(ana, "The other talk")
    hidden = ask(ana, "A temporary talk", temporary=True)
    for one in (first, other, hidden):
        pin(ana, one.message, partner=False)

    assert pinned(ana) == [first.message, other.message]
    assert pinned(ana, other.conversation) == [other.message]
    assert pinned(ana, hidden.conversation) == [hidden.message]


@pytest.mark.django_db(transaction=True)
def test_by_rest_it_is_read_pinned_and_unpinned(ana: Account, ben: Account, first: Begun) -> None:
    web = by_token(ana)

    done = web.ask("POST", "/drawer/pin", {"message_id": first.answer})
    assert (done.status_code, done.json()["ok"], done.json()["count"]) == (200, True, 2)
    rows = web.ask("GET", f"/drawer?conversation={first.conversation}").json()
    history = web.ask("GET", f"/history?conversation={first.conversation}").json()
    assert [row["content"] for row in rows] == ["Which port?", "8080"]
    assert all(row.items() >= {"pinned": True, "compacted": False}.items() for row in rows)
    assert set(rows[0]) - {"conversation", "title"} == set(history[0]) - {"siblings"}

    assert web.ask("POST", "/drawer/unpin", {"message_id": first.message}).json()["messages"] == [first.message]
    assert [row["id"] for row in web.ask("GET", "/drawer").json()] == [first.answer]
    web.ask("POST", "/drawer/unpin", {"message_id": first.answer})
    web.ask("POST", "/drawer/pin", {"message_id": first.answer, "partner": False})
    assert [row["id"] for row in web.ask("GET", "/drawer").json()] == [first.answer]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/drawer/pin", "/drawer/unpin"])
def test_by_rest_an_unknown_message_is_404_and_nonsense_422(
    ana: Account, ben: Account, first: Begun, path: str
) -> None:
    assert by_token(ana).ask("POST", path, {"message_id": 999_999}).status_code == 404
    assert by_token(ben).ask("POST", path, {"message_id": first.message}).status_code == 404
    assert by_token(ana).ask("POST", path, {"message_id": "x"}).status_code == 422
    assert by_token(ben).ask("GET", f"/drawer?conversation={first.conversation}").status_code == 404
