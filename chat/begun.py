"""A turn that was begun: its two rows, and what the rest of the turn has to know of them."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone

from chat.domain.frames import Accepted
from chat.models import Conversation, Message, Role, State


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
    #: Is this run one more of an answer that was there?
    continues: bool = False

    def accepted(self, client_id: str) -> Accepted:
        """The first frame of its run."""
        return Accepted(
            client_id,
            self.message,
            self.answer,
            self.run_id,
            self.conversation,
            self.title,
            repeated=self.repeated,
            continues=self.continues,
            parent=self.parent,
        )


def begun_of(
    talk: Conversation, asked: Message, answer: Message, *, repeated: bool = False, continues: bool = False
) -> Begun:
    return Begun(
        talk.id,
        talk.title,
        talk.temporary,
        asked.pk,
        answer.pk,
        answer.run_id,
        repeated=repeated,
        text=asked.content,
        so_far=answer.content,
        server=talk.server,
        model=talk.model,
        parent=asked.parent,
        continues=continues,
    )


def answer_to_come(talk: Conversation, run_id: str, *, client_id: str = "", parent: int | None = None) -> Message:
    """Nothing of it is indexable until it has come to its end."""
    return Message.objects.create(
        owner_id=talk.owner_id,
        conversation=talk,
        role=Role.ASSISTANT,
        state=State.RUNNING,
        answered=False,
        indexable=False,
        client_id=client_id,
        run_id=run_id,
        parent=parent,
    )


def moved(talk: Conversation, tip: int | None = None) -> None:
    """Now; and the branch in sight ends with the newest message, unless a tip is named."""
    talk.updated_at, talk.tip = timezone.now(), tip
    talk.save(update_fields=["title", "updated_at", "tip"])
