"""The judge `model`: a server that a person let be asked, by its name and with the words that it was measured with.

It answers by structured output or not at all, and where it fails nobody else judges in its place.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import get_args

from asgiref.sync import async_to_sync
from django.conf import settings
from django.utils.translation import gettext as _

from forgesite.errors import InvalidError
from forgesite.lib.chat_chunks import model_name
from forgesite.lib.language_models import Failure, ModelDoor, ModelHealth, Prompt, Said
from forgesite.lib.tokens import known_window
from forgesite.models import Account
from retention import budget, judge_server
from retention.domain.asking import FORM, SYSTEM, Choices, batches, choices, fits, most_tokens, question, schema
from retention.domain.items import BadVerdictError, Item, Verdict
from retention.domain.probabilities import VOTES, counted, weighed
from retention.errors import JudgeError, NotAllowedError, OtherJudgeError
from retention.judge_server import Reply, job_seconds, longest

__all__ = ["ModelJudge", "connect", "job_seconds", "longest", "refuse_unasked"]

log = logging.getLogger(__name__)
#: Where votes are counted, two answers may differ where the model is not sure.
TEMPERATURE = 0.7
#: Batches in a row that a server may fail at.
IN_A_ROW = 2
#: What llama.cpp of before the autumn of 2025 calls whatever it has loaded, where no name was asked for.
NAMELESS = frozenset({"gpt-3.5-turbo", "gpt-3.5-turbo-0613"})


@dataclass
class ModelJudge:
    """`model`: what the first answer says that it is by; whatever answers later by another name is another judge.

    `window`: tokens that a question and its answer share, or None where nobody knows. `loaded`: the model that a server
    of one model says it has loaded.
    """

    door: ModelDoor
    configured: str
    window: int | None = None
    loaded: str = ""
    model: str = ""
    trouble: list[str] = field(default_factory=list)
    _failed: int = 0

    @property
    def name(self) -> str:
        return f"{(self.model or self.configured)[:85]}@{FORM}"

    def batches(self, items: Sequence[Item], now: datetime) -> Iterator[list[Item]]:
        return batches(items, now, self.window)

    def judged(self, owner: Account, items: Sequence[Item], now: datetime) -> list[Verdict]:
        """A verdict on each that it answered sensibly; of the others `trouble` tells.

        Raises JudgeError: nothing is known of any of them then.
        """
        try:
            if not fits(items, now, self.window):
                raise JudgeError(_("An entry is too long for the judge's window."), code="too_long")
            found = self._weighed(owner, items, now)
        except JudgeError as error:
            self._failed += 1
            error.ends_pass = error.ends_pass or self._failed >= IN_A_ROW
            raise
        self._failed = 0
        return found

    def _weighed(self, owner: Account, items: Sequence[Item], now: datetime) -> list[Verdict]:
        """By the weights of the first answer; of what they do not tell, by votes, of which that is one."""
        budget.refuse_less(owner, VOTES)
        first, said = self._asked(owner, items, now, temperature=0.0)
        found: dict[str, Verdict] = {}
        for item in self._sensible(items, said):
            try:
                if verdict := weighed(item, first.text, first.tokens):
                    found[item.ref] = verdict
            except BadVerdictError:
                self._tell({item.ref: "probabilities"})
                said = Choices({ref: option for ref, option in said.chosen.items() if ref != item.ref}, said.wrong)
        if rest := [item for item in items if item.ref in said.chosen and item.ref not in found]:
            found |= self._by_votes(owner, rest, now, said, alone=not found)
        return [found[item.ref] for item in items if item.ref in found]

    def _by_votes(
        self, owner: Account, items: Sequence[Item], now: datetime, first: Choices, *, alone: bool
    ) -> dict[str, Verdict]:
        """`alone`: without them there is no verdict at all."""
        try:
            return self._counted(owner, items, now, first)
        except JudgeError as error:
            if alone:
                raise
            self.trouble.append(error.message)
            return {}

    def _counted(self, owner: Account, items: Sequence[Item], now: datetime, first: Choices) -> dict[str, Verdict]:
        votes = {item.ref: [first.chosen[item.ref]] for item in items}
        for _vote in range(VOTES - 1):
            _reply, said = self._asked(owner, items, now, temperature=TEMPERATURE)
            items = self._sensible(items, said)
            if not items:
                break
            for item in items:
                votes[item.ref].append(said.chosen[item.ref])
        return {item.ref: counted(item, votes[item.ref]) for item in items}

    def _sensible(self, items: Sequence[Item], said: Choices) -> list[Item]:
        self._tell(said.wrong)
        return [item for item in items if item.ref in said.chosen]

    def _tell(self, wrong: Mapping[str, str]) -> None:
        for why in sorted(set(wrong.values())):
            told = _("Of some entries the judge gave no verdict that could be used.")
            self.trouble.append(f"{told} [{why.replace(' ', '_')}]")

    def _asked(
        self, owner: Account, items: Sequence[Item], now: datetime, *, temperature: float
    ) -> tuple[Reply, Choices]:
        with budget.call(owner) as usage:
            refuse_unasked(owner)
            try:
                reply = judge_server.said(self.door, self._prompt(items, now, temperature))
            except judge_server.FailedError as error:
                usage.spent = error.spent
                raise error.told from None
            usage.spent = True
            usage.prompt_tokens, usage.completion_tokens = reply.prompt_tokens, reply.completion_tokens
        self._pin(self._answered(reply.model))
        return reply, _read(reply, items)

    def _answered(self, said: str) -> str:
        """A name that only repeats the question's tells nothing: any file may be behind it."""
        echo = not said or said in NAMELESS or said == model_name(self.door.model)
        return self.loaded if self.loaded and echo else said

    def _prompt(self, items: Sequence[Item], now: datetime, temperature: float) -> Prompt:
        return Prompt(
            (Said("system", SYSTEM), Said("user", question(items, now))),
            most_tokens(items, self.window),
            json_schema=schema(items),
            temperature=temperature,
            only_schema=True,
            weighed=temperature == 0,
        )

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
    try:
        return async_to_sync(_connected)()
    except InvalidError as error:
        raise JudgeError(error.message, code="no_server", ends=True) from None


