"""A window of 4,096 tokens, 300 turns, 80 entries, large pastes: what has to be in a prompt always is, and it fits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.conf import settings

from chat.domain.prompts import PREAMBLE, PREAMBLE_WITH_TOOLS
from chat.models import Message
from chat.tests.conftest import answered_by
from chat.tests.sockets import Wire, asked
from chat.tests.test_model_budget import long_talk
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from memory.remember import Draft, remember_many

pytestmark = pytest.mark.django_db(transaction=True)
WINDOW = 4096
QUESTION = "Which port does the test server number 7 use?"
#: How the tools are told: not at all, by the server's own means, in words.
WAYS = ["none", "native", "words"]


@contextmanager
def small(way: str, *, counts: bool = True) -> Iterator[ScriptedModel]:
    """A model with a small window; one that counts tokens, or one of which only estimates are known."""
    more = {"ENABLED_TOOLS": "none" if way == "none" else "memory", "RECALL_LEXICAL_MAX_DF": 1.0}
    more |= {} if counts else {"LLM_PROVIDER": "openai", "LLM_CONTEXT": WINDOW}
    with ScriptedModel(window=WINDOW) as server, answered_by(server, **more):
        server.capabilities = {"supports_tools": way != "words", "supports_tool_calls": way != "words"}
        yield server


def size(server: ScriptedModel) -> int:
    """Of the last prompt, as the server counts: a token is four bytes."""
    request = server.sent_to("/v1/chat/completions")[-1].json
    texts = [said["content"] for said in request["messages"]] + [json.dumps(request.get("tools", ""))]
    return sum(-(-len(text.encode()) // 4) for text in texts)


@pytest.fixture
def crowded(ana: Account) -> Account:
    """80 entries, three times what the block may hold of them."""
    texts = [f"the test server number {number} in rack {number % 9} uses port {8000 + number}" for number in range(80)]
    remember_many(ana, [Draft(text) for text in texts], actor="person", cause="test")
    return ana


def of_type(frames: list[Wire], type_: str) -> Wire:
    return next(frame for frame in frames if frame["type"] == type_)


@pytest.mark.parametrize(("way", "counts"), [*((way, True) for way in WAYS), ("native", False)])
async def test_system_text_block_and_the_last_message_are_in_it(crowded: Account, way: str, counts: bool) -> None:
    talk = await asyncio.to_thread(long_talk, crowded, 300)
    with small(way, counts=counts) as server:
        frames = await asked(crowded, QUESTION, conversation=talk)
    prompt = server.prompts[0]
    assert frames[-1]["type"] == "done"
    assert WINDOW // 3 < size(server) <= WINDOW - settings.FORGE.LLM_MAX_TOKENS
    assert prompt[0]["content"].startswith(PREAMBLE if way == "none" else PREAMBLE_WITH_TOOLS)
    assert "\n* " in prompt[0]["content"].partition("# What memory holds")[2]
    assert prompt[-1]["content"].endswith(QUESTION)
    assert prompt[-2]["content"].startswith("turn 299")
    assert of_type(frames, "context")["left_out"] > 500
    told = of_type(frames, "recalled")["hot_block"]
    assert told["left_out"] == 80 - told["entries"] > 0
    assert of_type(frames, "context")["prompt_tokens"] >= size(server)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("length", [200_000, 2_000_000])
async def test_a_paste_that_cannot_fit_beside_them_is_refused_with_its_size(
    crowded: Account, way: str, length: int
) -> None:
    with small(way) as server:
        [failed] = await asked(crowded, "lorem ipsum " * (length // 12), client_id="a1")
    assert (failed["code"], failed["client_id"]) == ("too_large", "a1")
    assert f"{length // 12 * 12:,}" in failed["message"]
    assert (await Message.objects.acount(), server.prompts) == (0, [])


@pytest.mark.parametrize(("way", "counts"), [*((way, True) for way in WAYS), ("native", False)])
async def test_what_is_said_to_fit_does_with_all_of_them(crowded: Account, way: str, counts: bool) -> None:
    paste = "lorem ipsum " * 2000
    with small(way, counts=counts) as server:
        [failed] = await asked(crowded, paste)
        frames = await asked(crowded, paste[: failed["limit"]])
    assert failed["limit"] > 1000
    assert frames[-1]["type"] == "done"
    taken = size(server) if counts else of_type(frames, "context")["prompt_tokens"]
    assert taken <= WINDOW - settings.FORGE.LLM_MAX_TOKENS
    assert server.prompts[0][-1]["content"].endswith(paste[: failed["limit"]])
    assert of_type(frames, "context")["hot_block_tokens"] > 0


async def test_a_message_that_leaves_the_tools_no_room_is_taken_and_answered_without_them(crowded: Account) -> None:
    paste = "lorem ipsum " * 2000
    with small("native", counts=False) as server:
        [failed] = await asked(crowded, paste)
        frames = await asked(crowded, paste[: failed["limit"]])
    assert frames[-1]["type"] == "done"
    assert "tools" not in server.sent_to("/v1/chat/completions")[0].json


async def test_a_window_that_the_tools_would_fill_is_given_none(ana: Account) -> None:
    with ScriptedModel(window=2048) as server, answered_by(server):
        await asked(ana, "How do plants eat?")
    assert "tools" not in server.sent_to("/v1/chat/completions")[0].json
    assert server.prompts[0][0]["content"] == PREAMBLE
