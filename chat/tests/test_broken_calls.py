"""A call of a tool that cannot be read, or that the token limit cut: what is asked again, and what is told."""

from __future__ import annotations

import json

import pytest

from chat.domain.envelope import schema
from chat.endings import ENDINGS
from chat.models import State
from chat.tests.sockets import answer_of, asked, text_of
from chat.tests.test_tool_loop import ENVELOPE, SAVE, offers
from chat.tests.test_tools import TOLD
from chat.tool_use.tools import TOOLS
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel, call_stream, chunk
from memory.models import Entry
from traces.models import Step

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_broken_call_is_asked_for_once_more_and_kept_in_the_trace(ana: Account, model: ScriptedModel) -> None:
    model.will_refuse_tools()
    model.will_answer(ENVELOPE[:-12])
    model.will_answer(ENVELOPE)
    model.will_answer("Noted.")
    frames = await asked(ana, TOLD)
    assert text_of(frames) == "Noted."
    assert await Entry.objects.acount() == 1
    step = await Step.objects.aget(tool="tool")
    assert (step.ok, step.detail["raw"]) == (False, ENVELOPE[:-12])
    asked_again = model.sent_to("/v1/chat/completions")[2].json
    assert asked_again["response_format"]["json_schema"]["schema"] == json.loads(json.dumps(schema(TOOLS)))


@pytest.mark.parametrize("broken", [ENVELOPE[:-12], '{"tool": "remember", "content": ["a", "b"]}'])
async def test_a_call_that_is_broken_twice_ends_the_run(ana: Account, model: ScriptedModel, broken: str) -> None:
    model.will_refuse_tools()
    model.will_answer(broken)
    model.will_answer(broken.replace("remember", "recall"))
    frames = await asked(ana, TOLD)
    assert frames[-1]["not_answered"] == "broken call"
    assert "twice" in text_of(frames)
    assert (await Entry.objects.acount(), len(offers(model))) == (0, 3)


HALF = [*call_stream([("remember", json.dumps(SAVE)[:-12])])[:-3], chunk({}, finish="length"), b"data: [DONE]\n\n"]


async def test_a_call_that_the_token_limit_cut_is_told_and_leaves_nothing(ana: Account, model: ScriptedModel) -> None:
    model.will_send(HALF)
    frames = await asked(ana, TOLD)
    assert (frames[-1]["not_answered"], text_of(frames)) == ("cut early", "")
    assert "LLM_MAX_TOKENS" in str(ENDINGS["cut early"])
    answer = await answer_of(frames)
    assert (answer.content, answer.state, answer.answered) == ("", State.COMPLETE, False)
    assert (await Entry.objects.acount(), await Step.objects.exclude(tool__in=["recall", "model"]).acount()) == (0, 0)


async def test_so_is_an_envelope_that_it_cut_and_it_is_not_asked_for_again(ana: Account, model: ScriptedModel) -> None:
    model.will_refuse_tools()
    model.will_answer(ENVELOPE[:-12], finish="length")
    frames = await asked(ana, TOLD)
    assert (frames[-1]["not_answered"], text_of(frames)) == ("cut early", "")
    assert (await Entry.objects.acount(), len(offers(model))) == (0, 2)


async def test_what_came_of_a_call_before_it_is_said(ana: Account, model: ScriptedModel) -> None:
    model.will_call(("remember", SAVE))
    model.will_send(HALF)
    frames = await asked(ana, TOLD)
    assert frames[-1]["not_answered"] == "cut early"
    assert text_of(frames) == "Saved."
    assert await Entry.objects.acount() == 1
