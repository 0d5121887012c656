"""Conversations and their messages: list, read, rename, clear, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from chat.models import Conversation, Message, State

if TYPE_CHECKING:
    from forgesite.models import Account


def conversations(owner: Account, q: str = "", *, archived: bool = False) -> QuerySet[Conversation]:
    """Newest first, without the temporary ones. `q` is looked for in titles and messages, as typed."""
    found = Conversation.objects.of(owner).filter(archived=archived, temporary=False)
    if not q.strip():
        return found
    holding = Message.objects.of(owner).filter(content__icontains=q.strip()).values("conversation")
    return found.filter(Q(title__icontains=q.strip()) | Q(id__in=holding))


def conversation_of(owner: Account, conversation_id: str) -> Conversation:
    """Raises UnknownError."""
    found: Conversation = Conversation.objects.one_of(owner, id=conversation_id)
    return found


def latest(owner: Account) -> Conversation | None:
    """The one that moved last; temporary ones aside."""
    return conversations(owner).first()


def thread(owner: Account, conversation_id: str | None = None) -> list[Message]:
    """The messages of one conversation, oldest first; of the latest when none is named."""
    talk = conversation_of(owner, conversation_id) if conversation_id else latest(owner)
    return [] if talk is None else list(Message.objects.of(owner).filter(conversation=talk))


def branch(owner: Account, conversation_id: str, *, upto: int | None = None) -> list[Message]:
    """The messages of the branch in sight, oldest first; of the one that ends just before message `upto`."""
    talk = conversation_of(owner, conversation_id)
    held = Message.objects.of(owner).filter(conversation=talk)
    return list(held if upto is None else held.filter(pk__lt=upto))


def create_conversation(owner: Account, *, title: str = "", temporary: bool = False) -> Conversation:
    return Conversation.objects.create(owner=owner, title=title.strip()[:200], temporary=temporary)


def rename_conversation(owner: Account, conversation_id: str, title: str) -> Conversation:
    talk = conversation_of(owner, conversation_id)
    talk.title = title.strip()[:200]
    talk.save(update_fields=["title"])
    return talk


def mark_conversation(
    owner: Account, conversation_id: str, *, pinned: bool | None = None, archived: bool | None = None
) -> Conversation:
    """Pin or archive; None leaves that mark as it is."""
    talk = conversation_of(owner, conversation_id)
    talk.pinned = talk.pinned if pinned is None else pinned
    talk.archived = talk.archived if archived is None else archived
    talk.save(update_fields=["pinned", "archived"])
    return talk


def delete_conversation(owner: Account, conversation_id: str) -> None:
    """With all its messages. What memory holds from it stays."""
    conversation_of(owner, conversation_id).delete()


@transaction.atomic
def clear(owner: Account, conversation_id: str | None = None, *, pinned: bool = False, but_run: str = "") -> int:
    """Remove the messages of a conversation; pinned ones and the run at work stay. How many went."""
    talk = conversation_of(owner, conversation_id) if conversation_id else latest(owner)
    if talk is None:
        return 0
    gone = Message.objects.of(owner).filter(conversation=talk).exclude(state=State.RUNNING)
    gone = gone.exclude(run_id=but_run) if but_run else gone
    removed, _rows = (gone if pinned else gone.filter(pinned=False)).delete()
    Conversation.objects.filter(pk=talk.pk).update(updated_at=timezone.now())
    return removed


def interrupt_orphans() -> int:
    """Mark the answers that a killed process left running. Called before the server takes its first request."""
    return Message.objects.filter(state=State.RUNNING).update(state=State.INTERRUPTED)
