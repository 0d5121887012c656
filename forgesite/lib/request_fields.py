"""The body of a chat request, and the fields that a server may refuse without refusing the question."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from forgesite.lib.language_models import Prompt, Said
from forgesite.lib.model_failures import Refusal
from forgesite.lib.tool_calls import called, offered

#: Asked without, where a server knows them not. `max_tokens` has another name then: there is always a limit.
OPTIONAL = ("stream_options", "response_format", "temperature", "max_tokens", "top_logprobs", "logprobs")
#: How many tokens are told of one place. Some servers tell 20 at most, and some 5: those are asked without.
LIKELY = 10

OF_SCHEMA = re.compile(r"response_format|json.?(?:schema|mode)|structured.?output|guided|grammar", re.IGNORECASE)


def body(prompt: Prompt, model: str, *, without: Collection[str] = (), names: bool = False) -> dict[str, Any]:
    """`names`: the result of a tool says the tool's name too, which some servers need and others refuse."""
    tools = {call.id: call.name for said in prompt.messages for call in said.calls} if names else {}
    asked: dict[str, Any] = {
        "messages": [_message(said, tools) for said in prompt.messages],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": prompt.max_tokens,
    }
    if model:
        asked["model"] = model
    if prompt.temperature is not None:
        asked["temperature"] = prompt.temperature
    if prompt.json_schema is not None:
        schema = {"name": "answer", "strict": True, "schema": prompt.json_schema}
        asked["response_format"] = {"type": "json_schema", "json_schema": schema}
    if prompt.weighed and not {"logprobs", "top_logprobs"}.intersection(without):
        asked |= {"logprobs": True, "top_logprobs": LIKELY}
    if prompt.tools:
        asked["tools"] = [offered(tool) for tool in prompt.tools]
    if "max_tokens" in without:
        asked["max_completion_tokens"] = prompt.max_tokens
    return {name: value for name, value in asked.items() if name not in without}


def _message(said: Said, tools: Mapping[str, str]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": said.role, "content": said.content}
    if said.calls:
        message["tool_calls"] = [called(call) for call in said.calls]
    if said.call_id:
        message["tool_call_id"] = said.call_id
    return message | ({"name": tools[said.call_id]} if said.call_id in tools else {})


def refuses_schema(refusal: Refusal) -> bool:
    """Is it what the answer must fit that the server does not take?"""
    return refusal.status in (400, 404, 422, 500, 501) and OF_SCHEMA.search(refusal.message) is not None


def refused_field(asked: Collection[str], refusal: Refusal) -> str | None:
    """The optional field that it was refused for: the one that it names, else the one that fewest servers know."""
    if refusal.status not in (400, 422) or refusal.failure in ("too_long", "denied"):
        return None
    named = [name for name in OPTIONAL if name in asked and name in refusal.message]
    if named or refusal.failure != "refused":
        return named[0] if named else None
    return "stream_options" if "stream_options" in asked else None
