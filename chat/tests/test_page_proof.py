"""What stands under an answer after a reload: what its own runs saved, refused and were given."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from chat.models import Continuation, Conversation, Message, Role
from chat.page import thread
from forgesite.models import Account
from memory.models import Entry, Refusal, Rule
from memory.remember import Draft, remember
from traces.models import Run, Step

BY: dict[str, Any] = {"actor": "person", "cause": "test"}


@pytest.fixture
def talk(ana: Account) -> Conversation:
    """A question, and two answers to it: r1 and, as a retry, r2."""
    talk = Conversation.objects.create(owner=ana, title="Disks")
    asked = Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content="My NAS has four disks")
    for run in ("r1", "r2"):
        parent = None if run == "r1" else asked.pk
        Message.objects.create(
            owner=ana, conversation=talk, role=Role.ASSISTANT, content=f"Noted by {run}.", run_id=run, parent=parent
        )
    return talk


def saved(talk: Conversation, text: str) -> Entry:
    asked = talk.messages.get(role=Role.USER)
    return remember(talk.owner, Draft(text, conversation=talk.pk, message=asked.pk), **BY).entry


def run(owner: Account, run_id: str, *details: dict[str, Any]) -> None:
    made = Run.objects.create(owner=owner, run_id=run_id, started_at=timezone.now(), ok=True, total_ms=3)
    for number, detail in enumerate(details, 1):
        Step.objects.create(run=made, step=number, tool="remember", duration_ms=1, detail=detail)


def chips(owner: Account, talk: Conversation, run_id: str) -> list[tuple[str, str]]:
    answer = talk.messages.get(role=Role.ASSISTANT, run_id=run_id)
    [shown] = [one for one in thread(owner, talk, message=answer.pk).shown if one.message.pk == answer.pk]
    return [(kept.entry.text, " ".join(kept.notes)) for kept in shown.saved]


def test_several_saves_of_one_answer_stand_under_the_answer_that_made_them(ana: Account, talk: Conversation) -> None:
    first, second, third = (saved(talk, f"The NAS has disk {name}") for name in ("sda", "sdb", "sdc"))
    run(ana, "r1", {"saved": [{"id": second.pk, "notes": ["a note"]}]}, {"saved": [{"id": first.pk}]})
    run(ana, "r2", {"saved": [{"id": third.pk, "kind": "fact", "notes": []}]})

    assert chips(ana, talk, "r1") == [("The NAS has disk sdb", "a note"), ("The NAS has disk sda", "")]
    assert chips(ana, talk, "r2") == [("The NAS has disk sdc", "")]


def test_what_no_run_claims_stands_under_the_answer_to_its_message(ana: Account, talk: Conversation) -> None:
    saved(talk, "The NAS has four disks")
    assert chips(ana, talk, "r1") == [("The NAS has four disks", "")]


def test_what_an_earlier_run_of_the_answer_saved_stays_under_it(ana: Account, talk: Conversation) -> None:
    entry = saved(talk, "The NAS has four disks")
    run(ana, "r0", {"saved": [{"id": entry.pk}]})
    answer = talk.messages.get(run_id="r1")
    Continuation.objects.create(owner=ana, message=answer, run_id="r1", after="r0")
    Refusal.objects.create(owner=ana, rule=Rule.UNSTATED, text="Owns a boat", run_id="r0")

    assert chips(ana, talk, "r1") == [("The NAS has four disks", "")]


def test_an_entry_that_was_there_before_has_no_commit_to_undo(ana: Account, talk: Conversation) -> None:
    before = remember(ana, Draft("The NAS has four disks"), **BY).entry
    run(ana, "r1", {"saved": [{"id": before.pk}]})
    answer = talk.messages.get(run_id="r1")

    [shown] = [one for one in thread(ana, talk, message=answer.pk).shown if one.message.pk == answer.pk]

    assert [(kept.entry.pk, kept.commit) for kept in shown.saved] == [(before.pk, "")]


def test_what_was_forgotten_or_is_somebody_elses_leaves_no_chip(ana: Account, ben: Account, talk: Conversation) -> None:
    other = remember(ben, Draft("The safe opens with 4711"), **BY).entry
    run(ana, "r1", {"saved": [{"id": other.pk}, {"id": 999_999}]})

    assert chips(ana, talk, "r1") == []


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ({"entries": 14, "left_out": 0, "complete": True}, "<b>14</b> entries at the head of the prompt, complete"),
        ({"entries": 1, "left_out": 3, "complete": False}, "<b>1</b> entry at the head of the prompt · 3 left out"),
        ({"entries": 2, "left_out": 0, "complete": False}, "<b>2</b> entries at the head of the prompt</span>"),
    ],
)
def test_the_block_at_the_head_is_told_with_what_it_left_out(
    client: Client, ana: Account, talk: Conversation, block: dict[str, Any], words: str
) -> None:
    run(ana, "r2", {"entries": [], "hot_block": block | {"tokens": 412}})
    client.force_login(ana)

    assert words in client.get(f"/c/{talk.pk}/").content.decode()
