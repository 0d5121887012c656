"""Doors to language models. Every provider stands behind the same few names, so that a turn never knows which it is."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True)
class Tool:
    """What a model may call. `parameters`: a JSON schema of one object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class ToolCall:
    """`arguments` as the model wrote them: JSON, maybe broken or of another shape. `id`: the server's, or ours.

    `extra`: JSON that the server wants back with the call, as Gemini its signature.
    """

    id: str
    name: str
    arguments: str
    extra: str = ""


@dataclass(frozen=True)
class Said:
    """One message of a prompt. `calls`: what an assistant called in it; `call_id`: the call that a tool answers."""

    role: Role
    content: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""


@dataclass(frozen=True)
class Prompt:
    """`max_tokens` bounds the answer and is always sent. `json_schema`: what the answer must fit, where served.

    `tools`: what the model may call, by the server's own means. `only_schema`: a server that takes no schema is not
    asked without one; NoSchemaError is raised. `weighed`: how likely each token was, where served.
    """

    messages: tuple[Said, ...]
    max_tokens: int
    json_schema: Mapping[str, Any] | None = None
    temperature: float | None = None
    tools: tuple[Tool, ...] = ()
    only_schema: bool = False
    weighed: bool = False


@dataclass(frozen=True)
class Text:
    """A piece of the answer, thinking taken out."""

    text: str


@dataclass(frozen=True)
class Thinking:
    """A piece of what the model says to itself. To be counted, never to be kept."""

    text: str


@dataclass(frozen=True)
class Token:
    """One token that was written, and what else might have stood there: texts with their natural logarithms of
    probability, the written one among them, likeliest first.
    """

    text: str
    likely: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Weighed:
    """The next tokens of all that the model writes, thinking too. Only where a prompt asks for them."""

    tokens: tuple[Token, ...]


@dataclass(frozen=True)
class Unsaid:
    """All the text given so far was thinking: the model's template had opened a block, and only its end was seen.

    Whoever keeps the answer begins it anew.
    """


@dataclass(frozen=True)
class Loading:
    """The server is loading the model; it goes on by itself."""


@dataclass(frozen=True)
class Called:
    """The model calls a tool: given once the call is whole, before `Ended`."""

    call: ToolCall


@dataclass(frozen=True)
class Ended:
    """The last event. `finish`: `stop`, `length` (cut at the token limit), `lost` (the stream broke off unsaid).

    `in_thought`: a thinking block was never closed. Token counts as the server gave them, or None.
    """

    finish: Literal["stop", "length", "lost"]
    model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    in_thought: bool = False


Event = Text | Thinking | Weighed | Unsaid | Loading | Called | Ended


@dataclass(frozen=True)
class ModelHealth:
    """`ready` only where the server has proved to be a model server with this model loaded. `detail`: why not."""

    ready: bool
    loading: bool = False
    model: str = ""
    detail: str = ""


Failure = Literal[
    "unreachable",  # nothing listens there, or the name is unknown
    "denied",  # 401, 403
    "rate_limited",  # 429
    "too_long",  # the prompt does not fit the model's window
    "unknown_model",  # the server has no such model
    "timeout",  # silent for too long
    "server_error",  # 5xx, or an error object inside a 200
    "not_a_model",  # HTML, or JSON of another shape
    "refused",  # another 4xx
    "dropped",  # the connection broke before the stream ended
]


class ModelFailedError(Exception):
    """No answer, or no more of it. `cause` is the server's own words, shortened; `retry_after` in seconds.

    It carries codes and values and no sentence: whoever shows it has the reader's language.
    """

    def __init__(self, failure: Failure, *, url: str, cause: str = "", retry_after: float | None = None) -> None:
        super().__init__(f"{failure}: {url} {cause}".strip())
        self.failure, self.url, self.cause, self.retry_after = failure, url, cause[:500], retry_after


class NoToolsError(ModelFailedError):
    """The server takes no `tools` for this model. Raised before anything was said, and known for an hour."""

    def __init__(self, *, url: str, cause: str = "") -> None:
        super().__init__("refused", url=url, cause=cause)


class NoSchemaError(ModelFailedError):
    """The server takes no schema for what it is to answer. Raised before anything was said."""

    def __init__(self, *, url: str, cause: str = "") -> None:
        super().__init__("refused", url=url, cause=cause)


class ModelDoor(Protocol):
    """One server and one model of it. `model` empty: the server's first, or only, one."""

    @property
    def provider(self) -> str: ...

    @property
    def url(self) -> str: ...

    @property
    def model(self) -> str: ...

    def stream(self, prompt: Prompt) -> AsyncGenerator[Event, None]:
        """The answer as it comes; `Ended` last. Closing it closes the connection, which ends the server's work.

        Raises ModelFailedError, also half way; what was given before it stands. NoToolsError: ask again without tools.
        NoSchemaError: only where the prompt says `only_schema`.
        """

    def takes_tools(self) -> bool:
        """False where this model's server is known to take no `tools`. Asks nobody; what is known fades in an hour."""

    async def health(self) -> ModelHealth:
        """Never raises."""

    async def models(self) -> list[str]:
        """The names to choose from. Raises ModelFailedError."""

    async def window(self) -> int | None:
        """Tokens that prompt and answer share, where the server says it; else None. Never raises."""

    async def count(self, text: str) -> int | None:
        """Tokens of a text, where the server counts them; else None. Never raises."""
