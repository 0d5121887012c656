"""A server on loopback that a test owns: it answers byte by byte as it is told, and records what it was sent."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}


@dataclass(frozen=True)
class Request:
    """What came in. `at`: seconds of `time.monotonic()`."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float = field(default_factory=time.monotonic)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Wire:
    """One answer, as raw as a test wants it. Everything is chunked, so that each `write` is a piece on the wire."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def head(self, status: int = 200, **headers: str) -> None:
        """`content_type="text/plain"` becomes `Content-Type: text/plain`."""
        lines = [
            f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}",
            "Transfer-Encoding: chunked",
            "Connection: close",
        ]
        lines += [f"{name.replace('_', '-').title()}: {value}" for name, value in headers.items()]
        self._writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        await self._writer.drain()

    async def write(self, piece: bytes) -> None:
        """Raises ConnectionError once the client is gone."""
        if piece:
            self._writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            await self._writer.drain()

    async def end(self) -> None:
        """Without it the client sees a stream that broke off."""
        self._writer.write(b"0\r\n\r\n")
        await self._writer.drain()

    async def json(self, body: Any, status: int = 200, **headers: str) -> None:
        await self.head(status, content_type="application/json", **headers)
        await self.write(json.dumps(body).encode())
        await self.end()

    async def gone(self) -> None:
        """Until the client has closed the connection."""
        while await self._reader.read(1024):
            pass

    async def within(self, seconds: float) -> bool:
        """Wait that long; True as soon as the client is gone."""
        try:
            async with asyncio.timeout(seconds):
                await self.gone()
        except TimeoutError:
            return False
        return True


class WireServer:
    """Serves from `with` to the end of the block, in a thread and a loop of its own. `answer` is what a subclass says.

    `requests`: what came in, oldest first. `left`: when a client closed before its answer had ended.
    """

    def __init__(self, *, port: int = 0) -> None:
        self.requests: list[Request] = []
        self.left: list[float] = []
        self.port = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def answer(self, request: Request, wire: Wire) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = self._call(asyncio.start_server(self._serve, "127.0.0.1", self.port, backlog=1000))
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_error: object) -> None:
        self._call(self._finish())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    def sent_to(self, path: str) -> list[Request]:
        return [request for request in self.requests if request.path.partition("?")[0] == path]

    def _call(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(_awaited(work), self._loop).result(10)

    async def _finish(self) -> None:
        self._server.close()  # in its own loop: a connection that ends at the same moment wakes it up there too
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        try:
            request = await _read(reader)
            self.requests.append(request)
            await self.answer(request, Wire(reader, writer))
        except (ConnectionError, asyncio.IncompleteReadError):
            self.left.append(time.monotonic())
        except asyncio.CancelledError:
            return  # the test is over
        finally:
            writer.close()


async def _awaited(work: Awaitable[Any]) -> Any:
    return await work


async def _read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _version = head[0].split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, path, headers, body)


Answer = Callable[[Request, Wire], Awaitable[None]]
