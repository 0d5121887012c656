"""Stopping, and waiting for a model that loads."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import aclosing

import pytest

from forgesite.lib.language_models import (
    Loading,
    Text,
)
from forgesite.testing_models import MODEL, ScriptedModel
from forgesite.tests.asking import QUESTION, answer, failure, opened


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


async def left_within(model: ScriptedModel, seconds: float) -> bool:
    async with asyncio.timeout(seconds + 1):
        while not model.left:
            await asyncio.sleep(0.01)
    return True


async def test_stopping_closes_the_connection(model: ScriptedModel) -> None:
    model.will_answer("Le NiPoGi a 32 Go de RAM. " * 50, every=0.02)

    async with aclosing(opened(model).stream(QUESTION)) as events:
        assert isinstance(await anext(events), Text)
    since = time.monotonic()

    assert await left_within(model, 1)
    assert time.monotonic() - since < 1


@pytest.mark.parametrize("said", ["nothing", "the head alone"])
async def test_stopping_before_the_first_word_closes_it_too(model: ScriptedModel, said: str) -> None:
    if said == "nothing":
        model.will_hang()
    else:
        model.will_send([], hang=True)
    asked = asyncio.create_task(answer(opened(model)))
    while not model.requests:
        await asyncio.sleep(0.01)

    asked.cancel()

    with pytest.raises(asyncio.CancelledError):
        await asked
    assert await left_within(model, 1)


@pytest.mark.parametrize(
    ("provider", "name", "listing"),
    [("openai", MODEL, False), ("llamacpp", MODEL, False), ("openai", "", False), ("openai", "", True)],
)
async def test_while_it_loads_it_says_so_once_and_goes_on_by_itself(
    model: ScriptedModel, provider: str, name: str, listing: bool
) -> None:
    model.loads(listing=listing)
    asyncio.get_running_loop().call_later(0.2, model.loaded)

    events = await answer(opened(model, provider, model=name))

    assert events.count(Loading()) == 1
    assert events[:2] == [Loading(), Text("OK.")]
    assert model.sent_to("/v1/chat/completions")[-1].json["model"] == MODEL


async def test_a_server_that_only_the_question_finds_loading_is_asked_again(model: ScriptedModel) -> None:
    for _ in range(2):
        model.will_fail(503, {"error": {"message": "Loading model"}})

    assert (await answer(opened(model)))[:2] == [Loading(), Text("OK.")]


async def test_loading_ends_at_the_timeout(model: ScriptedModel) -> None:
    model.loads()

    assert (await failure(opened(model, timeout=0.6))).failure == "timeout"


async def test_stopping_while_it_loads_asks_no_more(model: ScriptedModel) -> None:
    model.loads()
    asked = asyncio.create_task(answer(opened(model)))
    while not model.sent_to("/health"):
        await asyncio.sleep(0.01)

    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    heard = len(model.requests)
    await asyncio.sleep(0.7)

    assert len(model.requests) == heard
