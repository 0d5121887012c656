"""An answer that must fit a schema, and how likely each of its tokens was."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

import pytest

from forgesite.lib.language_models import Ended, NoSchemaError, Prompt, Text, Token, Weighed
from forgesite.testing_models import ScriptedModel, chunk, weighed_stream
from forgesite.tests.asking import QUESTION, answer, failure, opened, words

SCHEMA = {"type": "object"}
ONLY = Prompt(QUESTION.messages, 64, SCHEMA, only_schema=True)
WEIGHED = Prompt(QUESTION.messages, 64, weighed=True)


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


def refuses(model: ScriptedModel, message: str, status: int = 400) -> None:
    model.will_fail(status, {"error": {"message": message}})


@pytest.mark.parametrize(
    "message", ["unknown field response_format", "json_schema is not supported", "failed to parse grammar"]
)
async def test_a_server_that_takes_no_schema_is_not_asked_without_one(model: ScriptedModel, message: str) -> None:
    refuses(model, message)

    error = await failure(opened(model), ONLY)

    assert isinstance(error, NoSchemaError)
    assert message in error.cause
    assert len(model.requests) == 1


async def test_what_an_earlier_question_did_without_is_asked_for_again(model: ScriptedModel) -> None:
    door = opened(model)
    refuses(model, "unknown field response_format")
    await answer(door, Prompt(QUESTION.messages, 64, SCHEMA))
    refuses(model, "unknown field response_format")

    assert isinstance(await failure(door, ONLY), NoSchemaError)
    assert model.requests[-1].json["response_format"]["json_schema"]["schema"] == SCHEMA


async def test_another_refusal_is_no_refusal_of_the_schema(model: ScriptedModel) -> None:
    refuses(model, "slow down", 429)

    error = await failure(opened(model), ONLY)

    assert (type(error).__name__, error.failure) == ("ModelFailedError", "rate_limited")


async def test_each_token_comes_with_what_else_might_stand_there(model: ScriptedModel) -> None:
    model.will_send(weighed_stream([("ye", {"ye": 0.75, "no": 0.25}), ("s", {"s": 1.0})]))

    events = await answer(opened(model), WEIGHED)

    tokens = [token for event in events if isinstance(event, Weighed) for token in event.tokens]
    assert tokens == [
        Token("ye", (("ye", math.log(0.75)), ("no", math.log(0.25)))),
        Token("s", (("s", 0.0),)),
    ]
    assert words(events) == "yes"
    assert (model.requests[-1].json["logprobs"], model.requests[-1].json["top_logprobs"]) == (True, 10)


@pytest.mark.parametrize("message", ["unknown field top_logprobs", "logprobs is not supported"])
async def test_a_server_that_weighs_nothing_answers_all_the_same(model: ScriptedModel, message: str) -> None:
    refuses(model, message)
    model.will_answer("yes")

    events = await answer(opened(model), WEIGHED)

    assert not any(isinstance(event, Weighed) for event in events)
    assert words(events) == "yes"
    assert not {"logprobs", "top_logprobs"}.intersection(model.requests[-1].json)


@pytest.mark.parametrize("told", [[1], {"content": [{"token": "a"}]}, {"content": "a"}, {"tokens": []}])
async def test_weights_of_another_shape_are_none(model: ScriptedModel, told: object) -> None:
    event = json.loads(chunk({"content": "yes"}).removeprefix(b"data: "))
    event["choices"][0]["logprobs"] = told
    model.will_send([f"data: {json.dumps(event)}\n\n".encode(), chunk({}, finish="stop"), b"data: [DONE]\n\n"])

    events = await answer(opened(model), WEIGHED)

    assert [type(event) for event in events] == [Text, Ended]
