"""The judge's server: where it is, and one question to it. Nothing here knows what is judged."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.utils.translation import gettext as _

from forgesite.errors import InvalidError
from forgesite.lib import discovery, model_doors
from forgesite.lib.language_models import (
    Ended,
    Failure,
    ModelDoor,
    ModelFailedError,
    ModelHealth,
    NoSchemaError,
    Prompt,
    Text,
    Token,
    Unsaid,
    Weighed,
)
from forgesite.lib.tokens import estimate
from forgesite.model_servers import door_of
from retention.domain.probabilities import VOTES
from retention.errors import JudgeError

#: Seconds between two looks at a server that loads its model.
LOOK_AGAIN = 0.2
#: Failures after which no other batch is of any use, and those that the server has done nothing for.
LASTING: tuple[Failure, ...] = ("unreachable", "denied", "unknown_model", "not_a_model")
UNSPENT: tuple[Failure, ...] = (*LASTING, "rate_limited", "refused", "too_long")


@dataclass(frozen=True)
class Reply:
    text: str
    model: str
    tokens: tuple[Token, ...]
    finish: str
    prompt_tokens: int
    completion_tokens: int


class FailedError(Exception):
    """A call without an answer. `spent`: the server may have worked for it all the same."""

    def __init__(self, told: JudgeError, *, spent: bool) -> None:
        super().__init__(told.message)
        self.told, self.spent = told, spent


async def door() -> ModelDoor | None:
    """That of JUDGE_URL, else the chat's. A key goes to the server that it was set for and to no other.

    Of what speaks there, llama.cpp and Ollama say by routes of their own how much they read at once: Ollama cuts the
    beginning of what is longer, without a word.
    """
    forge, url = settings.FORGE, settings.FORGE.JUDGE_URL
    if not url:
        return await door_of("", forge.JUDGE_MODEL)
    found = await discovery.find([discovery.Candidate(name, url, name) for name in ("llamacpp", "ollama")])
    provider = found.provider if found else "openai"
    try:
        return model_doors.door(
            provider, url, model=forge.JUDGE_MODEL, key=forge.JUDGE_API_KEY, timeout=forge.LLM_TIMEOUT
        )
    except ValueError as error:
        raise InvalidError(str(error)) from error


async def ready(there: ModelDoor) -> ModelHealth:
    """Its health, once it has loaded its model or has had the time of a call for it.

    A model inside Forge begins to load with the first look, and each process has its own.
    """
    until = time.monotonic() + longest()
    while (health := await there.health()).loading and time.monotonic() < until:
        await asyncio.sleep(LOOK_AGAIN)
    return health


def longest() -> float:
    """Seconds that a call may take: all votes of a batch have their time within a job."""
    return min(settings.FORGE.LLM_TIMEOUT, job_seconds() / (VOTES + 1))


def job_seconds() -> float:
    """How long the queue lets a job run."""
    queue: dict[str, Any] = settings.Q_CLUSTER
    return float(queue["timeout"])


def said(there: ModelDoor, prompt: Prompt) -> Reply:
    """Raises FailedError."""
    try:
        return async_to_sync(_streamed)(there, prompt)
    except TimeoutError:
        told = _("The judge's server at %(url)s gave no answer within %(seconds)g s. LLM_TIMEOUT sets how many it has.")
        error = JudgeError(told % {"url": there.url, "seconds": longest()}, code="timeout")
        raise FailedError(error, spent=True) from None
    except NoSchemaError:
        told = _("The judge's server at %(url)s takes no schema for its answer, and is not asked without one.")
        error = JudgeError(told % {"url": there.url}, code="no_schema", ends=True)
        raise FailedError(error, spent=False) from None
    except ModelFailedError as failed:
        told = _("The judge's server at %(url)s failed.")
        if failed.failure == "too_long":
            told = _("A question was longer than what the judge's server at %(url)s reads at once.")
        told %= {"url": there.url}
        error = JudgeError(told, code=failed.failure, ends=failed.failure in LASTING)
        raise FailedError(error, spent=failed.failure not in UNSPENT) from None


async def _streamed(door: ModelDoor, prompt: Prompt) -> Reply:
    text, tokens, ended = "", list[Token](), Ended("lost")
    async with asyncio.timeout(longest()), aclosing(door.stream(prompt)) as events:
        async for event in events:
            if isinstance(event, Text):
                text += event.text
            elif isinstance(event, Weighed):
                tokens += event.tokens
            elif isinstance(event, Unsaid):
                text = ""
            elif isinstance(event, Ended):
                ended = event
    asked = sum(estimate(said.content) for said in prompt.messages)
    return Reply(
        text.strip(),
        ended.model,
        tuple(tokens),
        ended.finish,
        asked if ended.prompt_tokens is None else ended.prompt_tokens,
        estimate(text) if ended.completion_tokens is None else ended.completion_tokens,
    )
