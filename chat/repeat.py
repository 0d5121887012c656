"""A `client_id` seen before: the stored answer again, and nothing done."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from django.utils.translation import gettext as _

from chat.domain.frames import Delta, Done, Failed, Frame, Html, Stopped
from chat.models import Message, State
from chat.persist import Begun
from chat.progress import BUILTIN
from chat.rendering import blocks
from chat.threads import short
from traces.models import Run


async def repeat(begun: Begun, client_id: str) -> AsyncGenerator[Frame, None]:
    """The frames of a run that is over, as its rows tell it: of an answer gone on with since, its newest run."""
    answer = await short(Message.objects.get, pk=begun.answer)
    run = await short(Run.objects.filter(run_id=begun.run_id).first)
    yield begun.accepted(client_id)
    if answer.content:
        yield Delta(answer.content)
    for number, html in enumerate(blocks(answer.content)):
        yield Html(number, html)
    yield _last(answer, run, client_id)


def _last(answer: Message, run: Run | None, client_id: str) -> Frame:
    if answer.state in (State.COMPLETE, State.CUT):
        not_answered = run.not_answered if run else ""
        return Done(answer.pk, True, not_answered or None, {"model": answer.model or BUILTIN}, answer.run_id)
    if answer.state == State.STOPPED:
        return Stopped(answer.content)
    error = (run.error if run else None) or {}
    message = error.get("message") or _("This answer was interrupted. Send the message again.")
    return Failed(error.get("code", "interrupted"), message, answer.content, client_id)
