"""An embedding server that a test owns: vectors made of each text's digest, answered in any of the forms in use."""

from __future__ import annotations

import base64
import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np

from forgesite.lib.vectors import Vector
from forgesite.testing_wire import Answer, Request, Wire, WireServer

Form = Literal["flat", "nested", "list", "openai", "shuffled", "base64", "ollama", "ollama_old"]
FORMS: tuple[Form, ...] = ("flat", "nested", "list", "openai", "shuffled", "base64", "ollama", "ollama_old")
#: Form → the provider whose form it is, and the path it is served at.
SERVED: dict[Form, tuple[str, str]] = {
    "flat": ("llamacpp", "/embedding"),
    "nested": ("llamacpp", "/embedding"),
    "list": ("llamacpp", "/embedding"),
    "openai": ("llamacpp", "/v1/embeddings"),
    "shuffled": ("openai", "/v1/embeddings"),
    "base64": ("openai", "/v1/embeddings"),
    "ollama": ("ollama", "/api/embed"),
    "ollama_old": ("ollama", "/api/embeddings"),
}
ONE_BY_ONE = ("flat", "nested", "ollama_old")


def digest_vector(text: str, dim: int = 8) -> Vector:
    """The same for the same text, and near to no other's."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(dim).astype(np.float32)


class ScriptedEmbedder(WireServer):
    """`will_…` queue what it does instead of the next answers; `bad` what it gives for a text that holds a word.

    `longest`: characters of one text above which it refuses. `asked`: the texts of each request, oldest first.
    `mode`: `hang`, `drop` (half an answer) or `fail` (500), for as long as it is set.
    """

    def __init__(self, form: Form = "list", *, port: int = 0, dim: int = 8, key: str = "") -> None:
        super().__init__(port=port)
        self.form, self.dim, self.key = form, dim, key
        self.provider, self.path = SERVED[form]
        self.bad: dict[str, Any] = {}
        self.longest, self.mode = 10**9, ""
        self.vector: Callable[[str, int], Vector] = digest_vector
        self._script: deque[Answer] = deque()

    @property
    def address(self) -> str:
        """What EMBEDDING_URL would be."""
        return self.url if self.provider == "ollama" else self.url + self.path

    @property
    def asked(self) -> list[list[str]]:
        return [_texts(request) for request in self.requests if request.path == self.path]

    def will_fail(self, status: int, body: Any = None, **headers: str) -> None:
        """`body`: JSON; a text is sent as HTML."""

        async def script(_request: Request, wire: Wire) -> None:
            if isinstance(body, str):
                await wire.head(status, content_type="text/html", **headers)
                await wire.write(body.encode())
                return await wire.end()
            return await wire.json(body, status, **headers)

        self._script.append(script)

    def will_break(self) -> None:
        self.will_fail(500, {"error": {"message": "out of order"}})

    def will_hang(self) -> None:
        async def script(_request: Request, wire: Wire) -> None:
            await wire.gone()
            raise ConnectionResetError

        self._script.append(script)

    def will_drop(self) -> None:
        """Half of an answer, then nothing."""

        async def script(_request: Request, wire: Wire) -> None:
            await wire.head(content_type="application/json")
            await wire.write(b'[{"index": 0, "embe')

        self._script.append(script)

    def will_trickle(self) -> None:
        """A byte at a time, for ever."""

        async def script(_request: Request, wire: Wire) -> None:
            await wire.head(content_type="application/json")
            while not await wire.within(0.05):
                await wire.write(b" ")
            raise ConnectionResetError

        self._script.append(script)

    async def answer(self, request: Request, wire: Wire) -> None:
        if self.mode:
            {"hang": self.will_hang, "drop": self.will_drop, "fail": self.will_break}[self.mode]()
        if self._script:
            return await self._script.popleft()(request, wire)
        if request.path != self.path:
            return await self._not_here(wire)
        if self.key and request.headers.get("authorization") != f"Bearer {self.key}":
            said = f"Incorrect API key provided: {request.headers.get('authorization', '')}"
            return await wire.json({"error": {"message": said}}, 401)
        texts = _texts(request)
        if any(len(text) > self.longest for text in texts):
            return await wire.json({"error": {"message": "input is too large to process"}}, 500)
        await wire.head(content_type="application/json")
        await wire.write(json.dumps(self._body(texts)).encode())
        return await wire.end()

    async def _not_here(self, wire: Wire) -> None:
        await wire.head(404, content_type="text/plain")
        await wire.write(b"404 page not found")
        await wire.end()

    def _raw(self, text: str) -> Any:
        for word, bad in self.bad.items():
            if word in text:
                return bad
        return self.vector(text, self.dim).tolist()

    def _body(self, texts: Sequence[str]) -> Any:
        vectors = [self._raw(text) for text in texts]
        rows = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
        match self.form:
            case "flat" | "ollama_old":
                return {"embedding": vectors[0]}
            case "nested":
                return {"embedding": [vectors[0]]}
            case "list":
                return [row | {"embedding": [row["embedding"]]} for row in rows]
            case "ollama":
                return {"model": "m", "embeddings": vectors}
            case "shuffled":
                return {"object": "list", "data": rows[::-1]}
            case "base64":
                return {"data": [row | {"embedding": _base64(row["embedding"])} for row in rows]}
        return {"object": "list", "data": rows}


def _texts(request: Request) -> list[str]:
    body = request.json
    found = body.get("input", body.get("content", body.get("prompt", "")))
    return [found] if isinstance(found, str) else list(found)


def _base64(vector: Any) -> Any:
    return base64.b64encode(np.asarray(vector, dtype="<f4").tobytes()).decode() if vector else vector


@contextmanager
def served_by(server: ScriptedEmbedder, **changed: Any) -> Iterator[None]:
    """The settings name this server, with a short timeout and no instruction; `changed` are further ones."""
    from django.conf import settings
    from django.test import override_settings

    named = {
        "EMBEDDING_PROVIDER": server.provider,
        "EMBEDDING_URL": server.address,
        "EMBEDDING_TIMEOUT": 1.0,
        "EMBEDDING_QUERY_INSTRUCT": '""',
    }
    with override_settings(FORGE=settings.FORGE.model_copy(update=named | changed)):
        yield
