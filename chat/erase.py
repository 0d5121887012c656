"""Takes forgotten texts out of conversations: quotations in answers, titles, and on request what the person typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chat.branches import unhook
from chat.models import Conversation, Message, Role
from traces.holding import holding
from traces.masking import Forgotten, forgotten, masked

if TYPE_CHECKING:
    from forgesite.models import Account


def erase(owner: Account, texts: Sequence[str], ids: Sequence[int]) -> None:
    """Every quotation becomes `[forgotten #id]`, inside the transaction that forgets."""
    gone = forgotten(texts, ids)
    for message in Message.objects.of(owner).exclude(role=Role.USER).filter(holding(["content"], gone)):
        _message(message, gone)
    for talk in Conversation.objects.of(owner).filter(holding(["title"], gone)):
        title = masked(talk.title, gone)[:200]
        if title != talk.title:
            Conversation.objects.filter(pk=talk.pk).update(title=title)


def take(owner: Account, message_ids: Sequence[int]) -> None:
    """Delete what the person typed, where they asked for it. The answer to it stays, with its marks.

    So does every branch: what followed the message follows now what the message did.
    """
    typed = Message.objects.of(owner).filter(pk__in=message_ids, role=Role.USER)
    for talk in Conversation.objects.of(owner).filter(pk__in=typed.values("conversation")):
        unhook(talk, typed.filter(conversation=talk).values_list("pk", flat=True))
    typed.delete()


def _message(message: Message, gone: Sequence[Forgotten]) -> None:
    content = masked(message.content, gone)
    if content != message.content:
        Message.objects.filter(pk=message.pk).update(content=content)
