"""Branches through what else befalls a conversation: clearing, deleting, searching, an import, a restart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chat.erase import take
from chat.errors import BusyError
from chat.history import (
    clear,
    conversation_of,
    delete_conversation,
    show_branch,
    thread,
)
from chat.importing import bring_in
from chat.models import Conversation, Message, Role, State
from chat.page import sidebar
from chat.persist import Begun, begin, end
from chat.tests.talks import ask, words
from forgesite.errors import ConflictError, UnknownError
from forgesite.models import Account

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_pinned_of_every_branch_stay_in_sight_after_clearing(ana: Account, first: Begun, second: Begun) -> None:
    edit = ask(ana, "And the memory?", conversation=first.conversation, parent=first.answer)
    show_branch(ana, first.conversation, second.message)
    Message.objects.filter(pk__in=[second.message, edit.message]).update(pinned=True)

    assert clear(ana, first.conversation) == 4
    assert conversation_of(ana, first.conversation).tip is None
    assert words(ana, first.conversation) == ["And the disk?", "And the memory?"]
    assert words(ana, ask(ana, "Go on", conversation=first.conversation).conversation)[2:] == ["Go on", "re: Go on"]


def test_a_message_taken_out_leaves_its_branch_the_rest_of_itself(ana: Account, first: Begun, second: Begun) -> None:
    edit = ask(ana, "And the memory?", conversation=first.conversation, parent=first.answer)
    take(ana, [edit.message])

    assert words(ana, first.conversation) == ["Which port?", "8080", "re: And the memory?"]
    show_branch(ana, first.conversation, second.answer)
    assert words(ana, first.conversation) == ["Which port?", "8080", "And the disk?", "1 TB"]
    with pytest.raises(UnknownError):
        show_branch(ana, first.conversation, edit.message)


def test_an_answer_without_its_question_is_not_retried(ana: Account, first: Begun) -> None:
    take(ana, [first.message])
    with pytest.raises(ConflictError, match="not here any more"):
        ask(ana, "", conversation=first.conversation, retry=first.answer)


def test_a_search_finds_a_hidden_branch_and_the_message_to_open(ana: Account, first: Begun, second: Begun) -> None:
    ask(ana, "And the memory?", conversation=first.conversation, parent=first.answer)
    [found] = sidebar(ana, "the disk").groups[0].conversations

    assert (found.id, getattr(found, "hit", None)) == (first.conversation, second.message)
    assert "And the disk?" not in words(ana, first.conversation)


def test_another_branch_is_not_brought_in_sight_while_one_answers(ana: Account, second: Begun) -> None:
    begin(ana, "", run_id="r9", conversation=second.conversation, retry=second.answer)
    with pytest.raises(BusyError):
        show_branch(ana, second.conversation, second.answer)


def test_a_conversation_deleted_meanwhile_takes_the_run_with_it(ana: Account) -> None:
    begun = ask(ana, "Count to three", State.CUT)
    more = begin(ana, "", run_id="r2", client_id="c2", conversation=begun.conversation, go_on=begun.answer)
    delete_conversation(ana, begun.conversation)
    end(more, "two", state=State.COMPLETE, answered=True, indexable=False)

    assert (Conversation.objects.count(), Message.objects.count()) == (0, 0)
    with pytest.raises(UnknownError):
        begin(ana, "", run_id="r3", client_id="c2", conversation=begun.conversation, go_on=begun.answer)


def test_a_tip_that_was_deleted_gives_way_to_what_is_left(ana: Account, first: Begun, second: Begun) -> None:
    ask(ana, "And the memory?", conversation=first.conversation, parent=first.answer)
    show_branch(ana, first.conversation, second.answer)
    Message.objects.filter(pk__in=[second.message, second.answer]).delete()

    assert words(ana, first.conversation)[:2] == ["Which port?", "8080"]
    assert conversation_of(ana, first.conversation).tip == second.answer
    assert len(words(ana, ask(ana, "Go on", conversation=first.conversation).conversation)) == 6


def test_of_a_thousand_branches_each_is_read_whole(ana: Account, first: Begun) -> None:
    rows = [
        Message(
            owner=ana, conversation_id=first.conversation, role=Role.ASSISTANT, content=str(n), parent=first.message
        )
        for n in range(1200)
    ]
    long = [
        Message(owner=ana, conversation_id=first.conversation, role=Role.USER, content=f"line {n}") for n in range(1200)
    ]
    Message.objects.bulk_create([*rows, *long])

    assert words(ana, first.conversation) == ["Which port?", "1199", *(f"line {n}" for n in range(1200))]


def export(*said: str) -> list[dict[str, object]]:
    """Of Claude: the person and the assistant in turn."""
    messages = [
        {
            "uuid": f"m{n}",
            "sender": "assistant" if n % 2 else "human",
            "text": text,
            "created_at": "2025-06-21T20:24:43Z",
        }
        for n, text in enumerate(said)
    ]
    return [{"uuid": "c1", "name": "The port", "created_at": "2025-06-21T20:24:43Z", "chat_messages": messages}]


def bring(owner: Account, folder: Path, *said: str) -> str:
    path = folder / "conversations.json"
    path.write_text(json.dumps(export(*said)))
    bring_in(owner, [path])
    return Conversation.objects.of(owner).get().id


def test_an_import_goes_on_from_what_was_imported_and_hides_nothing(ana: Account, tmp_path: Path) -> None:
    talk = bring(ana, tmp_path, "Which port do we use?", "Port 8080.")
    own = ask(ana, "And the disk?", answer="1 TB", conversation=talk)
    bring(ana, tmp_path, "Which port do we use?", "Port 8080.", "And the backup?", "At three at night.")

    assert words(ana, talk) == ["Which port do we use?", "Port 8080.", "And the disk?", "1 TB"]
    asked, brought = thread(ana, talk)[2], Message.objects.get(content="And the backup?")
    assert (asked.pk, brought.parent) == (own.message, thread(ana, talk)[1].pk)
    show_branch(ana, talk, brought.pk)
    assert words(ana, talk)[1:] == ["Port 8080.", "And the backup?", "At three at night."]


def test_an_import_into_a_conversation_left_alone_makes_no_branch(ana: Account, tmp_path: Path) -> None:
    talk = bring(ana, tmp_path, "Which port do we use?", "Port 8080.")
    bring(ana, tmp_path, "Which port do we use?", "Port 8080.", "And the backup?", "At three at night.")

    assert words(ana, talk)[2:] == ["And the backup?", "At three at night."]
    assert not Message.objects.exclude(parent=None).exists()
