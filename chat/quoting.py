"""Tells memory the message that an entry was said in: its words, and where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chat.models import Message
from memory.evidence import Quote

if TYPE_CHECKING:
    from forgesite.models import Account


def quote(owner: Account, message_id: int) -> Quote | None:
    """None where the message is gone, or is not theirs."""
    said = Message.objects.of(owner).filter(pk=message_id).select_related("conversation").first()
    return Quote(said.conversation_id, said.pk, said.content, said.conversation.title) if said else None
