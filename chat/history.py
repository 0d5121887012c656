"""Conversations and their messages: list, read, change, clear, delete."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.branches import Placed, held, message_of, path_before, placed, sight_before, sight_of, tree_of
from chat.domain.branches import NOTHING, Tree
from chat.errors import BusyError
from chat.models import Conversation, Message, State
from forgesite.model_servers import check_choice

if TYPE_CHECKING:
    from forgesite.models import Account


@dataclass(frozen=True)
class Seen:
    """`messages` oldest first; `pointers` (and summaries) stand for those that are in it no more."""

    messages: tuple[Message, ...]
    pointers: tuple[Message, ...]


def conversations(owner: Account, q: str = "", *, archived: bool = False) -> QuerySet[Conversation]:
    """Newest first, without the temporary ones. `q` is looked for in titles and messages, as typed.

    In the messages of every branch: `hit` is the newest that holds it, or None where only the title does.
    """
    found = Conversation.objects.of(owner).filter(archived=archived, temporary=False)
    if not q.strip():
        return found
    # Nobody typed a pointer or a summary, and what they stand for is searched itself.
    holding = Message.objects.of(owner).filter(content__icontains=q.strip(), place=None)
    hit = Subquery(holding.filter(conversation=OuterRef("pk")).order_by("-id").values("id")[:1])
    return found.filter(Q(title__icontains=q.strip()) | Q(id__in=holding.values("conversation"))).annotate(hit=hit)


def conversation_of(owner: Account, conversation_id: str) -> Conversation:
    """Raises UnknownError."""
    found: Conversation = Conversation.objects.one_of(owner, id=conversation_id)
    return found


def latest(owner: Account) -> Conversation | None:
    """The one that moved last; temporary ones aside."""
    return conversations(owner).first()


def thread(owner: Account, conversation_id: str | None = None) -> list[Message]:
    """The branch in sight of one conversation, oldest first; of the latest when none is named."""
    talk = conversation_of(owner, conversation_id) if conversation_id else latest(owner)
    return [] if talk is None else [one.message for one in sight_of(talk).rows()]


def page(
    owner: Account,
    conversation_id: str | None,
    *,
    of: int | None = None,
    every: bool = False,
    before: int | None = None,
    limit: int,
) -> list[Placed]:
    """The newest messages before one, placed in their branch: that in sight, that of message `of`, or `every` one.

    Raises UnknownError for a conversation or a message that is not theirs.
    """
    talk = conversation_of(owner, conversation_id) if conversation_id else latest(owner)
    if talk is None:
        return []
    if of is not None:
        message_of(talk, of)
    sight = sight_of(talk, of=of, every=every)
    return _with_pointers(sight.rows(before=before, limit=limit), sight.pointers())


def _with_pointers(rows: list[Placed], pointers: list[Message]) -> list[Placed]:
    """Each pointer before the message that it stands before, or before what follows that, where that is gone."""
    standing = defaultdict(list)
    ids = [row.message.pk for row in rows]
    begins = bool(rows) and rows[0].parent == NOTHING
    for pointer in pointers:
        place = bisect_left(ids, pointer.place or 0)
        # One that names a message before the first of these has its place on an earlier page, where there is one.
        if place < len(ids) and (place or begins or pointer.place == ids[0]):
            standing[ids[place]].append(pointer)
    return [
        shown for row in rows for shown in (*(Placed(pointer, row.parent) for pointer in standing[row.message.pk]), row)
    ]


def window(owner: Account, conversation_id: str, *, upto: int | None = None) -> Seen:
    """What a prompt of the branch in sight can still see; of the branch that ends just before message `upto`."""
    talk = conversation_of(owner, conversation_id)
    sight = sight_of(talk) if upto is None else sight_before(talk, upto)
    return Seen(tuple(sight.window(before=upto)), tuple(sight.pointers()))


def branch(owner: Account, conversation_id: str, *, upto: int | None = None, limit: int | None = None) -> list[Message]:
    """The messages of the branch in sight, oldest first; of the one that ends just before message `upto`.

    `limit`: only the newest so many.
    """
    talk = conversation_of(owner, conversation_id)
    if upto is not None:
        return path_before(talk, upto, limit=limit)
    return [one.message for one in sight_of(talk).rows(limit=limit)]


def show_branch(owner: Account, conversation_id: str, message_id: int) -> Conversation:
    """Bring the newest branch in sight that holds this message. Raises UnknownError, and BusyError while one answers.

    Not while one answers: its frames would land under the messages of another branch.
    """
    talk = conversation_of(owner, conversation_id)
    message_of(talk, message_id)
    if held(talk).filter(state=State.RUNNING).exists():
        raise BusyError(_("This conversation is still answering. Wait for its end, or stop it."))
    found = tree_of(talk)
    talk.tip = None if found is None else _tip(found, message_id)
    talk.save(update_fields=["tip"])
    return talk


def _tip(found: Tree, message_id: int) -> int | None:
    leaf = found.leaf(message_id)
    return None if leaf == found.ids[-1] else leaf


def create_conversation(
    owner: Account, *, title: str = "", temporary: bool = False, server: str = "", model: str = ""
) -> Conversation:
    """Raises InvalidError for a server that is not configured."""
    check_choice(server, model)
    return Conversation.objects.create(
        owner=owner, title=title.strip()[:200], temporary=temporary, server=server, model=model
    )


def change_conversation(
    owner: Account,
    conversation_id: str,
    *,
    title: str | None = None,
    pinned: bool | None = None,
    archived: bool | None = None,
    server: str | None = None,
    model: str | None = None,
) -> Conversation:
    """None leaves that as it is. Another server without a model takes its own. Raises InvalidError for an unknown one.

    It moves no date: what was said last is where it was.
    """
    talk = conversation_of(owner, conversation_id)
    if server is not None and server != talk.server and model is None:
        model = ""
    asked = {"title": title and title.strip()[:200], "pinned": pinned, "archived": archived}
    changes = {name: value for name, value in (asked | {"server": server, "model": model}).items() if value is not None}
    for name, value in changes.items():
        setattr(talk, name, value)
    if "server" in changes or "model" in changes:
        check_choice(talk.server, talk.model)
    talk.save(update_fields=list(changes))
    return talk


def delete_conversation(owner: Account, conversation_id: str) -> None:
    """With all its messages. What memory holds from it stays."""
    conversation_of(owner, conversation_id).delete()


@transaction.atomic
def clear(owner: Account, conversation_id: str | None = None, *, pinned: bool = False, but_run: str = "") -> int:
    """Remove the messages of a conversation; pinned ones and the run at work stay. How many went.

    Pointers and summaries go uncounted, and what stays is in the window.
    """
    talk = conversation_of(owner, conversation_id) if conversation_id else latest(owner)
    if talk is None:
        return 0
    gone = held(talk).exclude(state=State.RUNNING)
    gone = gone.exclude(run_id=but_run) if but_run else gone
    _all, removed = (gone if pinned else gone.filter(pinned=False)).delete()
    placed(talk).delete()
    # What stays follows one another: a branch of one pinned message would hide the others.
    held(talk).filter(parent__isnull=False).update(parent=None)
    held(talk).filter(compacted=True).update(compacted=False)
    # Its prompts begin anew: nothing of them is worth keeping as it was.
    Conversation.objects.filter(pk=talk.pk).update(updated_at=timezone.now(), tip=None, hot_upto=None)
    return removed.get(Message._meta.label, 0)


def interrupt_orphans() -> int:
    """Mark the answers that a killed process left running. Called before the server takes its first request."""
    return Message.objects.filter(state=State.RUNNING).update(state=State.INTERRUPTED)
