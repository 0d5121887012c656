"""Where a model server's routes are, from whatever address a person gave for it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import httpx

DEFAULTS = {
    "openai": "https://api.openai.com/v1",
    "llamacpp": "http://127.0.0.1:8080",
    "ollama": "http://127.0.0.1:11434",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/openai",
}
#: Routes that people copy together with the address.
ROUTE = re.compile(r"/(?:chat/completions|completions?|models|embeddings?|health|api/(?:chat|generate|tags)|api)$")
VERSIONED = re.compile(r"/v\d+\w*(?:/openai)?$")


@dataclass(frozen=True)
class Address:
    """`api`: what `/chat/completions` stands under. `root`: what the server's own routes stand under. `shown`: as the
    person gave it, without a password.
    """

    api: str
    root: str
    shown: str
    user: tuple[str, str] | None = field(default=None, repr=False)


def address(provider: str, url: str) -> Address:
    """With or without `http://`, `/v1`, a slash at the end, or the whole route. Empty: the provider's usual place."""
    given = url.strip() or DEFAULTS[provider]
    parsed = httpx.URL(given if "://" in given else f"http://{given}")
    user = (parsed.username, parsed.password) if parsed.userinfo else None
    bare = str(parsed.copy_with(userinfo=b"", query=None, fragment=None)).rstrip("/")
    based = _without_route(bare, provider)
    api = based if VERSIONED.search(based) else f"{based}/v1"
    return Address(api, VERSIONED.sub("", api), bare, user)


def _without_route(bare: str, provider: str) -> str:
    found = ROUTE.search(bare)
    if not found or (found.group() == "/api" and provider != "ollama"):
        return bare
    return _without_route(bare[: found.start()].rstrip("/"), provider)
