"""With a message that a person takes away goes what was asked by it, of every run that answered it."""

from __future__ import annotations

import pytest
from django.utils import timezone

from chat.erase import take
from chat.history import create_conversation
from chat.models import Message, Role
from forgesite.models import Account
from memory.models import Receipt

pytestmark = pytest.mark.django_db


def test_the_questions_of_its_run_and_of_a_retry_go_and_no_others(ana: Account) -> None:
    talk = create_conversation(ana)
    said = [
        Message.objects.create(owner=ana, conversation=talk, role=role, content="heron", run_id=run, parent=parent)
        for role, run, parent in ((Role.USER, "a", None), (Role.ASSISTANT, "a", None), (Role.USER, "b", None))
    ]
    Message.objects.create(
        owner=ana, conversation=talk, role=Role.ASSISTANT, content="heron", run_id="c", parent=said[0].pk
    )
    for number, run in enumerate("abc", 1):
        Receipt.objects.create(
            owner=ana, number=number, address=run * 64, at=timezone.now(), run_id=run, tick=0, body={}, salt="5",
            questions=[{"text": "Where is the heron?"}],
        )  # fmt: skip
    take(ana, [said[0].pk])
    assert {row.run_id: bool(row.questions) for row in Receipt.objects.all()} == {"a": False, "b": True, "c": False}
