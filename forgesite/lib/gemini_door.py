"""Google's Gemini, by its OpenAI-compatible address."""

from __future__ import annotations

from typing import Any, ClassVar

from forgesite.lib.openai_door import OpenAIDoor

#: Taken where the person names none and the list has it; the list begins with old ones.
USUAL = "gemini-flash-latest"


class GeminiDoor(OpenAIDoor):
    provider: ClassVar[str] = "gemini"
    names_results: ClassVar[bool] = True  # it answers 400 without

    async def _is_llamacpp(self) -> bool:
        return False

    async def _listed(self) -> list[dict[str, Any]]:
        """By the names that a request takes: the list puts `models/` before each."""
        entries = await super()._listed()
        return [entry | {"id": str(entry["id"]).removeprefix("models/")} for entry in entries]

    def _choice(self, entries: list[dict[str, Any]]) -> str:
        return USUAL if any(entry["id"] == USUAL for entry in entries) else super()._choice(entries)
