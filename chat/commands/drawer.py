"""Commands on the drawer: pin, unpin, and what is in it."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.branches import held, sight_before
from chat.commands.entry_lines import LINE, one_line
from chat.commands.order import MisusedError, nothing, number
from chat.domain.quoting import clip
from chat.drawer import drawer as pinned
from chat.drawer import pin as put_in
from chat.drawer import unpin as take_out
from chat.history import conversation_of
from chat.models import Message, Role
from chat.progress import Progress, Said
from traces.recorder import StepRecord


def pin(progress: Progress, rest: str, step: StepRecord) -> Said:
    """A message by its id, or the last exchange, with what it belongs to."""
    message = number(rest) if rest else _last(progress)
    done = put_in(progress.owner, message)
    return _changed(_("Pinned:"), done.messages, done.count)


def unpin(progress: Progress, rest: str, step: StepRecord) -> Said:
    if not rest:
        raise MisusedError
    done = take_out(progress.owner, number(rest))
    return _changed(_("No longer pinned:"), done.messages, done.count)


def drawer(progress: Progress, rest: str, step: StepRecord) -> Said:
    nothing(rest)
    messages = pinned(progress.owner, progress.begun.conversation)
    if not messages:
        return Said(_("The drawer of this conversation is empty. `!pin` puts the last exchange into it."))
    return Said("\n".join([_count(len(messages)), "", *(f"- {_line(message)}" for message in messages)]))


def _last(progress: Progress) -> int:
    """The last thing said before this command that was none. Raises MisusedError where there is nothing."""
    talk = conversation_of(progress.owner, progress.begun.conversation)
    sight = sight_before(talk, progress.begun.message)
    said = held(talk).filter(role=Role.USER, pk__lt=progress.begun.message).exclude(content__startswith="!")
    said = said if sight.tree is None else said.filter(pk__in=sight.path[-100:])
    found = said.order_by("-id").values_list("pk", flat=True).first()
    if found is None:
        raise MisusedError
    return found


def _changed(head: str, messages: tuple[Message, ...], count: int) -> Said:
    lines = (f"- {_line(message)}" for message in messages)
    return Said("\n".join([head, "", *lines, "", _count(count)]), wrote=True, rewrote=True)


def _line(message: Message) -> str:
    """`#17 person: which port does …`."""
    return f"#{message.pk} {message.get_role_display()}: {one_line(clip(message.content, (), LINE))}"


def _count(count: int) -> str:
    words = ngettext("%(n)s message is in the drawer.", "%(n)s messages are in the drawer.", count)
    return words % {"n": count}
