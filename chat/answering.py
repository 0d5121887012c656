"""The model that answers a run, and what is known of its work so far."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from chat.domain.budget import answer_room
from chat.domain.envelope import instructions
from chat.domain.frames import Context, Frame, Step
from chat.domain.prompts import GO_ON, PREAMBLE, PREAMBLE_WITH_TOOLS
from chat.domain.verdict import Verdict, none, verdict
from chat.prompting.window import Window, window_of
from chat.tool_use.tools import TOOLS
from forgesite.lib.language_models import Ended, Event, Loading, ModelDoor, Text, Thinking, Unsaid
from forgesite.lib.tokens import estimate
from forgesite.model_servers import DEFAULT, door_of

#: What a model does before, or between, the pieces of its answer, as a step is called.
PHASES: dict[type[Event], str] = {Loading: "loading", Thinking: "thinking"}

#: Instructions of ours that an answer may not repeat.
TOLD = (PREAMBLE, PREAMBLE_WITH_TOOLS, GO_ON, instructions(TOOLS))

#: What a server that was asked for no model in particular called the one that answered.
_said: dict[str, str] = {}


@dataclass(frozen=True)
class Spent:
    """What one call of a model took: tokens of its prompt and of what it wrote, and seconds."""

    prompt: int
    completion: int
    estimated: bool
    seconds: float


@dataclass
class Answering:
    """Written by the run's own task alone. Of what the model thinks nothing is kept but that it did."""

    door: ModelDoor
    server: str
    window: Window
    context: Context | None = None
    ended: Ended | None = None
    thought: bool = False
    began: float = 0.0
    first: float = 0.0
    over: float = 0.0
    #: Why the run ended without an answer of the model, where our code ended it.
    ended_by: str = ""
    spent: list[Spent] = field(default_factory=list)
    _asked: float = 0.0
    _phase: str = field(default="", repr=False)

    @property
    def name(self) -> str:
        """Never empty: a row without it counts as the built-in responder's."""
        said = self.ended.model if self.ended else ""
        return said or self.door.model or _said.get(self.door.url) or self.door.provider

    @property
    def most_tokens(self) -> int:
        return answer_room(self.window.tokens, settings.FORGE.LLM_MAX_TOKENS)

    @property
    def room(self) -> int:
        """Tokens that a prompt may have."""
        return self.window.tokens - self.most_tokens

    def begin(self) -> None:
        """A run may call it several times."""
        self._asked = time.monotonic()
        self.began, self.ended, self._phase = self.began or self._asked, None, ""

    def end(self, wrote: str = "") -> None:
        """Of the call that was begun. `wrote`: what it said, to estimate its tokens by where the server counts none."""
        self.over = time.monotonic()
        prompt, completion, estimated = self._tokens(wrote)
        self.spent.append(Spent(prompt, completion, estimated, self.over - self._asked))
        if not self.door.model:
            _said[self.door.url] = self.name

    def turned(self, kind: type[Event]) -> list[Frame]:
        """The model does something else now than it did: the steps that end and begin with that."""
        phase = PHASES.get(kind, "")
        frames: list[Frame] = [Step(self._phase, "done")] if self._phase else []
        if phase:
            frames.append(Step(phase, "running"))
        if kind is Text and not self.first:
            self.first = time.monotonic()
        self.thought = self.thought or kind in (Thinking, Unsaid)
        self._phase = phase
        return frames

    def verdict(self, text: str) -> Verdict:
        """Of the whole answer, once its stream is over."""
        if self.ended_by:
            return none(self.ended_by)
        ended = self.ended or Ended("lost")
        return verdict(text, ended.finish, thought=self.thought, in_thought=ended.in_thought, said=TOLD)

    def usage(self) -> dict[str, Any]:
        """For `done`."""
        return {
            "model": self.name,
            "server": self.server,
            "calls": len(self.spent),
            "prompt_tokens": sum(one.prompt for one in self.spent),
            "completion_tokens": sum(one.completion for one in self.spent),
            "max_prompt_tokens": max((one.prompt for one in self.spent), default=0),
            "estimated": any(one.estimated for one in self.spent),
            "first_ms": _ms(self.began, self.first) if self.first else None,
            "total_ms": _ms(self.began, self.over),
        }

    def llm(self) -> dict[str, Any] | None:
        """For the run; None where the model was not asked yet."""
        if not self.spent:
            return None
        return {
            "calls": len(self.spent),
            "ms": round(sum(one.seconds for one in self.spent) * 1000),
            "first_ms": _ms(self.began, self.first) if self.first else None,
            "prompt_tokens": sum(one.prompt for one in self.spent),
            "completion_tokens": sum(one.completion for one in self.spent),
            "max_prompt_tokens": max(one.prompt for one in self.spent),
            "models": [self.name],
        }

    def _tokens(self, text: str) -> tuple[int, int, bool]:
        """Of the prompt and of the answer, and whether one of them is an estimate."""
        prompt = self.ended.prompt_tokens if self.ended else None
        completion = self.ended.completion_tokens if self.ended else None
        planned = self.context.prompt_tokens if self.context else 0
        return (
            planned if prompt is None else prompt,
            estimate(text) if completion is None else completion,
            prompt is None or completion is None,
        )


def _ms(since: float, until: float) -> int:
    return round(max(0.0, (until or time.monotonic()) - since) * 1000)


async def answering(server: str, model: str) -> Answering | None:
    """Who answers a conversation with this choice; None: the built-in responder. Raises InvalidError."""
    door = await door_of(server, model)
    return Answering(door, server or DEFAULT, await window_of(door)) if door else None
