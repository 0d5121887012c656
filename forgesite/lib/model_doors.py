"""A door by the name of its provider."""

from __future__ import annotations

import httpx

from forgesite.lib import http_client
from forgesite.lib.gemini_door import GeminiDoor
from forgesite.lib.language_models import ModelDoor
from forgesite.lib.llamacpp_door import LlamaCppDoor
from forgesite.lib.local_door import LocalDoor
from forgesite.lib.model_addresses import address
from forgesite.lib.model_connection import Connection
from forgesite.lib.ollama_door import OllamaDoor
from forgesite.lib.openai_door import OpenAIDoor

DOORS: dict[str, type[OpenAIDoor]] = {
    kind.provider: kind for kind in (OpenAIDoor, LlamaCppDoor, OllamaDoor, GeminiDoor)
}
PROVIDERS = (*DOORS, LocalDoor.provider)


def door(
    provider: str, url: str, *, model: str = "", key: str = "", timeout: float = 120.0, context: int | None = None
) -> ModelDoor:
    """A cheap value: nothing is asked before it is used.

    `local`: `url` is the path of a GGUF file, and `context` the window that it is given; other servers have theirs.

    Raises ValueError for an unknown provider, and for what is no address.
    """
    if provider not in PROVIDERS:
        raise ValueError(f"There is no provider {provider!r} of language models; there are {', '.join(PROVIDERS)}.")
    if provider == LocalDoor.provider:
        return LocalDoor(url, timeout, context)
    try:
        place = address(provider, url)
    except httpx.InvalidURL as error:
        raise ValueError(f"{provider}: that is no address of a model server: {error}.") from None
    # A line's end that was pasted with the key would break the request, and the key be quoted as what broke it.
    clean = "".join(letter for letter in key if letter.isprintable() and not letter.isspace())
    return DOORS[provider](Connection(place, timeout, clean), model)


async def close() -> None:
    """Closes the connections of the running event loop."""
    await http_client.close()
