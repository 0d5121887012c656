"""An answer once more: given again beside the one there is, gone on with, or told as it is, for an id sent twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from chat.begun import Begun, answer_to_come, begun_of, moved
from chat.branches import asked_by, held, is_last, message_of, newest_id
from chat.errors import BusyError
from chat.models import Continuation, Conversation, Message, Role, State
from forgesite.errors import ConflictError, InvalidError

if TYPE_CHECKING:
    from forgesite.models import Account

#: How an answer ends that can be gone on with.
UNFINISHED = (State.CUT, State.STOPPED, State.FAILED, State.INTERRUPTED)


def retried(talk: Conversation, retry: int, client_id: str, run_id: str) -> Begun:
    """A further answer to the same message, in sight from now on. It keeps the `client_id` of the ask itself."""
    asked = _question(talk, _named(talk, retry))
    answer = answer_to_come(talk, run_id, client_id=client_id, parent=asked.pk)
    moved(talk)
    return begun_of(talk, asked, answer)


def continued(talk: Conversation, go_on: int, client_id: str, run_id: str) -> Begun:
    """The same row once more. Its text stays stored until the run's exit: a kill in between loses nothing of it."""
    answer = _named(talk, go_on)
    asked = _question(talk, answer)
    if answer.state not in UNFINISHED:
        raise ConflictError(_("This answer came to its end: there is nothing to continue. Retry it, or ask on."))
    if not is_last(talk, answer.pk):
        raise ConflictError(_("The conversation went on after this answer. Retry it, or ask on."))
    Continuation.objects.create(
        owner_id=talk.owner_id, message=answer, run_id=run_id, after=answer.run_id, client_id=client_id
    )
    claimed = held(talk).filter(pk=answer.pk, run_id=answer.run_id, state__in=UNFINISHED)
    if claimed.update(state=State.RUNNING, run_id=run_id, answered=False, indexable=False) != 1:
        raise BusyError(_("This conversation is still answering. Wait for its end, or stop it."))
    answer.run_id = run_id
    moved(talk, None if answer.pk == newest_id(talk) else answer.pk)
    return begun_of(talk, asked, answer, continues=True)


def _named(talk: Conversation, message: int) -> Message:
    answer = message_of(talk, message)
    if answer.role != Role.ASSISTANT:
        raise InvalidError(_("Message %(id)s is no answer.") % {"id": message})
    if answer.state == State.RUNNING:
        raise BusyError(_("This conversation is still answering. Wait for its end, or stop it."))
    return answer


def _question(talk: Conversation, answer: Message) -> Message:
    asked = asked_by(talk, answer.pk)
    if asked is None:
        raise ConflictError(_("The message that this answers is not here any more. Send it again."))
    return asked


def sent_before(owner: Account, client_id: str) -> Begun | None:
    """What this id began: a message with its answer, an answer given again, or a run that went on with one."""
    went_on = Continuation.objects.of(owner).filter(client_id=client_id).select_related("message").first()
    sent = went_on.message if went_on else Message.objects.of(owner).filter(client_id=client_id).first()
    if sent is None:
        return None
    talk: Conversation = Conversation.objects.one_of(owner, id=sent.conversation_id)
    own = sent.role == Role.USER
    asked, answer = (sent, _answer_to(talk, sent)) if own else (asked_by(talk, sent.pk), sent)
    if asked is None or answer is None:
        raise ConflictError(_("This was sent before, and what belongs to it is deleted. Send it as a new message."))
    return begun_of(talk, asked, answer, repeated=True, continues=went_on is not None)


def _answer_to(talk: Conversation, asked: Message) -> Message | None:
    """The one that was made with the message, whichever runs went on with it since."""
    answers = held(talk).filter(role=Role.ASSISTANT)
    went_on = Continuation.objects.filter(message__conversation=talk, after=asked.run_id).values("message")
    return answers.filter(run_id=asked.run_id).first() or answers.filter(pk__in=went_on).first()
