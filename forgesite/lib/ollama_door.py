"""Ollama: its OpenAI-compatible route for the chat, its own for what it has."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from forgesite.lib.language_models import ModelFailedError, ModelHealth
from forgesite.lib.model_connection import BRIEF, unready
from forgesite.lib.openai_door import OpenAIDoor, first_to_chat

#: What Ollama gives a model that sets no `num_ctx`, whatever the model could read, on a machine without a large GPU.
USUAL_WINDOW = 4096
NUM_CTX = re.compile(r"^\s*num_ctx\s+(\d+)", re.MULTILINE)


class OllamaDoor(OpenAIDoor):
    """Its compatible route takes no context size: Ollama's own setting holds (`OLLAMA_CONTEXT_LENGTH`, or `num_ctx` in
    a Modelfile), 4,096 tokens unless somebody changed it, and it cuts the start of a longer prompt in silence. So
    `window` tells what it really gives, not what the model could read.
    """

    provider: ClassVar[str] = "ollama"
    names_results: ClassVar[bool] = True  # it hands some models on to Gemini

    async def health(self) -> ModelHealth:
        """Ready where it is Ollama and has the model; it loads a model when it is asked something."""
        try:
            said = await self._own("version")
            if not isinstance(said.get("version"), str):
                raise self.line.failed("not_a_model", "it names no version of Ollama")
            names = await self.models()
            model = self.model or first_to_chat(names)
            if not model or not any(same(model, name) for name in names):
                raise self.line.failed("unknown_model", f"ollama pull {model or 'a model'}")
        except ModelFailedError as failed:
            return unready(failed)
        return ModelHealth(ready=True, model=model)

    async def models(self) -> list[str]:
        entries = (await self._own("tags")).get("models")
        if not isinstance(entries, list):
            raise self.line.failed("not_a_model", "its list of models is none")
        return [str(entry["name"]) for entry in entries if isinstance(entry, dict) and entry.get("name")]

    async def window(self) -> int | None:
        """What the model is loaded with; else its own `num_ctx`; else the usual one, if it can read that much."""
        try:
            model = self.model or await self._first()
            running = await self._running(model)
            return running or _asked_for(await self._own("show", {"model": model}))
        except ModelFailedError:
            return None

    async def _running(self, model: str) -> int | None:
        """Newer versions say it of each model that is in memory."""
        try:
            entries = (await self._own("ps")).get("models") or []
        except ModelFailedError:
            return None
        sizes = (entry.get("context_length") for entry in entries if same(model, str(entry.get("name"))))
        return next((size for size in sizes if isinstance(size, int) and size > 0), None)

    async def _is_llamacpp(self) -> bool:
        return False

    async def _first(self) -> str:
        if name := first_to_chat(await self.models()):
            return name
        raise self.line.failed("unknown_model", "ollama pull a model")

    async def _own(self, route: str, body: Any = None) -> dict[str, Any]:
        method = "GET" if body is None else "POST"
        said = await self.line.json(method, f"{self.line.address.root}/api/{route}", body, timeout=BRIEF)
        if not isinstance(said, dict):
            raise self.line.failed("not_a_model", "it is not Ollama")
        return said


def same(asked: str, name: str) -> bool:
    """A name without a tag means the latest."""
    return name == asked or name == f"{asked}:latest"


def _asked_for(shown: dict[str, Any]) -> int | None:
    if found := NUM_CTX.search(str(shown.get("parameters") or "")):
        return int(found.group(1))
    info = shown.get("model_info")
    sizes = [size for name, size in info.items() if name.endswith(".context_length")] if isinstance(info, dict) else []
    return min(USUAL_WINDOW, *(size for size in sizes if isinstance(size, int)), USUAL_WINDOW)
