"""A summary of messages that leave the window: by the conversation's model, else extracts that say what they are."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asgiref.sync import async_to_sync

from chat.domain.budget import char_budget
from chat.domain.summary import INSTRUCTIONS, asked, extracts, kept
from chat.domain.transcript import Message
from chat.domain.verdict import verdict
from chat.prompting.window import window_of
from forgesite.errors import InvalidError
from forgesite.lib.language_models import Ended, ModelDoor, ModelFailedError, Prompt, Text, Thinking, Unsaid
from forgesite.model_servers import door_of

if TYPE_CHECKING:
    from chat.models import Conversation

log = logging.getLogger(__name__)
#: Seconds for all of it; tokens of the summary.
LONGEST, MOST_TOKENS = 30.0, 700


@dataclass(frozen=True)
class Summary:
    """`extracts`: no model wrote it."""

    text: str
    extracts: bool


def summarise(talk: Conversation, said: Sequence[Message], before: str, *, longest: float = LONGEST) -> Summary:
    """Never fails, and takes so many seconds at most. `before`: what earlier summaries say, which it takes over."""
    text = async_to_sync(_by_model)(talk.server, talk.model, said, before, longest)
    return Summary(text, extracts=False) if text else Summary(extracts(said, before), extracts=True)


async def _by_model(server: str, model: str, said: Sequence[Message], before: str, longest: float) -> str:
    """Empty where no model gave one."""
    try:
        async with asyncio.timeout(longest):
            door = await door_of(server, model)
            return await _written(door, said, before) if door else ""
    except (TimeoutError, ModelFailedError, InvalidError) as error:
        log.warning("no summary by a model, extracts instead: %s", error or f"none within {longest:g} s")
        return ""


async def _written(door: ModelDoor, said: Sequence[Message], before: str) -> str:
    window = (await window_of(door)).tokens
    room = MOST_TOKENS if window > 4 * MOST_TOKENS else window // 4
    # Half of what a model of plain text has: the messages may be in a language that takes two tokens a character.
    prompt = Prompt(asked(said, before, char_budget("", window - 2 * room) // 2), room)
    text, ended, thought = "", Ended("lost"), False
    async with aclosing(door.stream(prompt)) as events:
        async for event in events:
            thought = thought or isinstance(event, Thinking | Unsaid)
            if isinstance(event, Text):
                text += event.text
            elif isinstance(event, Unsaid):
                text = ""
            elif isinstance(event, Ended):
                ended = event
    judged = verdict(text, ended.finish, thought=thought, in_thought=ended.in_thought, said=(INSTRUCTIONS,))
    if judged.not_answered:
        log.warning("the model's summary is none (%s), extracts instead", judged.not_answered)
        return ""
    return kept(text)
