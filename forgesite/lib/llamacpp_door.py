"""llama.cpp's own server."""

from __future__ import annotations

from typing import Any, ClassVar

from forgesite.lib import llamacpp_routes
from forgesite.lib.language_models import ModelFailedError, ModelHealth
from forgesite.lib.openai_door import OpenAIDoor, first_to_chat


class LlamaCppDoor(OpenAIDoor):
    """It says itself what it has loaded, so that a look at its health costs it no token, and no cached prompt.

    Started without a model it is a router: it has several, starts one of them when it is asked for, and takes no
    request that names none.
    """

    provider: ClassVar[str] = "llamacpp"

    async def health(self) -> ModelHealth:
        return await llamacpp_routes.health(self.line, self.model or await self._first())

    async def window(self) -> int | None:
        return await llamacpp_routes.window(self.line, self.model or await self._first())

    async def count(self, text: str) -> int | None:
        return await llamacpp_routes.count(self.line, text, self.model)

    async def _is_llamacpp(self) -> bool:
        return True

    async def _first(self) -> str:
        """Of a router a model that runs, else one that it would start. A server of one model needs no name for it."""
        try:
            entries = await self._listed()
        except ModelFailedError:
            return ""  # what is asked of it next says why
        if not any("status" in entry for entry in entries):
            return ""
        running = [str(entry["id"]) for entry in entries if _runs(entry)]
        return first_to_chat(running) or first_to_chat([str(entry["id"]) for entry in entries])


def _runs(entry: dict[str, Any]) -> bool:
    status = entry.get("status")
    return isinstance(status, dict) and status.get("value") == "loaded"
