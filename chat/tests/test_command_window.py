"""!compact and !context."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from chat.branches import placed
from chat.history import conversation_of, window
from chat.models import Message, Notice
from chat.persist import Begun
from chat.tests.talks import ask
from chat.tests.test_commands import know, say
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel

pytestmark = pytest.mark.django_db(transaction=True)


def forge(**update: Any) -> override_settings:
    return override_settings(FORGE=settings.FORGE.model_copy(update=update))


@pytest.fixture
def talk(ana: Account, first: Begun, second: Begun) -> str:
    """Four exchanges, of which the last can stay."""
    for text in ("The NAS has four disks", "The router is in the cellar"):
        ask(ana, text, conversation=first.conversation)
    Message.objects.update(indexable=True)
    return first.conversation


def test_compact_says_what_left_the_window_and_where_it_went(ana: Account, talk: str) -> None:
    with forge(COMPACTION_KEEP_RECENT=4):
        output = say(ana, "!compact", conversation=talk).output

    [pointer] = placed(conversation_of(ana, talk))
    assert output.startswith("Messages that left the window: ")
    assert output.endswith(pointer.content)
    assert Message.objects.filter(compacted=True).exists()
    assert {message.content for message in window(ana, talk).messages} >= {"!compact", output}
    assert "thread" in Notice.objects.values_list("what", flat=True)


def test_compact_with_nothing_to_take_says_why(ana: Account, talk: str) -> None:
    output = say(ana, "!compact", conversation=talk).output

    assert output.startswith("Nothing to compact: the window holds ")
    assert "the newest 20 stay" in output
    assert not Message.objects.filter(compacted=True).exists()


def test_compact_says_why_a_temporary_conversation_is_not(ana: Account) -> None:
    assert "temporary" in say(ana, "!compact", temporary=True).output


def test_context_tells_the_parts_of_the_next_prompt(ana: Account, talk: str, model: ScriptedModel) -> None:
    know(ana)

    whole, parts = say(ana, "!context", conversation=talk).output.split("\n\n")

    assert "of 8,192 tokens (" in whole
    assert parts.startswith("memory ")
    assert "history" in parts
    assert not model.prompts


def test_context_without_a_model_tells_the_number_alone(ana: Account, talk: str) -> None:
    output = say(ana, "!context", conversation=talk).output
    assert "no model’s window is known" in output


@pytest.mark.parametrize("command", ["!compact now", "!context x"])
def test_what_follows_is_not_lost_in_silence(ana: Account, command: str) -> None:
    assert say(ana, command).output == f"Usage: `{command.split()[0]}`"
