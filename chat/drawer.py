"""The drawer: messages that a person pinned. They stay in the window, through compaction, caps and a cleared thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from chat.branches import asked_by, held, sight_of
from chat.history import conversation_of
from chat.models import Conversation, Message, Role
from forgesite.errors import UnknownError

if TYPE_CHECKING:
    from forgesite.models import Account


@dataclass(frozen=True)
class Pinned:
    """The messages that were named, in order, and how many their conversation has in the drawer now."""

    messages: tuple[Message, ...]
    count: int


def pin(owner: Account, message_id: int, *, partner: bool = True) -> Pinned:
    """Pin a message, with its `partner` the question or answer beside it in its branch, and have both in the window.

    Raises UnknownError. Pinned already: it stays so.
    """
    message = _message(owner, message_id)
    beside = _partner(message) if partner else None
    named = tuple(sorted((one for one in (message, beside) if one), key=lambda one: one.pk))
    rows = Message.objects.filter(pk__in=[one.pk for one in named])
    rows.update(pinned=True, compacted=False)
    return Pinned(named, count(message.conversation))


def unpin(owner: Account, message_id: int) -> Pinned:
    """This message alone; its partner stays. It stays in the window until the next compaction. Raises UnknownError."""
    message = _message(owner, message_id)
    Message.objects.filter(pk=message.pk).update(pinned=False)
    return Pinned((message,), count(message.conversation))


def drawer(owner: Account, conversation: str | None = None) -> list[Message]:
    """What is pinned in a conversation, on whichever branch, in its order; or in all of them but the temporary ones.

    Raises UnknownError for a conversation that is not theirs.
    """
    rows = Message.objects.of(owner).filter(pinned=True, place=None).select_related("conversation")
    if conversation:
        rows = rows.filter(conversation=conversation_of(owner, conversation))
    else:
        rows = rows.filter(conversation__temporary=False)
    return list(rows.order_by("id"))


def count(talk: Conversation) -> int:
    return held(talk).filter(pinned=True).count()


def _message(owner: Account, message_id: int) -> Message:
    found = Message.objects.of(owner).filter(pk=message_id, place=None).select_related("conversation").first()
    if found is None:
        raise UnknownError(_("You have no message %(id)s.") % {"id": message_id})
    return found


def _partner(message: Message) -> Message | None:
    """An answer's question; a question's answer on the branch in sight, or else on the newest that holds it."""
    talk = message.conversation
    if message.role == Role.ASSISTANT:
        return asked_by(talk, message.pk)
    sight = sight_of(talk, of=message.pk)
    later = held(talk).filter(pk__gt=message.pk).order_by("id")
    if sight.tree is not None:
        follows = sight.path.index(message.pk) + 1
        later = later.filter(pk__in=sight.path[follows : follows + 1])
    found = later.first()
    return found if found and found.role == Role.ASSISTANT else None
