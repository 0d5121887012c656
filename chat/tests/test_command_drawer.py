"""!pin, !unpin and !drawer; and !new and !temp by the API."""

from __future__ import annotations

import re

import pytest

from chat.drawer import drawer
from chat.models import Conversation, Message
from chat.persist import Begun
from chat.tests.test_commands import say
from forgesite.models import Account

pytestmark = pytest.mark.django_db(transaction=True)


def pinned(owner: Account) -> list[int]:
    return [message.pk for message in drawer(owner)]


def test_a_message_is_pinned_with_its_answer_and_listed(ana: Account, first: Begun, second: Begun) -> None:
    output = say(ana, f"!pin #{second.answer}", conversation=first.conversation).output

    line = f"- #{second.message} person: And the disk?\n- #{second.answer} assistant: 1 TB"
    assert output == f"Pinned:\n\n{line}\n\n2 messages are in the drawer."
    listed = say(ana, "!drawer", conversation=first.conversation).output
    assert listed == f"2 messages are in the drawer.\n\n{line}"


def test_alone_it_pins_the_last_exchange_that_was_no_command(ana: Account, first: Begun, second: Begun) -> None:
    say(ana, "!memory", conversation=first.conversation)
    say(ana, "!pin", conversation=first.conversation)
    assert pinned(ana) == [second.message, second.answer]


def test_with_nothing_said_before_it_says_what_it_takes(ana: Account) -> None:
    assert say(ana, "!pin").output == "Usage: `!pin [message]`"


def test_only_the_message_that_is_named_is_unpinned(ana: Account, first: Begun, second: Begun) -> None:
    say(ana, f"!pin {second.answer}", conversation=first.conversation)

    output = say(ana, f"!unpin {second.message}", conversation=first.conversation).output

    assert output.startswith(f"No longer pinned:\n\n- #{second.message} ")
    assert pinned(ana) == [second.answer]


def test_what_is_pinned_survives_clearing(ana: Account, first: Begun, second: Begun) -> None:
    say(ana, f"!pin {first.answer}", conversation=first.conversation)
    say(ana, "!clear", conversation=first.conversation)
    assert pinned(ana) == [first.message, first.answer]
    assert not Message.objects.filter(pk=second.answer).exists()


def test_an_empty_drawer_says_how_to_fill_it(ana: Account) -> None:
    assert "`!pin`" in say(ana, "!drawer").output


@pytest.mark.parametrize("number", ["999999", "9" * 18, "9" * 30])
def test_somebody_elses_and_unknown_messages_are_not_pinned(
    ana: Account, ben: Account, first: Begun, number: str
) -> None:
    assert say(ben, f"!pin {first.answer}").output == f"You have no message {first.answer}."
    assert re.match("You have no message|Usage", say(ana, f"!pin {number}").output)
    assert pinned(ana) == []


@pytest.mark.parametrize("command", ["!unpin", "!unpin x", "!pin x", "!drawer x", "!new x", "!temp x"])
def test_a_command_that_is_misused_says_what_it_takes(ana: Account, command: str) -> None:
    assert say(ana, command).output.startswith(f"Usage: `{command.split()[0]}")


@pytest.mark.parametrize(("command", "temporary"), [("!new", False), ("!temp", True)])
def test_by_the_api_another_conversation_is_made_and_named(ana: Account, command: str, temporary: bool) -> None:
    result = say(ana, command)

    made = Conversation.objects.exclude(pk=result.conversation).get()
    assert made.temporary is temporary
    assert f"[`{made.pk}`](/c/{made.pk}/)" in result.output
