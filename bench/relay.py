"""The least that can pass a model on to a page: `python -m bench.relay --port N --model URL`.

The server, the socket library and the HTTP client of Forge, and nothing of Forge: no account, no memory, no history, no
rendering. Each delta of the model is one frame. What Forge costs is told beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from typing import Any

import httpx
from django.conf import settings

CLIENT: list[httpx.AsyncClient] = []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--model", required=True)
    asked = parser.parse_args()
    settings.configure()
    # The server first: it installs its event loop, which whatever imports Twisted would otherwise choose.
    from daphne.endpoints import build_endpoint_description_strings
    from daphne.server import Server

    listen = build_endpoint_description_strings(host="127.0.0.1", port=asked.port)
    Server(application(f"{asked.model}/v1/chat/completions"), endpoints=listen, action_logger=None).run()


def application(url: str) -> Any:
    from channels.generic.websocket import AsyncWebsocketConsumer

    class Relay(AsyncWebsocketConsumer):  # type: ignore[misc]
        async def connect(self) -> None:
            await self.accept()
            await self.send(json.dumps({"type": "ready"}))

        async def receive(self, text_data: str = "", bytes_data: bytes | None = None) -> None:
            frame = json.loads(text_data)
            if frame["type"] == "ping":
                await self.send(json.dumps({"type": "pong"}))
            else:
                self.run = asyncio.create_task(self.relay(frame["text"]))

        async def relay(self, text: str) -> None:
            body = {"model": "any", "stream": True, "messages": [{"role": "user", "content": text}]}
            async with client().stream("POST", url, json=body) as response:
                async for line in response.aiter_lines():
                    if said := delta(line):
                        await self.send(json.dumps({"type": "delta", "text": said}))
            await self.send(json.dumps({"type": "done"}))

    return Relay.as_asgi()


def client() -> httpx.AsyncClient:
    if not CLIENT:
        CLIENT.append(httpx.AsyncClient(timeout=120, limits=httpx.Limits(max_connections=1000), trust_env=False))
    return CLIENT[0]


def delta(line: str) -> str:
    """The text of one line of the stream; empty for every other line."""
    if not line.startswith("data: {"):
        return ""
    choices = json.loads(line.removeprefix("data: "))["choices"]
    return (choices[0]["delta"].get("content") or "") if choices else ""


if __name__ == "__main__":
    main()
