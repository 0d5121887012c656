"""How the conversation's model would put a question that memory found nothing for."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING

from asgiref.sync import async_to_sync
from django.conf import settings

from chat.answering import Spent
from forgesite.lib.language_models import Ended, ModelFailedError, Prompt, Said, Text, Unsaid
from forgesite.lib.tokens import estimate
from memory.domain.expansion import ASKING, MOST_ASKED, SCHEMA, read

if TYPE_CHECKING:
    from chat.answering import Answering
    from chat.progress import Progress

log = logging.getLogger(__name__)
#: Seconds for all of it, thinking too: a person waits for the answer. Tokens of the reply.
LONGEST, MOST_TOKENS = 15.0, 400


def rewriting(progress: Progress) -> Callable[[str], tuple[str, ...]] | None:
    """What asks the model that answers this run, for a recall in a thread. None where our own code answers."""
    return partial(_rewritten, progress.model) if progress.model else None


def _rewritten(model: Answering, question: str) -> tuple[str, ...]:
    """Never fails: a model that is slow, down or of another mind gives none. A stopped turn ends its work too."""
    return async_to_sync(by_model)(model, question) if len(question) <= MOST_ASKED else ()


async def by_model(model: Answering, question: str) -> tuple[str, ...]:
    longest = min(settings.FORGE.LLM_TIMEOUT, LONGEST)
    try:
        async with asyncio.timeout(longest):
            reply = await _said(model, question)
    except (TimeoutError, ModelFailedError) as error:
        log.warning("no other words by a model: %s", str(error) or f"none within {longest:g} s")
        return ()
    variants = read(reply, question)
    log.info("other words by a model usable=%d", len(variants))
    return variants


async def _said(model: Answering, question: str) -> str:
    """Without what it thinks. It counts as a call of the run, also where it breaks off."""
    said = (Said("system", ASKING), Said("user", question))
    prompt = Prompt(said, min(model.most_tokens, MOST_TOKENS), json_schema=SCHEMA, temperature=0.0)
    text, ended, began = "", Ended("lost"), time.monotonic()
    try:
        async with aclosing(model.door.stream(prompt)) as events:
            async for event in events:
                if isinstance(event, Text):
                    text += event.text
                elif isinstance(event, Unsaid):
                    text = ""
                elif isinstance(event, Ended):
                    ended = event
    finally:
        model.spent.append(_spent(ended, question, text, time.monotonic() - began))
    return text


def _spent(ended: Ended, question: str, text: str, seconds: float) -> Spent:
    told = ended.prompt_tokens is not None and ended.completion_tokens is not None
    prompt = estimate(ASKING + question) if ended.prompt_tokens is None else ended.prompt_tokens
    wrote = estimate(text) if ended.completion_tokens is None else ended.completion_tokens
    return Spent(prompt, wrote, not told, seconds)
