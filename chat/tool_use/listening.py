"""One answer of a model as it streams: its text is shown, what may be a tool call is held back."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chat.domain.envelope import looks_like_one
from chat.domain.frames import Delta, Frame
from chat.domain.frames import Unsaid as TakenBack
from forgesite.lib.language_models import Called, Ended, Event, Prompt, Text, ToolCall, Unsaid

if TYPE_CHECKING:
    from chat.answering import Answering


@dataclass
class Listening:
    """`before`: what the run has said already. `hold`: tools were offered, so that a text may be a call of one.

    `apart`: another answer came before, with which this one is no paragraph. `held`: nothing of `text` was shown yet.
    """

    before: str = ""
    hold: bool = False
    apart: bool = False
    text: str = ""
    held: bool = True
    calls: list[ToolCall] = field(default_factory=list)

    async def frames(self, model: Answering, prompt: Prompt) -> AsyncGenerator[Frame, None]:
        """Raises ModelFailedError, after what the model had said; NoToolsError before anything."""
        kind: type[Event] | None = None
        async with aclosing(model.door.stream(prompt)) as events:
            # Once a token: nothing here may cost more than the token's own frame.
            async for event in events:
                if type(event) is not kind:
                    kind = type(event)
                    for frame in model.turned(kind):
                        yield frame
                if isinstance(event, Text):
                    for frame in self._heard(event.text):
                        yield frame
                elif isinstance(event, Called):
                    self.calls.append(event.call)
                elif isinstance(event, Ended):
                    model.ended = event
                elif isinstance(event, Unsaid):
                    for frame in self.take_back():
                        yield frame

    @property
    def shown(self) -> str:
        """What of it is on the page."""
        return "" if self.held else self._parted()

    def _heard(self, text: str) -> list[Frame]:
        self.text += text
        if not self.held:
            return [Delta(text)]
        return [] if self.hold and looks_like_one(self.text) else self.let_go()

    def _parted(self) -> str:
        return f"\n\n{self.text.lstrip()}" if self.apart and self.before.strip() else self.text

    def take_back(self) -> list[Frame]:
        """Nothing of this answer is to be seen any more."""
        was_held, self.text, self.held = self.held, "", True
        return [] if was_held else [TakenBack(), *([Delta(self.before)] if self.before else [])]

    def let_go(self) -> list[Frame]:
        """It is an answer: what was held back of it is shown."""
        if not self.held or not self.text.strip():
            return []
        self.held = False
        return [Delta(self._parted())]
