"""The door to any server that speaks OpenAI's chat API; the other doors are this one and what their server adds."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import httpx

from forgesite.lib import llamacpp_routes, request_fields
from forgesite.lib.chat_chunks import Chunks, GarbledError, RefusedWithinError
from forgesite.lib.chat_response import is_json, is_page, rest, source
from forgesite.lib.language_models import (
    Event,
    Loading,
    ModelFailedError,
    ModelHealth,
    NoSchemaError,
    NoToolsError,
    Prompt,
    Said,
)
from forgesite.lib.learned import Known, learned
from forgesite.lib.model_connection import BRIEF, Connection, unready
from forgesite.lib.model_failures import Refusal
from forgesite.lib.thinking import Splitter

log = logging.getLogger(__name__)
#: Seconds between two looks at a server that loads its model.
LOOK_AGAIN = 0.5
#: Seconds for the one token of a probe, and for which an answer proves that a model is there.
PROBE, PROOF = 10.0, 600.0
NO_CHAT = re.compile(
    r"embed|rerank|whisper|transcri|tts|audio|realtime|dall-e|image|imagen|veo|sora|moderation|davinci|babbage|aqa",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class OpenAIDoor:
    """A stream that ends without a word of why gives `Ended("lost")`; a connection that breaks raises `dropped`.

    An answer in one piece is taken as it is. While the server loads its model, one `Loading` is given and the answer
    follows by itself; after `timeout` of it that failure is raised.
    """

    line: Connection
    model: str = ""
    provider: ClassVar[str] = "openai"
    #: Must the result of a tool say the tool's name? Strict servers refuse the field.
    names_results: ClassVar[bool] = False

    @property
    def url(self) -> str:
        return self.line.address.shown

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Event, None]:
        until = time.monotonic() + self.line.timeout
        told = said_any = False
        while (model := await self._named()) is None or (response := await self._offered(prompt, model)) is None:
            if not told:
                told = True
                yield Loading()
            await self._loaded(until)
        chunks = Chunks(Splitter(doubtful=(self.line.address.api, model) in learned().opens_unseen))
        try:
            if is_json(response):
                for said in chunks.whole(await self.line.payload(response)):
                    said_any = True
                    yield said
            else:
                async with aclosing(source(response).aiter_sse()) as events:
                    async for event in events:
                        for said in chunks.feed(event.data):
                            said_any = True
                            yield said
                        if chunks.finish or chunks.done:
                            for said in await rest(events, chunks):
                                yield said
                            break
            for said in chunks.end():
                yield said
        except (httpx.HTTPError, GarbledError, RefusedWithinError) as error:
            if isinstance(error, RefusedWithinError) and not said_any and prompt.tools and error.refusal.of_tools:
                raise self._no_tools(error.refusal, model) from None
            for said in chunks.splitter.end():
                yield said
            raise self.line.broken(error) from None
        finally:
            await response.aclose()
            self._learn(chunks, model)

    def takes_tools(self) -> bool:
        return learned().takes_tools(self._known) is not False

    @property
    def _known(self) -> Known:
        return self.line.address.api, self.model

    async def _named(self) -> str | None:
        """The model to ask. None: the server has no list to choose from as long as it loads."""
        try:
            return self.model or await self._first()
        except ModelFailedError as failed:
            if not unready(failed).loading:
                raise
            return None

    async def _offered(self, prompt: Prompt, model: str) -> httpx.Response | None:
        if prompt.tools:
            await self._offer(model)
        return await self._asked(prompt, model)

    async def _offer(self, model: str) -> None:
        """Raises NoToolsError where llama.cpp would leave tools out without a word. Asked once an hour; a server that
        does not say it, loading or broken, is asked with tools.
        """
        takes = learned().takes_tools(self._known)
        if takes is None:
            with suppress(ModelFailedError):
                takes = not await self._is_llamacpp() or await llamacpp_routes.takes_tools(self.line, model)
                learned().learn_tools(self._known, takes=takes)
        if takes is False:
            raise NoToolsError(url=self.url, cause="its model's chat template shows no tools")

    async def _is_llamacpp(self) -> bool:
        return any(entry.get("owned_by") == "llamacpp" for entry in await self._listed())

    def _no_tools(self, refusal: Refusal, model: str) -> NoToolsError:
        log.info("%s takes no tools for %s: %s", self.url, model or "its model", refusal.message)
        for known in {self._known, (self.line.address.api, model)}:
            learned().learn_tools(known, takes=False)
        return NoToolsError(url=self.url, cause=self.line.refused(refusal).cause)

    async def health(self) -> ModelHealth:
        """A list of models proves nothing yet: a server that is not llama.cpp is asked for one token, unless it
        answered within the last ten minutes.
        """
        try:
            entries = await self._listed()
            if any(entry.get("owned_by") == "llamacpp" for entry in entries):
                return await llamacpp_routes.health(self.line, self.model or self._choice(entries))
            return await self._proof(self.model or self._choice(entries))
        except ModelFailedError as failed:
            return unready(failed)

    async def models(self) -> list[str]:
        return [str(entry["id"]) for entry in await self._listed()]

    async def window(self) -> int | None:
        try:
            entries = await self._listed()
            model = self.model or self._choice(entries)
        except ModelFailedError:
            return None
        if any(entry.get("owned_by") == "llamacpp" for entry in entries):
            return await llamacpp_routes.window(self.line, model)
        return next((window_in(entry) for entry in entries if entry["id"] == model), None)

    async def count(self, text: str) -> int | None:
        return None

    async def _proof(self, model: str) -> ModelHealth:
        answered, known = learned().answered, (self.line.address.api, model)
        if time.monotonic() - answered.get(known, float("-inf")) > PROOF:
            brief = replace(self, line=replace(self.line, timeout=min(PROBE, self.line.timeout)), model=model)
            async with aclosing(brief.stream(Prompt((Said("user", "Hi"),), max_tokens=1))) as events:
                if isinstance(await anext(events), Loading):
                    return ModelHealth(ready=False, loading=True, model=model, detail="Loading model")
            answered[known] = time.monotonic()
        return ModelHealth(ready=True, model=model)

    async def _listed(self) -> list[dict[str, Any]]:
        payload = await self.line.json("GET", f"{self.line.address.api}/models", timeout=BRIEF)
        entries = payload.get("data") if isinstance(payload, dict) else None
        if not isinstance(entries, list) or not all(isinstance(entry, dict) and entry.get("id") for entry in entries):
            raise self.line.failed("not_a_model", "its list of models is none")
        return entries

    def _choice(self, entries: list[dict[str, Any]]) -> str:
        """The model of a door that names none."""
        if name := first_to_chat([str(entry["id"]) for entry in entries]):
            return name
        raise self.line.failed("unknown_model", "the server lists no model to chat with")

    async def _first(self) -> str:
        return self._choice(await self._listed())

    async def _asked(self, prompt: Prompt, model: str) -> httpx.Response | None:
        """The head of an answer. None: it is loading the model."""
        known = (self.line.address.api, model)
        without = learned().without.get(known, frozenset())
        without -= {"response_format"} if prompt.only_schema else set()
        while True:
            body = request_fields.body(prompt, model, without=without, names=self.names_results)
            response = await self.line.send("POST", f"{self.line.address.api}/chat/completions", body)
            if response.is_success and not is_page(response):
                if without:
                    learned().without[known] = without
                return response
            try:
                refusal = await self.line.refusal(response)
            finally:
                await response.aclose()
            if refusal.loading:
                return None
            if prompt.only_schema and request_fields.refuses_schema(refusal):
                raise NoSchemaError(url=self.url, cause=self.line.refused(refusal).cause)
            refused = request_fields.refused_field(body, refusal)
            if "tools" in body and refusal.of_tools and (refused is None or refused not in refusal.message):
                raise self._no_tools(refusal, model)
            if refused is None:
                raise self.line.refused(refusal, response)
            log.info("%s refuses %s; asked without it", self.url, refused)
            without |= {refused}

    def _learn(self, chunks: Chunks, model: str) -> None:
        known = (self.line.address.api, model)
        if chunks.finish:
            learned().answered[known] = time.monotonic()
        if chunks.splitter.unopened:
            learned().opens_unseen.add(known)
        elif chunks.splitter.doubtful and chunks.finish:
            learned().opens_unseen.discard(known)

    async def _loaded(self, until: float) -> None:
        """Until the server no longer says that it is loading. Raises `timeout`."""
        while time.monotonic() < until:
            await asyncio.sleep(LOOK_AGAIN)
            response = await self.line.send("GET", f"{self.line.address.root}/health", timeout=BRIEF)
            try:
                if not (await self.line.refusal(response)).loading:
                    return
            finally:
                await response.aclose()
        raise self.line.failed("timeout", "Loading model")


def first_to_chat(names: list[str]) -> str:
    """The first that is no embedder, voice or painter; empty where there is none."""
    return next((name for name in names if not NO_CHAT.search(name)), "")


def window_in(entry: dict[str, Any]) -> int | None:
    """What vLLM, OpenRouter, LM Studio and Groq call it, in their lists of models."""
    names = ("max_model_len", "context_length", "loaded_context_length", "context_window", "max_context_length")
    return next((entry[name] for name in names if isinstance(entry.get(name), int) and entry[name] > 0), None)