async def _connected() -> ModelJudge:
    door = await judge_server.door()
    if door is None:
        told = _("There is no model server that could judge: set JUDGE_URL, or LLM_URL.")
        raise JudgeError(told, code="no_server", ends=True)
    health = await judge_server.ready(door)
    if not health.ready:
        raise _not_ready(door, health)
    name = door.model or health.model
    own = settings.FORGE.LLM_CONTEXT if not settings.FORGE.JUDGE_URL else None
    window = await door.window()
    # llama.cpp that is a router to many models tells no window, and no name either that is one of a model.
    held = min((size for size in (own, window) if size), default=None)
    return ModelJudge(door, name, held or known_window(name), health.model if window else "")


def _not_ready(door: ModelDoor, health: ModelHealth) -> JudgeError:
    """By its kind, as it is told of an answer that fails; its words are in the log."""
    log.warning("judge not ready: %s", health.detail)
    if health.loading:
        told = _("The judge's server at %(url)s is still loading its model.") % {"url": door.url}
        return JudgeError(told, code="loading", ends=True)
    told = _("The judge's server at %(url)s is not ready.") % {"url": door.url}
    kind = health.detail.partition(":")[0]
    return JudgeError(told, code=kind if kind in get_args(Failure) else "not_ready", ends=True)


def _read(reply: Reply, items: Sequence[Item]) -> Choices:
    try:
        if reply.finish != "stop":
            raise BadVerdictError(f"the reply ended before its end: {reply.finish}")
        return choices(reply.text, items)
    except BadVerdictError as error:
        log.warning("judge gave no verdicts: %s", error)
        told = _("The judge gave no verdicts. Its server may not know structured output.")
        raise JudgeError(told, code="garbled" if reply.finish == "stop" else "cut") from None
