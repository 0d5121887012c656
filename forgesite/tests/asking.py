"""A question to a model server, for the tests of the doors."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

import pytest

from forgesite.lib.language_models import (
    Called,
    Event,
    ModelDoor,
    ModelFailedError,
    Prompt,
    Said,
    Text,
    ToolCall,
)
from forgesite.lib.model_doors import door
from forgesite.testing_models import MODEL, ScriptedModel

QUESTION = Prompt((Said("system", "Réponds court."), Said("user", "Combien de RAM a le NiPoGi ?")), max_tokens=64)
#: The arguments of a call, as a model writes them.
OWNS = '{"content": "Possède un serveur à 東京"}'
KEY = "sk-forge-0123456789"


def opened(at: ScriptedModel, provider: str = "openai", **more: Any) -> ModelDoor:
    asked: dict[str, Any] = {"model": MODEL, "timeout": 5.0} | more
    return door(provider, at.url, **asked)


async def answer(there: ModelDoor, prompt: Prompt = QUESTION) -> list[Event]:
    async with aclosing(there.stream(prompt)) as events:
        return [event async for event in events]


async def failure(there: ModelDoor, prompt: Prompt = QUESTION) -> ModelFailedError:
    with pytest.raises(ModelFailedError) as raised:
        await answer(there, prompt)
    return raised.value


def words(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, Text))


def calls(events: Sequence[Event]) -> list[ToolCall]:
    return [event.call for event in events if isinstance(event, Called)]
