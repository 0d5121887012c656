"""The routes of llama.cpp's server beside OpenAI's: what it has loaded, how much that can read, how it counts.

`model`: whom a router of several asks, starting it first; a server of one model does not look at it.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from forgesite.lib.chat_chunks import model_name
from forgesite.lib.language_models import ModelFailedError, ModelHealth
from forgesite.lib.model_connection import BRIEF, Connection, unready


async def health(line: Connection, model: str = "") -> ModelHealth:
    """Ready only where `/health` says so in its own words and `/props` names a model. Never raises.

    A router is not asked for the model's own, which would start it: `model` is the one that it would ask.
    """
    try:
        said = await line.json("GET", f"{line.address.root}/health", timeout=BRIEF)
        if not isinstance(said, dict) or said.get("status") not in ("ok", "no slot available"):
            raise line.failed("not_a_model", f"its health is {said}")
        told = await props(line)
        return ModelHealth(ready=True, model=model if told.get("role") == "router" else model_in(told))
    except ModelFailedError as failed:
        return unready(failed)


async def props(line: Connection, model: str = "") -> dict[str, Any]:
    """Raises ModelFailedError, also where it is not llama.cpp that answers."""
    of = f"?model={quote(model, safe='')}" if model else ""
    said = await line.json("GET", f"{line.address.root}/props{of}", timeout=BRIEF)
    if not isinstance(said, dict) or not isinstance(said.get("default_generation_settings"), dict):
        raise line.failed("not_a_model", "its properties are not llama.cpp's")
    return said


async def takes_tools(line: Connection, model: str = "") -> bool:
    """Does its model's template show tools? It leaves them out in silence where it does not. An older one never says.

    Raises ModelFailedError.
    """
    told = (await props(line, model)).get("chat_template_caps")
    return not isinstance(told, dict) or told.get("supports_tools") is not False


def model_in(props: dict[str, Any]) -> str:
    """The name that it was given, else its file's."""
    alias, path = props.get("model_alias"), str(props.get("model_path") or "")
    return model_name(str(alias) if alias else path)


async def window(line: Connection, model: str = "") -> int | None:
    """Of one slot: what prompt and answer share, however many answers it gives at once."""
    try:
        settings = (await props(line, model))["default_generation_settings"]
    except ModelFailedError:
        return None
    size = settings.get("n_ctx")
    return size if isinstance(size, int) and size > 0 else None


async def count(line: Connection, text: str, model: str = "") -> int | None:
    asked = {"content": text} | ({"model": model} if model else {})
    try:
        said = await line.json("POST", f"{line.address.root}/tokenize", asked, timeout=BRIEF)
    except ModelFailedError:
        return None
    counted = said.get("tokens") if isinstance(said, dict) else None
    return len(counted) if isinstance(counted, list) else None
