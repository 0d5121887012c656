"""A turn whose question finds nothing asks its model for other words, once, and no longer than it may take."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import override_settings

from chat.tests.conftest import answered_by
from chat.tests.sockets import Page, asked, text_of
from chat.tests.test_model_stop import left_within
from chat.tests.test_model_turn import know
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from memory.domain.expansion import ASKING, SCHEMA
from traces.models import Run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_block")]
FACT = "The boiler was serviced in October"
QUESTION = "Who looked after what keeps us from freezing?"
OTHERS = ["When was the boiler serviced?", "Who serviced the boiler in October?", "Is the piano tuned?"]


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    by_meaning = {"EMBEDDING_PROVIDER": "bundled", "RECALL_POLICY": "vector", "RECALL_MAX_DISTANCE": "1.2"}
    with ScriptedModel() as server, answered_by(server, RECALL_EXPANSION="llm", **by_meaning):
        yield server


def will_rewrite(model: ScriptedModel, questions: object = OTHERS, thinking: tuple[str, ...] = ()) -> None:
    model.will_answer(json.dumps({"questions": questions}), thinking=thinking)


async def test_what_the_models_words_find_is_given_and_the_call_is_counted(ana: Account, model: ScriptedModel) -> None:
    await know(ana, FACT)
    will_rewrite(model, thinking=("They mean heating.",))
    model.will_answer("In October.")

    frames = await asked(ana, QUESTION)

    [rewriting, answering] = model.prompts
    assert [said["content"] for said in rewriting] == [ASKING, QUESTION]
    assert model.sent_to("/v1/chat/completions")[0].json["response_format"]["json_schema"]["schema"] == SCHEMA
    assert FACT in answering[-1]["content"]
    assert text_of(frames) == "In October."
    assert frames[-1]["usage"]["calls"] == 2
    run = await Run.objects.aget()
    assert run.llm
    assert (run.llm["calls"], run.llm["prompt_tokens"]) == (2, 14)


async def test_a_question_that_finds_its_row_asks_for_no_other_words(ana: Account, model: ScriptedModel) -> None:
    await know(ana, FACT)

    frames = await asked(ana, OTHERS[0])

    assert len(model.prompts) == frames[-1]["usage"]["calls"] == 1


@pytest.mark.parametrize("questions", [OTHERS[:2], "When was the boiler serviced?", [f"{q}!" for q in OTHERS]])
async def test_a_reply_of_no_use_is_no_help_and_no_error(ana: Account, model: ScriptedModel, questions: object) -> None:
    await know(ana, FACT)
    will_rewrite(model, questions)
    model.will_answer("I do not know about that.")

    frames = await asked(ana, QUESTION)

    assert frames[-1]["type"] == "done"
    assert FACT not in model.prompts[-1][-1]["content"]


async def test_a_model_that_fails_at_it_still_answers(ana: Account, model: ScriptedModel) -> None:
    await know(ana, FACT)
    model.will_fail(500, {"error": {"message": "out of memory"}})
    model.will_answer("Plants eat light.")

    frames = await asked(ana, QUESTION)

    assert text_of(frames) == "Plants eat light."


async def test_a_model_that_is_silent_is_not_waited_for_longer_than_it_may(ana: Account, model: ScriptedModel) -> None:
    await know(ana, FACT)
    model.will_hang()
    model.will_answer("Plants eat light.")
    with override_settings(FORGE=settings.FORGE.model_copy(update={"LLM_TIMEOUT": 0.3})):
        frames = await asked(ana, QUESTION)

    assert text_of(frames) == "Plants eat light."


async def test_a_stop_ends_the_models_work_on_other_words(ana: Account, model: ScriptedModel) -> None:
    await know(ana, FACT)
    model.will_hang()
    page = await Page(ana).open()
    await page.say("send", text=QUESTION)
    await page.until("step")
    while not model.prompts:
        await asyncio.sleep(0.01)
    since = time.monotonic()
    await page.say("stop")
    await page.until("stopped")

    assert await left_within(model, since)
    await page.close()
