"""OpenAI's chat stream, event by event. Pure: the data of an event in, what was said out.

The path of a token is kept short: one `json.loads`, a few look-ups, no model classes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PureWindowsPath
from typing import Any, Literal

from forgesite.lib.language_models import Called, Ended, Event, Thinking, Token, Weighed
from forgesite.lib.model_failures import Refusal, in_short, within_success
from forgesite.lib.thinking import Splitter
from forgesite.lib.tool_calls import Calls

LENGTH = frozenset({"length", "max_tokens", "model_length", "max_length"})
FILTERED = frozenset({"content_filter", "safety", "error"})


class RefusedWithinError(Exception):
    """An error object where the answer should be."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class GarbledError(Exception):
    """An event, or a whole answer, that is no chat completion. Its words are in the message."""


@dataclass
class Chunks:
    """`finish`: the server's own word, lower case; empty as long as it gave none. `done`: `[DONE]` was seen."""

    splitter: Splitter = field(default_factory=Splitter)
    finish: str = ""
    done: bool = False
    calls: Calls = field(default_factory=Calls)
    _model: str = ""
    _usage: dict[str, Any] = field(default_factory=dict)
    _musing: bool = False  # the last piece came in a field for thinking
    _half: str = ""  # of a character that a server cut between two events

    def feed(self, data: str) -> Sequence[Event]:
        """Raises RefusedWithinError and GarbledError."""
        if data == "[DONE]" or not data:
            self.done = self.done or bool(data)
            return ()
        try:
            return self._chunk(json.loads(data), "delta", whole_characters="\\u" not in data)
        except (ValueError, AttributeError, KeyError, TypeError, IndexError):
            raise GarbledError(in_short(data)) from None

    def whole(self, payload: Any) -> Sequence[Event]:
        """A complete answer, of a server that streams nothing."""
        try:
            if not (payload.get("choices") or payload.get("error")):
                raise KeyError
            said = self._chunk(payload, "message", whole_characters=False)
        except (AttributeError, KeyError, TypeError, IndexError):
            raise GarbledError(in_short(json.dumps(payload))) from None
        self.finish = self.finish or "stop"
        return said

    def end(self) -> list[Event]:
        """What was held back, what it calls, and how it ended. Raises RefusedWithinError where a filter cut it."""
        if self.finish in FILTERED:
            raise RefusedWithinError(Refusal(400, self.finish))
        said, ended = self.splitter.end(), self._ended()
        return [*said, *map(Called, self.calls.whole(ended=ended.finish == "stop")), ended]

    def _ended(self) -> Ended:
        how: Literal["stop", "length", "lost"] = "stop" if self.finish or self.done else "lost"
        prompt, completion = (_count(self._usage.get(f"{side}_tokens")) for side in ("prompt", "completion"))
        in_thought = self.splitter.thinking or (self._musing and not self.calls)
        return Ended("length" if self.finish in LENGTH else how, self._model, prompt, completion, in_thought)

    def _chunk(self, chunk: dict[str, Any], part: str, *, whole_characters: bool) -> Sequence[Event]:
        if chunk.get("error"):
            raise RefusedWithinError(within_success(chunk))
        if usage := chunk.get("usage"):
            self._usage = usage if isinstance(usage, dict) else {}
        if not self._model:
            self._model = model_name(str(chunk.get("model") or ""))
        choices = chunk.get("choices")
        if not choices:
            return ()
        if finish := choices[0].get("finish_reason"):
            self.finish = str(finish).lower()
        delta = choices[0].get(part)
        said = self._said(delta, whole_characters=whole_characters) if delta else ()
        weighed = tokens(choices[0]["logprobs"]) if choices[0].get("logprobs") else ()
        return (Weighed(weighed), *said) if weighed else said

    def _said(self, delta: dict[str, Any], *, whole_characters: bool) -> Sequence[Event]:
        content = delta.get("content")
        thought = delta.get("reasoning_content") or delta.get("reasoning")
        if isinstance(content, list):  # Mistral's parts
            content, thought = _joined(content)
        if calls := delta.get("tool_calls") or delta.get("function_call"):
            self.calls.feed(calls)
        said: list[Event] = [Thinking(thought)] if thought and isinstance(thought, str) else []
        self._musing = bool(said) or self._musing
        if content and isinstance(content, str):
            self._musing = False
            said += self.splitter.feed(content if whole_characters and not self._half else self._mended(content))
        return said

    def _mended(self, text: str) -> str:
        """JSON may write one character as two halves, and a server may cut between them."""
        text, self._half = self._half + text, ""
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def tokens(told: Any) -> tuple[Token, ...]:
    """As OpenAI and llama.cpp tell them. Of another shape they are none: the answer is not worse for it."""
    found = told.get("content") if isinstance(told, dict) else None
    try:
        return tuple(Token(str(one["token"]), _likely(one)) for one in found or ())
    except (KeyError, TypeError, ValueError, AttributeError):
        return ()


def _likely(one: dict[str, Any]) -> tuple[tuple[str, float], ...]:
    others = [(str(other["token"]), float(other["logprob"])) for other in one.get("top_logprobs") or ()]
    own = (str(one["token"]), float(one["logprob"]))
    return tuple(others) if own[0] in dict(others) else (own, *others)


def model_name(said: str) -> str:
    """llama.cpp may say the path of a file: its name will do. Both kinds of slash are known."""
    return PureWindowsPath(said).stem if said.endswith(".gguf") else said


def _joined(parts: list[Any]) -> tuple[str, str]:
    """The text and the thinking of a list of typed parts."""
    text = [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
    thoughts = [part["thinking"] for part in parts if isinstance(part, dict) and part.get("thinking")]
    inner = [_joined(thought)[0] if isinstance(thought, list) else str(thought) for thought in thoughts]
    return "".join(text), "".join(inner)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None
