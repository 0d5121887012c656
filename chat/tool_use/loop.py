"""A model's answer in at most MAX_STEPS calls: what it calls is carried out and shown to it, until it answers."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext as _

from chat.domain.envelope import read, words_of
from chat.domain.frames import Delta, Frame, Step
from chat.domain.verdict import EARLY
from chat.prompting.composing import Composed, Done, composed
from chat.prompting.sent import Sent, split
from chat.tool_use.calls import AT_ONCE, KEPT, Call, Performed, native, written
from chat.tool_use.listening import Listening
from chat.tool_use.prompt import ToolPrompt
from chat.tool_use.run import carried_out, shown
from chat.tool_use.tools import offered
from forgesite.errors import TooLargeError
from forgesite.lib.language_models import ModelFailedError, NoToolsError, Prompt, Tool

if TYPE_CHECKING:
    from chat.answering import Answering
    from chat.progress import Progress

log = logging.getLogger(__name__)
#: With less than this nothing is shown to the model any more, and our code says what came of its call.
LEAST = 120


async def begun(progress: Progress, model: Answering, done: Done) -> Asking:
    """What the model is asked first. Raises TooLargeError where not even a turn without tools fits."""
    tools = offered(progress)
    envelope = bool(tools) and not model.door.takes_tools()
    tools, ready = await _fitting(progress, model, done, tools, envelope=envelope)
    asked = ToolPrompt(model, ready, tools, envelope and bool(tools))
    return Asking(progress, model, done, asked, said=progress.begun.so_far)


async def _fitting(
    progress: Progress, model: Answering, done: Done, tools: tuple[Tool, ...], *, envelope: bool
) -> tuple[tuple[Tool, ...], Composed]:
    """With the tools, or without them where the window has no room for both them and the turn."""
    try:
        return tools, await composed(progress, model, done, tools=tools, envelope=envelope)
    except TooLargeError:
        if not tools:
            raise
    log.info("tools left_out run=%s: no room for them beside the message", progress.begun.run_id)
    return (), await composed(progress, model, done)


@dataclass
class Asking:
    """One run's talk with its model. `said`: all that the run has said, what was there before it too.

    `wrong`: a call could not be carried out, and one may be asked for once more.
    """

    progress: Progress
    model: Answering
    done: Done
    prompt: ToolPrompt
    said: str = ""
    seen: set[str] = field(default_factory=set)
    wrong: bool = False
    #: The server took no tools, and was asked again by an envelope.
    refused: bool = False
    last: Performed | None = None

    async def answer(self) -> AsyncGenerator[Frame, None]:
        """Raises ModelFailedError, after what the model had said."""
        most = settings.FORGE.MAX_STEPS if self.prompt.tools else 1
        for number in range(1, most + 1):
            only_answer = number == most > 1
            heard = Listening(self.said, hold=bool(self.prompt.tools), apart=number > 1)
            async with aclosing(self._asked(heard, only_answer)) as frames:
                async for frame in frames:
                    yield frame
            calls = self._calls(heard)
            if not calls and self._is_cut(heard):
                for frame in self._cut():
                    yield frame
                return
            if not calls and not self._is_broken(heard):
                for frame in self._answered(heard):
                    yield frame
                return
            raw = heard.text
            for frame in heard.let_go() if heard.calls else heard.take_back():
                yield frame
            self.said += heard.shown
            if only_answer:
                break
            async with aclosing(self._carried_out(heard, calls, raw)) as done:
                async for frame in done:
                    yield frame
            if self.model.ended_by or most == 1 or any(call.done for call in calls) or self.prompt.room < LEAST:
                break
        for frame in self._ended():
            yield frame

    # -- one call of the model

    async def _asked(self, heard: Listening, only_answer: bool) -> AsyncGenerator[Frame, None]:
        yield Step("model", "running", self.model.name)
        async with aclosing(
            self._streamed(heard, self.prompt.next(only_answer=only_answer, forced=self.wrong))
        ) as frames:
            async for frame in frames:
                yield frame
        if self.prompt.envelope or not self.refused:
            return
        self.prompt.envelope = True
        self.prompt.tools, again = await _fitting(
            self.progress, self.model, self.done, self.prompt.tools, envelope=True
        )
        self.prompt.ready = replace(again, recalled=self.prompt.ready.recalled, hot=self.prompt.ready.hot)
        async with aclosing(
            self._streamed(heard, self.prompt.next(only_answer=only_answer, forced=self.wrong))
        ) as frames:
            async for frame in frames:
                yield frame

    async def _streamed(self, heard: Listening, prompt: Prompt) -> AsyncGenerator[Frame, None]:
        model, context = self.model, replace(self.prompt.ready.context, prompt_tokens=self.prompt.tokens)
        model.context = context
        self.progress.sent = await self._sent(prompt)
        yield context
        with self.progress.recorder.step("model", model.name) as step:
            step.detail |= {
                "server": model.server,
                "tools": [tool.name for tool in self.prompt.tools],
                **context.wire(),
            }
            model.begin()
            try:
                async with aclosing(heard.frames(model, prompt)) as frames:
                    async for frame in frames:
                        yield frame
            except NoToolsError as error:
                self.refused, step.error = True, f"asked again without: {error}"
                return
            except ModelFailedError:
                yield Step("model", "failed", model.name)
                raise
            finally:
                if self.prompt.envelope or not self.refused:
                    model.end(heard.text + "".join(call.arguments for call in heard.calls))
        yield Step("model", "done" if heard.text or heard.calls else "empty", model.name)

    async def _sent(self, prompt: Prompt) -> Sent:
        ready, asked = self.prompt.ready, self.progress.begun
        tokens = await split(self.model, ready, asked.text)
        if tail := self.prompt.tokens - ready.context.prompt_tokens:
            tokens["tools"] = tail
        # An answer that is gone on with stands after the turn, and what asks to go on after that.
        turn = len(ready.prompt.messages) - (3 if asked.so_far else 1)
        return Sent(prompt.messages, turn, tokens, ready.context.estimated)

    # -- what it calls

    def _calls(self, heard: Listening) -> list[Call]:
        """At most AT_ONCE. A text counts as one where it is nothing else, or where calls are written as text."""
        if heard.calls:
            return [native(call, self.prompt.tools) for call in heard.calls[:AT_ONCE]]
        if not self.prompt.tools or not (heard.held or self.prompt.envelope):
            return []
        call = written(heard.text, self.prompt.tools)
        if call is None or _is_words(heard.text) or (call.wrong and not (heard.held and self._names_one(heard.text))):
            return []
        return [call]

    def _names_one(self, text: str) -> bool:
        """Is a tool meant, or is it JSON that the person asked for?"""
        return any(f'"{tool.name}"' in text for tool in self.prompt.tools) or (
            self.prompt.envelope and '"tool"' in text
        )

    def _is_broken(self, heard: Listening) -> bool:
        """It began as a call does and never became one."""
        return heard.held and self._names_one(heard.text) and read(heard.text) is None

    def _is_cut(self, heard: Listening) -> bool:
        """At the token limit, before there was a word of an answer: the server leaves out half a call."""
        ended = self.model.ended
        cut = ended is not None and ended.finish == "length" and not ended.in_thought
        return cut and (not heard.text.strip() or self._is_broken(heard))

    async def _carried_out(self, heard: Listening, calls: Sequence[Call], raw: str) -> AsyncGenerator[Frame, None]:
        if not calls:
            self._unreadable(raw)
            return
        self.prompt.make_room()
        room = max(0, self.prompt.room) // len(calls)
        results: list[str] = []
        for call in calls:
            if call.same in self.seen:
                self._end("loop", _("The model asked for the same thing again, so the run was ended."))
                return
            self.seen.add(call.same)
            yield Step(call.name[:40], "running", shown(call))
            self.last, step = await carried_out(self.progress, call, complete=self.prompt.ready.hot.complete, room=room)
            for frame in (step, *self.last.frames):
                yield frame
            results.append(self.last.result)
            if self.last.ends:
                self._end(self.last.ends, self.last.spoken)
                return
        self.prompt.called(heard.text, heard.calls, calls, results)
        if any(call.wrong for call in calls):
            self._wronged()

    def _unreadable(self, text: str) -> None:
        with self.progress.recorder.step("tool", text) as step:
            step.detail["raw"] = text[:KEPT] + ("…" if len(text) > KEPT else "")
            step.fail("the call could not be read")
        self.prompt.unreadable(text)
        self._wronged()

    def _wronged(self) -> None:
        """A call that cannot be carried out is asked for once more, and no more than once."""
        if self.wrong:
            self._end("broken call", _("The model called a tool in a way that could not be read, twice."))
        self.wrong = True

    # -- the end

    def _answered(self, heard: Listening) -> list[Frame]:
        if heard.held and (words := _is_words(heard.text)):
            heard.text = words
        frames = heard.let_go()
        if not heard.text.strip() and self.last:
            return self._ended()
        return frames

    def _cut(self) -> list[Frame]:
        """It would be cut there again. What came of an earlier call is said."""
        self.model.ended_by = EARLY
        return self._ended() if self.last and self.last.spoken else []

    def _end(self, why: str, sentence: str) -> None:
        self.model.ended_by = why
        self.last = Performed("", spoken=sentence)

    def _ended(self) -> list[Frame]:
        """Our code says what came of the last call, where the model goes on no further."""
        if not self.last or not self.last.spoken:
            self.model.ended_by = self.model.ended_by or "only tools"
            self.last = Performed("", spoken=_("The model called tools and gave no answer."))
        return [Delta(("\n\n" if self.said.strip() else "") + self.last.spoken)]


def _is_words(text: str) -> str:
    """The answer that stands in an envelope; empty where it is none, or a call."""
    found = read(text)
    return (words_of(found) or "") if found else ""
