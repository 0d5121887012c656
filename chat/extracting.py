"""After an exchange is stored: the worker looks for entries in what the person wrote, where that is set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import timezone

from chat.models import Message
from forgesite import job
from memory.domain.stated import states_something

if TYPE_CHECKING:
    from chat.progress import Progress

#: The job by its dotted name.
EXTRACT = "retention.extraction.extract"


def maybe(progress: Progress) -> None:
    """Queue it for a message that a model answered, may enter memory and states something; once a message.

    The words go to the server that just had them: the job is told which that was.
    """
    forge, begun = settings.FORGE, progress.begun
    wanted = forge.EXTRACTION == "propose" and forge.MEMORY_ENABLED and not begun.temporary
    if not wanted or progress.model is None or not states_something(progress.text):
        return
    if not Message.objects.of(progress.owner).filter(pk=begun.message, indexable=True).exists():
        return
    job.enqueue(
        EXTRACT,
        key=f"extract {begun.message}",
        owner=progress.owner.pk,
        message=begun.message,
        conversation=begun.conversation,
        words=progress.text,
        said_at=timezone.now().isoformat(),
        server=begun.server,
        model=begun.model,
        url=progress.model.door.url,
    )
