"""Pointers outlive what is deleted around them, and go with what they stand for."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from chat.history import clear, page
from chat.leaving.compaction import compact
from chat.models import Message, Role
from chat.tests.talks import ask, talk_of
from forgesite.models import Account
from memory.forget import forget
from memory.models import Entry


@pytest.fixture(autouse=True)
def _small(settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"COMPACTION_KEEP_RECENT": 4})


def shown(owner: Account, talk: str) -> list[str]:
    return [one.message.content for one in page(owner, talk, limit=100)]


@pytest.mark.parametrize("branched", [False, True])
def test_a_pointer_whose_first_message_is_deleted_stands_before_the_next(ana: Account, branched: bool) -> None:
    talk = talk_of(ana, 5)
    if branched:
        answers = Message.objects.filter(role=Role.ASSISTANT).order_by("id")
        ask(ana, "And the palm?", conversation=talk.pk, parent=answers[1].pk)
        talk.tip = answers[4].pk
        talk.save(update_fields=["tip"])
    done = compact(ana, talk.pk, forced=True)
    entry = Entry.objects.order_by("id").first()
    assert entry

    forget(ana, [entry.pk], actor="person", cause="test", my_message=True)

    assert shown(ana, talk.pk)[:2] == [done.pointer, "Then room 0 is green."]


def test_a_cleared_conversation_has_no_pointers(ana: Account) -> None:
    talk = talk_of(ana, 5)
    compact(ana, talk.pk, forced=True)

    clear(ana, talk.pk)

    assert shown(ana, talk.pk) == []
    assert not Message.objects.exists()


def test_a_pointer_whose_messages_are_all_deleted_goes(ana: Account) -> None:
    from chat.branches import unhook

    talk = talk_of(ana, 5)
    compact(ana, talk.pk, forced=True)
    unhook(talk, Message.objects.filter(place=None).values_list("pk", flat=True))

    assert not Message.objects.filter(place__isnull=False).exists()
