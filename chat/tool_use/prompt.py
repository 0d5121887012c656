"""What a model is asked next: the turn's prompt, what it called since, and what came of that, within its window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from chat.domain.envelope import schema
from chat.prompting.composing import Composed
from chat.prompting.sizes import AROUND
from chat.tool_use.calls import AT_ONCE, KEPT, Call
from forgesite.lib.language_models import Prompt, Said, Tool, ToolCall
from forgesite.lib.tokens import estimate

if TYPE_CHECKING:
    from chat.answering import Answering

#: Tokens that the results of one answer's calls are worth: for so many the oldest history gives way.
WANTED = 800
UNREADABLE = "[error] That was no whole JSON object. Write the call once more, or answer in plain words."
NOW_ANSWER = "\n\nNo tool can be called any more: answer the person now, in plain words."


@dataclass
class ToolPrompt:
    """`envelope`: the tools are told in words, and called in text. `tail` belongs to the run alone."""

    model: Answering
    ready: Composed
    tools: tuple[Tool, ...]
    envelope: bool
    tail: list[Said] = field(default_factory=list)

    def next(self, *, only_answer: bool, forced: bool) -> Prompt:
        """`only_answer`: no tool may be called any more. `forced`: a call in text has to fit the tools' schema."""
        messages = [*self.ready.prompt.messages, *self.tail]
        if only_answer and self.envelope:
            messages[-1] = replace(messages[-1], content=messages[-1].content + NOW_ANSWER)
        return replace(
            self.ready.prompt,
            messages=tuple(messages),
            tools=() if only_answer or self.envelope else self.tools,
            json_schema=schema(self.tools) if forced and self.envelope and not only_answer else None,
        )

    @property
    def tokens(self) -> int:
        return self.ready.context.prompt_tokens + sum(map(_tokens, self.tail))

    @property
    def room(self) -> int:
        """Tokens that a result may have."""
        return self.model.room - self.tokens - AROUND

    def make_room(self) -> None:
        """The oldest turns give way to what a tool gives, and the context says how many."""
        prompt, context = self.ready.prompt, self.ready.context
        while self.room < WANTED and len(prompt.messages) > 3:
            gone, prompt = prompt.messages[1:3], replace(prompt, messages=(prompt.messages[0], *prompt.messages[3:]))
            freed = sum(map(_tokens, gone))
            context = replace(
                context,
                prompt_tokens=max(0, context.prompt_tokens - freed),
                history_tokens=max(0, context.history_tokens - freed),
                history_messages=max(0, context.history_messages - 2),
                left_out=context.left_out + 2,
            )
            self.ready = replace(self.ready, prompt=prompt, context=context)

    def called(self, text: str, natives: Sequence[ToolCall], calls: Sequence[Call], results: Sequence[str]) -> None:
        """What it called, by the server's means or in text, and the result of each call that was carried out."""
        if not natives:
            self.tail += [Said("assistant", calls[0].raw), Said("user", f"[{calls[0].name}]\n{results[0]}")]
            return
        left = [f"[error] At most {AT_ONCE} calls at once."] * (len(natives) - len(calls))
        self.tail.append(Said("assistant", text, calls=tuple(natives)))
        for one, result in zip(natives, [*results, *left], strict=True):
            self.tail.append(Said("tool", result, call_id=one.id))

    def unreadable(self, text: str) -> None:
        self.tail += [Said("assistant", text[:KEPT]), Said("user", UNREADABLE)]


def _tokens(said: Said) -> int:
    return estimate(said.content + "".join(f"{call.name}{call.arguments}" for call in said.calls)) + AROUND
