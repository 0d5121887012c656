"""A model inside Forge: llama.cpp's door, to a server that starts when it is first needed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from forgesite.lib import local_server
from forgesite.lib.language_models import Event, Loading, ModelFailedError, ModelHealth, Prompt
from forgesite.lib.llamacpp_door import LlamaCppDoor
from forgesite.lib.model_addresses import Address
from forgesite.lib.model_connection import Connection

LOOK_AGAIN = 0.1


@dataclass(frozen=True)
class LocalDoor:
    """`url`: the path of a GGUF file; `context`: the window that it is given, in tokens.

    Its server is started by the first question or the first look at its health.
    """

    url: str
    timeout: float = 120.0
    context: int | None = None
    provider: ClassVar[str] = "local"

    @property
    def path(self) -> Path:
        return Path(self.url).expanduser()

    @property
    def model(self) -> str:
        return self.path.stem

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Event, None]:
        """`Loading` once, if it has to be loaded. A missing file or package: `unreachable`, and what to do."""
        until = time.monotonic() + self.timeout
        if self._inner() is None:
            yield Loading()
        while (inner := self._inner()) is None:
            if time.monotonic() > until:
                raise ModelFailedError("timeout", url=self.url, cause="Loading model")
            await asyncio.sleep(LOOK_AGAIN)
        async with aclosing(inner.stream(prompt)) as events:
            async for event in events:
                yield event

    def takes_tools(self) -> bool:
        """True while it loads: nothing is known then."""
        inner = self._loaded()
        return inner is None or inner.takes_tools()

    async def health(self) -> ModelHealth:
        try:
            inner = self._inner()
        except ModelFailedError as failed:
            return ModelHealth(ready=False, model=self.model, detail=failed.cause)
        if inner is None:
            return ModelHealth(ready=False, loading=True, model=self.model, detail="Loading model")
        return await inner.health()

    async def models(self) -> list[str]:
        return [self.model]

    async def window(self) -> int | None:
        """None while it loads."""
        inner = self._loaded()
        return await inner.window() if inner else None

    async def count(self, text: str) -> int | None:
        """None while it loads."""
        inner = self._loaded()
        return await inner.count(text) if inner else None

    def _loaded(self) -> LlamaCppDoor | None:
        try:
            return self._inner()
        except ModelFailedError:
            return None

    def _inner(self) -> LlamaCppDoor | None:
        """None while it loads."""
        if not self.url:
            raise ModelFailedError("unreachable", url="", cause="LLM_URL names no GGUF file")
        try:
            served = local_server.address(self.path, self.context)
        except local_server.CannotRunError as error:
            raise ModelFailedError("unreachable", url=self.url, cause=str(error)) from None
        if served is None:
            return None
        url, key = served
        return LlamaCppDoor(Connection(Address(f"{url}/v1", url, self.url), self.timeout, key))
