"""Which messages of a conversation are in sight, read as cheaply as its branches allow."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from chat.domain.branches import NOTHING, Tree, tree
from chat.models import Conversation, Message, Role
from forgesite.errors import UnknownError

#: Rows asked for by id at once: SQLite binds no more than 32,766 values, and older ones 999.
AT_ONCE = 500


@dataclass(frozen=True)
class Placed:
    """A message in its branch. `parent`: the one it follows, 0 for none. `siblings`: its alternatives, itself too."""

    message: Message
    parent: int
    siblings: tuple[int, ...] = ()


def held(talk: Conversation) -> QuerySet[Message]:
    """Its owner's messages alone: whoever has the conversation was asked whose it is. No pointers, no summaries."""
    return Message.objects.filter(owner_id=talk.owner_id, conversation=talk, place=None)


def placed(talk: Conversation) -> QuerySet[Message]:
    """Its pointers and summaries, oldest first."""
    return Message.objects.filter(owner_id=talk.owner_id, conversation=talk, place__isnull=False).order_by("id")


def message_of(talk: Conversation, message: int) -> Message:
    """Raises UnknownError."""
    found = held(talk).filter(pk=message).first()
    if found is None:
        raise UnknownError(_("There is no message %(id)s in this conversation.") % {"id": message})
    return found


@dataclass(frozen=True)
class Sight:
    """One branch of a conversation, nothing of it read yet. `tree` is None where there is but one.

    `path` of a conversation without branches is empty: its order is the order of its rows.
    """

    talk: Conversation
    tree: Tree | None
    path: tuple[int, ...]
    end: int

    def window(self, *, before: int | None = None) -> list[Message]:
        """Oldest first, what a prompt can still see."""
        seen = held(self.talk).filter(compacted=False).order_by("id")
        seen = seen if before is None else seen.filter(pk__lt=before)
        path = None if self.tree is None else frozenset(self.path)
        return [message for message in seen if path is None or message.pk in path]

    def pointers(self) -> list[Message]:
        """The pointers and summaries that stand on this branch, oldest first."""
        path = None if self.tree is None else frozenset(self.path)
        return [message for message in placed(self.talk) if path is None or message.place in path]

    def rows(self, *, before: int | None = None, limit: int | None = None) -> list[Placed]:
        """Oldest first: only what came before a message, and only the newest `limit`. Without pointers."""
        if self.tree is None:
            return _line(held(self.talk), before, limit)
        ids = self.path if before is None else [one for one in self.path if one < before]
        rows = _rows(self.talk, ids if limit is None else ids[-limit:])
        return [Placed(row, self.tree.parents[row.pk], self.tree.siblings(row.pk)) for row in rows]


def sight_of(talk: Conversation, *, of: int | None = None, every: bool = False) -> Sight:
    """The branch in sight; for a message `of` that it does not hold, the newest that does; or `every` message there is.

    Every message is read as if it were one branch.
    """
    found = tree_of(talk)
    if found is None:
        return Sight(talk, None, (), newest_id(talk))
    path = found.path(found.end(talk.tip))
    if of is not None and of not in path:
        path = found.path(found.end(of))
    return Sight(talk, found, found.ids if every else path, path[-1])


def _line(rows: QuerySet[Message], before: int | None, limit: int | None) -> list[Placed]:
    """One message more than asked for is read: the one that the first of them follows."""
    rows = (rows if before is None else rows.filter(pk__lt=before)).order_by("-id")
    read = list(rows if limit is None else rows[: limit + 1])[::-1]
    line = [Placed(row, parent) for row, parent in zip(read, [NOTHING, *(row.pk for row in read)], strict=False)]
    return line if limit is None else line[-limit:]


def sight_before(talk: Conversation, message: int) -> Sight:
    """The branch that ends with a message."""
    found = tree_of(talk)
    return Sight(talk, found, found.path(message) if found else (), message)


def path_before(talk: Conversation, message: int, *, limit: int | None = None) -> list[Message]:
    """What came before a message in its branch, oldest first."""
    return [one.message for one in sight_before(talk, message).rows(before=message, limit=limit)]


def _rows(talk: Conversation, ids: Sequence[int]) -> Iterator[Message]:
    for start in range(0, len(ids), AT_ONCE):
        yield from held(talk).filter(pk__in=ids[start : start + AT_ONCE]).order_by("id")


def tree_of(talk: Conversation) -> Tree | None:
    """The whole of it, without the texts; None where each message follows the one before it."""
    rows = held(talk)
    if not rows.filter(parent__isnull=False).exists():
        return None
    return tree(rows.order_by("id").values_list("id", "parent"))


def newest_id(talk: Conversation) -> int:
    """0 in an empty conversation."""
    return held(talk).order_by("-id").values_list("id", flat=True).first() or NOTHING


def asked_by(talk: Conversation, answer: int) -> Message | None:
    """The person's message that an answer is to: the nearest before it in its branch, if there still is one."""
    found = tree_of(talk)
    asked = held(talk).filter(role=Role.USER, pk__lt=answer).order_by("-id")
    return (asked if found is None else asked.filter(pk__in=found.path(answer)[-AT_ONCE:])).first()


def is_last(talk: Conversation, message: int) -> bool:
    """Does nothing follow it?"""
    found = tree_of(talk)
    return message == newest_id(talk) if found is None else message not in found.children


def unhook(talk: Conversation, gone: Iterable[int]) -> None:
    """Before these messages are deleted: what follows them follows what they followed.

    A pointer before one of them stands before what follows; where nothing does, it stands for nothing any more.
    """
    leaving, found = set(gone), tree_of(talk)
    for pointer in placed(talk).filter(place__in=leaving):
        pointer.place = _next_of(talk, found, pointer.place or NOTHING, leaving)
        if pointer.place is None:
            pointer.delete()
        else:
            pointer.save(update_fields=["place"])
    for message, parent in found.without(leaving).items() if found else ():
        Message.objects.filter(pk=message).update(parent=parent)


def _next_of(talk: Conversation, found: Tree | None, message: int, gone: Collection[int]) -> int | None:
    """The first that stays of those that follow a message in its branch."""
    if found is None:
        return (
            held(talk).filter(pk__gt=message).exclude(pk__in=gone).order_by("id").values_list("id", flat=True).first()
        )
    while (after := found.children.get(message)) and (message := after[0]) in gone:
        continue
    return message if after else None
