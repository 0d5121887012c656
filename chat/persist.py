"""A turn's two rows: both made when it begins, the answer's finished once, at its exit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.begun import Begun as Begun
from chat.begun import answer_to_come, begun_of, moved
from chat.branches import held, newest_id, sight_of
from chat.domain.title import title_of
from chat.models import Conversation, Message, Role, State
from chat.once_more import continued, retried, sent_before
from forgesite.errors import InvalidError
from forgesite.model_servers import check_choice

if TYPE_CHECKING:
    from forgesite.models import Account


def begin(
    owner: Account,
    text: str,
    *,
    conversation: str = "",
    client_id: str = "",
    temporary: bool = False,
    run_id: str,
    parent: int | None = None,
    retry: int = 0,
    go_on: int = 0,
    server: str = "",
    model: str = "",
) -> Begun:
    """Store the person's message and the answer to come; for `retry` a further answer, for `go_on` no new row.

    Raises, with nothing stored: UnknownError for a conversation or an answer that is not theirs, InvalidError for what
    cannot be meant, ConflictError for an answer that lost its question or is not to be continued.
    """
    _sensible(text, conversation, client_id, parent, retry, go_on)
    if not conversation:
        check_choice(server, model)
    with transaction.atomic():
        if client_id and (before := sent_before(owner, client_id)) is not None:
            return before
        talk = _conversation(owner, text, conversation, temporary, server, model)
        if go_on:
            return continued(talk, go_on, client_id, run_id)
        if retry:
            return retried(talk, retry, client_id, run_id)
        return _asked(talk, text, client_id, run_id, parent)


def _sensible(text: str, conversation: str, client_id: str, parent: int | None, retry: int, go_on: int) -> None:
    if len(client_id) > 64:
        raise InvalidError(f"client_id has {len(client_id)} characters, and 64 is the most.")
    if retry and go_on:
        raise InvalidError(f"Either retry ({retry}) or continue ({go_on}) names an answer, not both.")
    if (retry or go_on) and (text.strip() or parent is not None):
        raise InvalidError("retry and continue bring neither text nor parent: both are those of the answer they name.")
    if not conversation and (retry or go_on or parent):
        raise InvalidError(f"Message {retry or go_on or parent} is of a conversation: name that too.")


def _conversation(
    owner: Account, text: str, conversation: str, temporary: bool, server: str, model: str
) -> Conversation:
    """`server` and `model` are for a new one: those of a known one are changed on purpose, not by a message."""
    if not conversation:
        title = title_of(text)
        return Conversation.objects.create(owner=owner, title=title, temporary=temporary, server=server, model=model)
    talk: Conversation = Conversation.objects.one_of(owner, id=conversation)
    talk.title = talk.title or title_of(text)
    return talk


def _asked(talk: Conversation, text: str, client_id: str, run_id: str, parent: int | None) -> Begun:
    asked = Message.objects.create(
        owner_id=talk.owner_id,
        conversation=talk,
        role=Role.USER,
        content=text,
        client_id=client_id,
        run_id=run_id,
        parent=_followed(talk, parent),
    )
    answer = answer_to_come(talk, run_id)
    moved(talk)
    return begun_of(talk, asked, answer)


def _followed(talk: Conversation, parent: int | None) -> int | None:
    """What the row keeps of the message that it follows: nothing where that is the newest one."""
    if parent is None and talk.tip is None:
        return None
    if parent and not held(talk).filter(pk=parent).exists():
        raise InvalidError(_("There is no message %(id)s in this conversation.") % {"id": parent})
    follows = sight_of(talk).end if parent is None else parent
    return None if follows == newest_id(talk) else follows


def end(
    begun: Begun, text: str, *, state: State, answered: bool, indexable: bool, kept_out: bool = False, model: str = ""
) -> None:
    """Finish the answer's row, whatever became of the run. A conversation deleted meanwhile stays deleted.

    `indexable`: may the person's message enter memory? Its answer too, where it is one and is not `kept_out`.

    The caller holds the transaction. A run that is not the answer's newest any more changes nothing of it.
    """
    # Whoever wrote the first part stays its writer where nobody went on with it.
    writer = {} if begun.continues and not model else {"model": model[:200]}
    answer = Message.objects.filter(pk=begun.answer, run_id=begun.run_id)
    may = indexable and answered and not kept_out
    answer.update(content=text, state=state, answered=answered, indexable=may, **writer)
    Message.objects.filter(pk=begun.message).update(indexable=indexable)
    Conversation.objects.filter(pk=begun.conversation).update(updated_at=timezone.now())
