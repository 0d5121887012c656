"""A turn's two rows: both made when it begins, the answer's finished once, at its exit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from chat.domain.title import title_of
from chat.models import Conversation, Message, Role, State
from forgesite.errors import InvalidError

if TYPE_CHECKING:
    from forgesite.models import Account


@dataclass(frozen=True)
class Begun:
    """`repeated`: this `client_id` came before, and nothing was written.

    `text` is the person's, also where the turn brought none (`retry`, `go_on`). `so_far`: what a continued answer has
    already. `server` and `model`: the conversation's choice, empty for what is set. `parent` as the frame says it.
    """

    conversation: str
    title: str
    temporary: bool
    message: int
    answer: int
    run_id: str
    repeated: bool = False
    text: str = ""
    so_far: str = ""
    server: str = ""
    model: str = ""
    parent: int | None = None


@transaction.atomic
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
    """Store the person's message and the answer to come. Raises UnknownError for somebody else's conversation."""
    if len(client_id) > 64:
        raise InvalidError(f"client_id has {len(client_id)} characters, and 64 is the most.")
    known = Message.objects.of(owner).filter(client_id=client_id).select_related("conversation")
    if client_id and (sent := known.first()) is not None:
        return _again(sent)
    talk = _conversation(owner, text, conversation, temporary)
    asked = Message.objects.create(
        owner=owner, conversation=talk, role=Role.USER, content=text, client_id=client_id, run_id=run_id
    )
    answer = Message.objects.create(
        owner=owner,
        conversation=talk,
        role=Role.ASSISTANT,
        state=State.RUNNING,
        answered=False,
        indexable=False,
        run_id=run_id,
    )
    return Begun(
        talk.id,
        talk.title,
        talk.temporary,
        asked.pk,
        answer.pk,
        run_id,
        text=text,
        server=talk.server,
        model=talk.model,
    )


def _conversation(owner: Account, text: str, conversation: str, temporary: bool) -> Conversation:
    if not conversation:
        return Conversation.objects.create(owner=owner, title=title_of(text), temporary=temporary)
    talk: Conversation = Conversation.objects.one_of(owner, id=conversation)
    talk.title = talk.title or title_of(text)
    talk.updated_at = timezone.now()
    talk.save(update_fields=["title", "updated_at"])
    return talk


def _again(sent: Message) -> Begun:
    answer = Message.objects.get(conversation=sent.conversation, run_id=sent.run_id, role=Role.ASSISTANT)
    talk = sent.conversation
    return Begun(talk.id, talk.title, talk.temporary, sent.pk, answer.pk, sent.run_id, repeated=True)


def end(begun: Begun, text: str, *, state: State, answered: bool, indexable: bool, model: str = "") -> None:
    """Finish the answer's row, whatever became of the run. A conversation deleted meanwhile stays deleted.

    The caller holds the transaction.
    """
    Message.objects.filter(pk=begun.answer).update(content=text, state=state, answered=answered, model=model[:200])
    Message.objects.filter(pk=begun.message).update(indexable=indexable)
    Conversation.objects.filter(pk=begun.conversation).update(updated_at=timezone.now())
