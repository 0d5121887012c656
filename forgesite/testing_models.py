"""A model server that says what a test tells it to: OpenAI's chat stream, llama.cpp's and Ollama's own routes.

    python -m forgesite.testing_models --port 9000 --tokens 100 --every 0.033

runs one that always gives the same long answer, for a bench.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import deque
from collections.abc import Iterable, Sequence
from threading import Event
from typing import Any
from urllib.parse import parse_qs

from forgesite.testing_wire import Answer, Request, Wire, WireServer

MODEL = "scripted-1"


def chunk(
    delta: dict[str, Any] | None, *, finish: str | None = None, logprobs_of: dict[str, Any] | None = None, **more: Any
) -> bytes:
    """One event of a chat stream. `delta` None: no choice at all. `logprobs_of`: what it tells of its one token."""
    weighed = {"logprobs": {"content": [logprobs_of]}} if logprobs_of else {}
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish, **weighed}]
    body = {"id": "c1", "object": "chat.completion.chunk", "model": MODEL, "choices": choices, **more}
    return f"data: {json.dumps(body)}\n\n".encode()


def usage(prompt: int, completion: int) -> dict[str, int]:
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def stream(pieces: Iterable[str], *, finish: str = "stop", thinking: Sequence[str] = ()) -> list[bytes]:
    """The events of a whole answer, `[DONE]` last. `thinking` comes first, as `reasoning_content`."""
    said = list(pieces)
    return [
        chunk({"role": "assistant", "content": None}),
        *(chunk({"reasoning_content": piece}) for piece in thinking),
        *(chunk({"content": piece}) for piece in said),
        chunk({}, finish=finish),
        chunk(None, usage=usage(7, len(said))),
        b"data: [DONE]\n\n",
    ]


def weighed_stream(tokens: Iterable[tuple[str, dict[str, float]]]) -> list[bytes]:
    """The events of an answer that tells how likely each token was: its text, and the probabilities at its place."""
    said = [(text, {other: math.log(share) for other, share in likely.items()}) for text, likely in tokens]
    told = [
        {
            "token": text,
            "logprob": likely[text],
            "top_logprobs": [{"token": other, "logprob": share} for other, share in likely.items()],
        }
        for text, likely in said
    ]
    return [
        *(chunk({"content": one["token"]}, logprobs_of=one) for one in told),
        chunk({}, finish="stop"),
        chunk(None, usage=usage(7, len(said))),
        b"data: [DONE]\n\n",
    ]


def call_stream(calls: Iterable[tuple[str, dict[str, Any] | str]], said: Sequence[str] = ()) -> list[bytes]:
    """The events of an answer that calls tools: text first, then name and arguments of each, in pieces as they come."""
    pieces = [piece for index, (name, given) in enumerate(calls) for piece in call_pieces(index, name, given)]
    return [
        chunk({"role": "assistant", "content": None}),
        *(chunk({"content": piece}) for piece in said),
        *(chunk({"tool_calls": [piece]}) for piece in pieces),
        chunk({}, finish="tool_calls"),
        chunk(None, usage=usage(7, len(said) + len(pieces))),
        b"data: [DONE]\n\n",
    ]


def call_pieces(index: int, name: str, given: dict[str, Any] | str) -> list[dict[str, Any]]:
    """One call as OpenAI streams it. `given`: its arguments; a text is sent as it is."""
    written = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    first = {"index": index, "id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": ""}}
    return [first, *({"index": index, "function": {"arguments": piece}} for piece in tokens(written))]


def tokens(text: str) -> list[str]:
    """The text in pieces of four characters, as a model might send it."""
    return [text[start : start + 4] for start in range(0, len(text), 4)]


class ScriptedModel(WireServer):
    """What it will say is queued by the `will_…` methods, one a request to `/v1/chat/completions`; then it says OK.

    `window` is what `/props` and `/api/show` give; a token of `/tokenize` is four bytes. `owner`: whose list of models
    it gives; that of llama.cpp says that llama.cpp's own routes are there.
    """

    def __init__(
        self, *, port: int = 0, window: int = 8192, models: Sequence[str] = (MODEL,), owner: str = "llamacpp"
    ) -> None:
        super().__init__(port=port)
        self.window, self.names, self.owner = window, list(models), owner
        self.ready, self.lists_early = True, False
        #: What `/props` says that the model's chat template shows.
        self.capabilities: dict[str, bool] = {"supports_tools": True, "supports_tool_calls": True}
        self._script: deque[Answer] = deque()

    @property
    def prompts(self) -> list[list[dict[str, str]]]:
        """The messages of each chat request."""
        return [request.json["messages"] for request in self.sent_to("/v1/chat/completions")]

    def will_answer(self, text: str, *, finish: str = "stop", every: float = 0.0, thinking: Sequence[str] = ()) -> None:
        """In pieces of four characters, `every` so many seconds apart."""
        self.will_send(stream(tokens(text), finish=finish, thinking=thinking), every=every)

    def will_call(self, *calls: tuple[str, dict[str, Any] | str], text: str = "", every: float = 0.0) -> None:
        """These tools, after `text`; each with its arguments, of which a text is sent as it is."""
        self.will_send(call_stream(calls, tokens(text)), every=every)

    def will_refuse_tools(self, status: int = 400, message: str = f"{MODEL} does not support tools") -> None:
        """As a server does that takes no `tools` for this model. A status of 200: the error is inside the answer."""
        self.will_fail(status, {"error": {"message": message, "type": "invalid_request_error"}})

    def will_send(
        self, pieces: Sequence[bytes], *, every: float = 0.0, hang: bool = False, end: bool = True, **headers: str
    ) -> None:
        """These pieces, each a write of its own; then the end, silence (`hang`), or a broken stream."""

        async def script(_request: Request, wire: Wire) -> None:
            await wire.head(200, **({"content_type": "text/event-stream"} | headers))
            for piece in pieces:
                await wire.write(piece)
                if every and await wire.within(every):
                    raise ConnectionResetError
            if hang:
                await wire.gone()
                raise ConnectionResetError
            if end:
                await wire.end()

        self._script.append(script)

    def will_fail(self, status: int, body: Any = None, **headers: str) -> None:
        """`body`: JSON; a text is sent as HTML."""

        async def script(_request: Request, wire: Wire) -> None:
            if isinstance(body, str):
                await wire.head(status, content_type="text/html", **headers)
                await wire.write(body.encode())
                return await wire.end()
            await wire.json(body, status, **headers)
            return None

        self._script.append(script)

    def will_hang(self) -> None:
        """Takes the request and says nothing at all."""

        async def script(_request: Request, wire: Wire) -> None:
            await wire.gone()
            raise ConnectionResetError

        self._script.append(script)

    def loads(self, *, listing: bool = False) -> None:
        """From now on it says that it loads its model, until `loaded`. `listing`: as some servers, and older llama.cpp,
        it lists its models all the same."""
        self.ready, self.lists_early = False, listing

    def loaded(self) -> None:
        self.ready = True

    async def answer(self, request: Request, wire: Wire) -> None:
        path = request.path.partition("?")[0]
        if not self.ready and path != "/api/version" and not (path == "/v1/models" and self.lists_early):
            loading = {"code": 503, "message": "Loading model", "type": "unavailable_error"}
            return await wire.json({"error": loading}, 503)
        if path == "/v1/chat/completions":
            return await self._chat(request, wire)
        known = self._routes(request).get(path)
        await wire.json(known if known is not None else {"error": "not found"}, 200 if known is not None else 404)
        return None

    async def _chat(self, request: Request, wire: Wire) -> None:
        if self._script:
            return await self._script.popleft()(request, wire)
        await wire.head(content_type="text/event-stream")
        for piece in stream(["OK."]):
            await wire.write(piece)
        await wire.end()
        return None

    def _routes(self, request: Request) -> dict[str, Any]:
        listed = [{"id": name, "object": "model", "owned_by": self.owner} for name in self.names]
        return {
            "/health": {"status": "ok"},
            "/v1/models": {"object": "list", "data": listed},
            "/props": {
                "default_generation_settings": {"n_ctx": self.window},
                "model_path": f"/models/{MODEL}.gguf",
                "chat_template_caps": self.capabilities,
            },
            "/tokenize": {"tokens": list(range(self._count(request)))},
            "/api/version": {"version": "0.12.6"},
            "/api/tags": {"models": [{"name": name} for name in self.names]},
            "/api/show": {"parameters": f"num_ctx {self.window}", "model_info": {"llama.context_length": 131072}},
            "/api/ps": {"models": []},
        }

    def _count(self, request: Request) -> int:
        return -(-len(str(request.json.get("content", "")).encode()) // 4) if request.body else 0


class RouterModel(ScriptedModel):
    """llama.cpp started without a model: it takes no request that names none. `running`: those that it has started."""

    def __init__(self, *, models: Sequence[str], running: Sequence[str] = ()) -> None:
        super().__init__(models=models)
        self.running = set(running)

    async def answer(self, request: Request, wire: Wire) -> None:
        path, _, query = request.path.partition("?")
        if path in ("/v1/chat/completions", "/tokenize", "/props"):
            named = parse_qs(query).get("model", [""])[0] if path == "/props" else request.json.get("model")
            if not named and path != "/props":
                missing = {"code": 400, "message": "model name is missing from the request"}
                return await wire.json({"error": missing | {"type": "invalid_request_error"}}, 400)
            if not named:
                own = {"role": "router", "model_alias": "llama-server", "default_generation_settings": {"n_ctx": 0}}
                return await wire.json(own)
            self.running.add(named)
        return await super().answer(request, wire)

    def _routes(self, request: Request) -> dict[str, Any]:
        routes = super()._routes(request)
        for entry in routes["/v1/models"]["data"]:
            entry["status"] = {"value": "loaded" if entry["id"] in self.running else "unloaded"}
        return routes


class SteadyModel(ScriptedModel):
    """Always the same answer, at a steady pace."""

    def __init__(self, *, port: int, pieces: Sequence[bytes], every: float) -> None:
        super().__init__(port=port)
        self._pieces, self._every = pieces, every

    async def _chat(self, request: Request, wire: Wire) -> None:
        self.will_send(self._pieces, every=self._every)
        await super()._chat(request, wire)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--tokens", type=int, default=100)
    parser.add_argument("--every", type=float, default=0.033, help="seconds between tokens")
    asked = parser.parse_args()
    pieces = stream([f"word{number} " for number in range(asked.tokens)])
    with SteadyModel(port=asked.port, pieces=pieces, every=asked.every) as model:
        print(f"{model.url} since {time.monotonic():.3f}", flush=True)
        Event().wait()


if __name__ == "__main__":
    main()
