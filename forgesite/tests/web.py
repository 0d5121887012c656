"""A client of the whole application, from the ASGI call inwards: static files, middleware, API."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import httpx
from django.test import Client

from forgesite.accounts import new_token
from forgesite.asgi import application
from forgesite.models import Account

CSRF = "c" * 32
#: One event loop, as a server has: a run that one request began is followed by another. The plugin closes it.
server = asyncio.Runner()


@dataclass(frozen=True)
class Web:
    """Who asks is in the headers."""

    headers: dict[str, str] = field(default_factory=dict)
    base_url: str = "http://localhost"

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        content = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        return server.run(self._ask(method, path, content, headers))

    async def _ask(self, method: str, path: str, content: bytes | None, headers: dict[str, str]) -> httpx.Response:
        transport = httpx.ASGITransport(application, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=self.base_url) as client:
            return await client.request(method, path, content=content, headers={**self.headers, **headers})


def nobody() -> Web:
    return Web()


def by_token(owner: Account) -> Web:
    return Web({"Authorization": f"Bearer {new_token(owner)}"})


def by_session(owner: Account, *, csrf: bool = True) -> Web:
    cookie = f"sessionid={session_of(owner)}; csrftoken={CSRF}"
    return Web({"Cookie": cookie, **({"X-CSRFToken": CSRF} if csrf else {})})


def session_of(owner: Account) -> str:
    """The session key of a browser that is signed in."""
    client = Client()
    client.force_login(owner)
    return client.cookies["sessionid"].value
