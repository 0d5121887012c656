"""The judge `model`: a server that a person let be asked, by its name and with the words that it was measured with."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.utils.translation import gettext as _

from forgesite.lib import discovery, model_doors
from forgesite.lib.language_models import Ended, ModelDoor, ModelFailedError, Prompt, Said, Text, Unsaid
from forgesite.lib.tokens import estimate
from forgesite.models import Account
from retention import budget
from retention.domain.asking import FORM, SYSTEM, VOTES, batches, choices, counted, question, schema
from retention.domain.items import BadVerdictError, Item, Verdict
from retention.errors import JudgeError, NotAllowedError, OtherJudgeError

log = logging.getLogger(__name__)
#: Warm enough that two answers may differ where the model is not sure.
TEMPERATURE = 0.7
#: Tokens for each item of an answer, and for what a model thinks first.
EACH, BESIDES = 40, 400


@dataclass(frozen=True)
class Reply:
    text: str
    model: str
    prompt_tokens: int
    completion_tokens: int


@dataclass
class ModelJudge:
    """`model`: what the first answer says that it is by; whatever answers later by another name is another judge."""

    door: ModelDoor
    configured: str
    model: str = ""
    trouble: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{(self.model or self.configured)[:85]}@{FORM}"

    def batches(self, items: Sequence[Item], now: datetime) -> Iterator[list[Item]]:
        return batches(items, now)

    def judged(self, owner: Account, items: Sequence[Item], now: datetime) -> list[Verdict]:
        """A verdict on each, by the votes. Raises JudgeError: nothing is known of any of them then."""
        budget.refuse_less(owner, VOTES)
        votes = [self._vote(owner, items, now) for _round in range(VOTES)]
        return [counted(item, [vote[item.ref] for vote in votes]) for item in items]

    def _vote(self, owner: Account, items: Sequence[Item], now: datetime) -> dict[str, str]:
        with budget.call(owner) as usage:
            refuse_unasked(owner)
            reply = _asked(self.door, _prompt(items, now))
            usage.answered = True
            usage.prompt_tokens, usage.completion_tokens = reply.prompt_tokens, reply.completion_tokens
        self._pin(reply.model)
        try:
            return choices(reply.text, items)
        except BadVerdictError as error:
            raise JudgeError(
                _("The judge gave no verdicts: %(why)s. Its server may not know structured output.") % {"why": error}
            ) from None

    def _pin(self, model: str) -> None:
        if self.model and model and model != self.model:
            raise OtherJudgeError(
                _("The judge's server answered by %(now)s now, and by %(then)s before.")
                % {"now": model[:80], "then": self.model}
            )
        self.model = self.model or model


def refuse_unasked(owner: Account) -> None:
    """Read anew before each send: a person may have taken it back a moment ago."""
    if not Account.objects.filter(pk=owner.pk, judge_opt_in=True).exists():
        raise NotAllowedError(
            _("%(name)s does not let entries be sent to a judge's server. The account's settings have the switch.")
            % {"name": owner.username}
        )


def connect(owner: Account) -> ModelJudge:
    """Raises NotAllowedError before anything is asked, and JudgeError where no model answers."""
    refuse_unasked(owner)
    door = async_to_sync(_door)()
    if door is None:
        raise JudgeError(_("There is no model server that could judge: set JUDGE_URL, or LLM_URL."))
    health = async_to_sync(door.health)()
    if not health.ready:
        raise JudgeError(
            _("The judge's server at %(url)s is not ready: %(why)s") % {"url": door.url, "why": health.detail}
        )
    return ModelJudge(door, door.model or health.model)


async def _door() -> ModelDoor | None:
    """That of JUDGE_URL, else the chat's."""
    forge = settings.FORGE
    if forge.JUDGE_URL:
        return _to("openai", forge.JUDGE_URL, forge.JUDGE_MODEL, forge.JUDGE_API_KEY)
    model = forge.JUDGE_MODEL or forge.LLM_MODEL
    if forge.LLM_PROVIDER == "builtin":
        return None
    if forge.LLM_PROVIDER != "auto":
        return _to(forge.LLM_PROVIDER, forge.LLM_URL, model, forge.LLM_API_KEY)
    there = [discovery.Candidate(name, forge.LLM_URL, name) for name in ("llamacpp", "ollama", "openai")]
    found = await discovery.find(there if forge.LLM_URL else discovery.USUAL)
    # The key goes to the server that it was set for and to no other.
    return (
        _to(found.provider, found.url, model or found.model, forge.LLM_API_KEY if forge.LLM_URL else "")
        if found
        else None
    )


def _to(provider: str, url: str, model: str, key: str) -> ModelDoor:
    forge = settings.FORGE
    try:
        return model_doors.door(
            provider, url, model=model, key=key, timeout=forge.LLM_TIMEOUT, context=forge.LLM_CONTEXT
        )
    except ValueError as error:
        raise JudgeError(str(error)) from error


def longest() -> float:
    """Seconds that a call may take: all votes of a batch have their time within a job."""
    return min(settings.FORGE.LLM_TIMEOUT, job_seconds() / (VOTES + 1))


def job_seconds() -> float:
    """How long the queue lets a job run."""
    queue: dict[str, Any] = settings.Q_CLUSTER
    return float(queue["timeout"])


def _prompt(items: Sequence[Item], now: datetime) -> Prompt:
    said = (Said("system", SYSTEM), Said("user", question(items, now)))
    return Prompt(said, BESIDES + EACH * len(items), json_schema=schema(items), temperature=TEMPERATURE)


def _asked(door: ModelDoor, prompt: Prompt) -> Reply:
    try:
        return async_to_sync(_said)(door, prompt)
    except TimeoutError:
        why = _("no answer within %(seconds)g s") % {"seconds": longest()}
    except ModelFailedError as error:
        why = error.failure
        log.warning("judge failed: %s", error)
    raise JudgeError(_("The judge's server at %(url)s failed: %(why)s.") % {"url": door.url, "why": why})


async def _said(door: ModelDoor, prompt: Prompt) -> Reply:
    text, ended = "", Ended("lost")
    async with asyncio.timeout(longest()), aclosing(door.stream(prompt)) as events:
        async for event in events:
            if isinstance(event, Text):
                text += event.text
            elif isinstance(event, Unsaid):
                text = ""
            elif isinstance(event, Ended):
                ended = event
    asked = sum(estimate(said.content) for said in prompt.messages)
    return Reply(
        text.strip() if ended.finish == "stop" else "",
        ended.model,
        asked if ended.prompt_tokens is None else ended.prompt_tokens,
        estimate(text) if ended.completion_tokens is None else ended.completion_tokens,
    )
