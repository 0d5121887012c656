"""Turns through their two ends, for tests of what is stored: no run between them."""

from __future__ import annotations

from typing import Any

from chat.history import create_conversation, thread
from chat.models import Conversation, Message, Role, State, new_id
from chat.persist import Begun, begin, end
from forgesite.models import Account


def ask(owner: Account, text: str = "", state: State = State.COMPLETE, answer: str = "", **fields: Any) -> Begun:
    """One turn through its two ends. The answer says `re: ` and what was asked."""
    begun = begin(owner, text, run_id=new_id(), **fields)
    said = begun.so_far + (answer or f"re: {begun.text}")
    end(begun, said, state=state, answered=state == State.COMPLETE, indexable=False)
    return begun


def words(owner: Account, conversation: str) -> list[str]:
    return [message.content for message in thread(owner, conversation)]


def talk_of(owner: Account, exchanges: int, *, first: int = 0, conversation: str = "", **rows: Any) -> Conversation:
    """Exchanges as turns with a model store them."""
    talk = Conversation.objects.get(pk=conversation) if conversation else create_conversation(owner)
    for number in range(first, first + exchanges):
        common = {"owner": owner, "conversation": talk, "run_id": f"run{number}", **rows}
        Message.objects.create(role=Role.USER, content=f"My plant number {number} stands in room {number}.", **common)
        said = f"Then room {number} is green."
        Message.objects.create(role=Role.ASSISTANT, content=said, model="scripted-1", **common)
    return talk
