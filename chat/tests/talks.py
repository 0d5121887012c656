"""Turns through their two ends, for tests of what is stored: no run between them."""

from __future__ import annotations

from typing import Any

from chat.history import thread
from chat.models import State, new_id
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
