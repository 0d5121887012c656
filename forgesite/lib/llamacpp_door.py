"""llama.cpp's own server."""

from __future__ import annotations

from typing import ClassVar

from forgesite.lib import llamacpp_routes
from forgesite.lib.language_models import ModelHealth
from forgesite.lib.openai_door import OpenAIDoor


class LlamaCppDoor(OpenAIDoor):
    """It says itself what it has loaded, so that a look at its health costs it no token, and no cached prompt."""

    provider: ClassVar[str] = "llamacpp"

    async def health(self) -> ModelHealth:
        return await llamacpp_routes.health(self.line)

    async def window(self) -> int | None:
        return await llamacpp_routes.window(self.line)

    async def count(self, text: str) -> int | None:
        return await llamacpp_routes.count(self.line, text)

    async def _is_llamacpp(self) -> bool:
        return True

    async def _first(self) -> str:
        return ""  # it has one model, and needs no name for it
