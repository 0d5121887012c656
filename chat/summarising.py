"""A summary of messages that leave the window: by the conversation's model, else extracts that say what they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chat.domain.summary import extracts
from chat.domain.transcript import Message

if TYPE_CHECKING:
    from chat.models import Conversation


@dataclass(frozen=True)
class Summary:
    """`extracts`: no model wrote it."""

    text: str
    extracts: bool


def summarise(talk: Conversation, said: Sequence[Message], before: str) -> Summary:
    return Summary(extracts(said, before), extracts=True)
