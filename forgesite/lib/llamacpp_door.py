"""llama.cpp's own server."""

from __future__ import annotations

from typing import ClassVar

from forgesite.lib.openai_door import OpenAIDoor


class LlamaCppDoor(OpenAIDoor):
    provider: ClassVar[str] = "llamacpp"

    async def _first(self) -> str:
        return ""  # it has one model, and needs no name for it
