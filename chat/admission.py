"""What is known of a turn before anything of it is stored: its text, what that asks for, and who answers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings

from chat import history
from chat.answering import Answering, answering
from chat.domain.route import Route, route
from chat.incoming import fit
from chat.prompting.too_large import refuse_too_large
from chat.reply import for_model
from chat.threads import short

if TYPE_CHECKING:
    from chat.turn_request import TurnRequest
    from forgesite.models import Account

#: Characters whose sentences the event loop may look at itself: 1 MB of them takes two seconds.
BRIEF = 10_000


@dataclass(frozen=True)
class Admitted:
    """`way` None: the turn brought no text, and what it asks again is known once it has begun."""

    text: str
    way: Route | None
    model: Answering | None


async def admit(request: TurnRequest) -> Admitted:
    """Raises ForgeError for what cannot begin: blank, too large, an unknown conversation or model server."""
    if request.retry or request.go_on:
        return Admitted(request.text, None, await _answering(request))
    text = fit(request.text)
    way = await way_of(text)
    model = await _answering(request) if for_model(way) else None
    if model:
        await refuse_too_large(model, request.owner, text, conversation=request.conversation)
    return Admitted(text, way, model)


async def way_of(text: str) -> Route:
    return await asyncio.to_thread(route, text) if len(text) > BRIEF else route(text)


async def _answering(request: TurnRequest) -> Answering | None:
    if settings.FORGE.LLM_PROVIDER == "builtin" and not settings.FORGE.LLM_SERVERS:
        return None
    choice = request.server, request.model
    if request.conversation:
        choice = await short(_choice, request.owner, request.conversation)
    return await answering(*choice)


def _choice(owner: Account, conversation: str) -> tuple[str, str]:
    talk = history.conversation_of(owner, conversation)
    return talk.server, talk.model
