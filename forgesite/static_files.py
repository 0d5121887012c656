"""Static files through ASGI: every finder's files, with no collecting step, by whitenoise's rules."""

from __future__ import annotations

import asyncio
import gzip
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from whitenoise import WhiteNoise

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
TEXTS = ("text/", "application/javascript", "application/json", "image/svg+xml")


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


class StaticFiles:
    """Holds the files below `STATIC_URL`. The list is read once: a file added later needs a restart."""

    def __init__(self) -> None:
        # Age 0: names carry no hash, so a browser asks again each time, and mostly gets a 304.
        self.known = WhiteNoise(None, max_age=0, allow_all_origins=False, add_headers_function=_no_sniffing)
        for finder in finders.get_finders():
            for path, storage in finder.list([]):
                url = f"{settings.STATIC_URL}{path.replace(os.sep, '/')}"
                if url not in self.known.files:
                    self.known.add_file_to_dictionary(url, storage.path(path))

    def holds(self, scope: Scope) -> bool:
        return scope["path"] in self.known.files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await asyncio.to_thread(self._answer, scope)
        headers = [(name.lower().encode(), value.encode()) for name, value in answer.headers.items()]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.body})

    def _answer(self, scope: Scope) -> Answer:
        asked = {_wsgi_name(name): value.decode("latin1") for name, value in scope["headers"]}
        found = self.known.files[scope["path"]].get_response(scope["method"], asked)
        headers = dict(found.headers)
        if found.file is None:
            return Answer(int(found.status), headers, b"")
        with found.file as file:
            body = file.read()
        if found.status == 200 and headers.get("Content-Type", "").startswith(TEXTS):
            return _text(headers, body, packed="gzip" in asked.get("HTTP_ACCEPT_ENCODING", ""))
        return Answer(int(found.status), headers, body)


def _text(headers: dict[str, str], body: bytes, *, packed: bool) -> Answer:
    headers["Vary"] = "Accept-Encoding"
    if not packed:
        return Answer(200, headers, body)
    body = _packed(body)
    return Answer(200, headers | {"Content-Encoding": "gzip", "Content-Length": str(len(body))}, body)


@lru_cache(maxsize=256)
def _packed(body: bytes) -> bytes:
    return gzip.compress(body, compresslevel=6, mtime=0)


def _wsgi_name(header: bytes) -> str:
    return f"HTTP_{header.decode('latin1').upper().replace('-', '_')}"


def _no_sniffing(headers: Any, path: str, url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"
