"""A model's answer that is stopped, asked for twice, given again, or gone on with."""

from __future__ import annotations

import asyncio
import time

import pytest
from django.conf import settings

from chat.domain.prompts import GO_ON
from chat.models import Message, Role, State
from chat.tests.sockets import Page, Wire, answer_of, asked, text_of
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from traces.models import Run

pytestmark = pytest.mark.django_db(transaction=True)


async def until_text(page: Page) -> list[Wire]:
    return await page.until("delta")


async def left_within(model: ScriptedModel, since: float, seconds: float = 1.0) -> bool:
    while time.monotonic() < since + seconds + 1.0 and not model.left:
        await asyncio.sleep(0.01)
    return bool(model.left) and model.left[0] - since <= seconds


async def test_a_stop_ends_the_servers_work_and_keeps_the_text(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("one two three " * 200, every=0.02)
    page = await Page(ana).open()
    await page.say("send", text="Count!")
    await until_text(page)
    since = time.monotonic()
    await page.say("stop")
    frames = await page.until("stopped")
    assert await left_within(model, since)
    answer = await Message.objects.aget(role=Role.ASSISTANT)
    assert answer.content == frames[-1]["partial"] != ""
    assert (frames[-2]["type"], frames[-2]["end"]) == ("html", len(answer.content))
    assert (answer.state, answer.answered, answer.model) == (State.STOPPED, False, "llamacpp")
    await page.close()


async def test_a_closed_page_ends_the_servers_work(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("one two three " * 200, every=0.02)
    page = await Page(ana).open()
    await page.say("send", text="Count!")
    await until_text(page)
    since = time.monotonic()
    await page.close()
    assert await left_within(model, since)


async def test_a_stop_before_the_first_word_twice_and_the_next_message_works(
    ana: Account, model: ScriptedModel
) -> None:
    model.will_hang()
    page = await Page(ana).open()
    await page.say("send", text="Count!")
    while not model.sent_to("/v1/chat/completions"):
        await asyncio.sleep(0.01)
    since = time.monotonic()
    await page.say("stop")
    await page.say("stop")
    first = await page.until("stopped")
    assert await left_within(model, since)
    assert (first[-1]["partial"], text_of(await page.ask("And now?", conversation=first[-1]["conversation"]))) == (
        "",
        "OK.",
    )
    await page.close()


async def test_every_request_says_how_long_an_answer_may_be(ana: Account, model: ScriptedModel) -> None:
    await asked(ana, "How do plants eat?")
    [request] = model.sent_to("/v1/chat/completions")
    assert settings.FORGE.LLM_MAX_TOKENS in (request.json.get("max_tokens"), request.json.get("max_completion_tokens"))


# -- once, again, and on


async def test_the_same_message_three_times_is_one_run(ana: Account, model: ScriptedModel) -> None:
    page = await Page(ana).open()
    for _number in range(3):
        frames = await page.ask("How do plants eat?", client_id="a1")
    await page.close()
    assert text_of(frames) == "OK."
    assert (len(model.prompts), await Message.objects.acount(), await Run.objects.acount()) == (1, 2, 1)


async def test_a_retry_asks_the_same_again_without_the_first_answer(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("Plants eat soil.")
    first = await asked(ana, "How do plants eat?")
    again = await asked(ana, "", conversation=first[0]["conversation"], retry=first[0]["answer_id"])
    assert text_of(again) == "OK."
    assert model.prompts[0] == model.prompts[1]


async def test_a_cut_answer_goes_on_where_it_stops(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("One, two, th", finish="length")
    first = await asked(ana, "Count to four.")
    assert (first[-1]["not_answered"], (await answer_of(first)).state) == ("cut off", State.CUT)
    model.will_answer("ree, four.")
    more = await asked(ana, "", conversation=first[0]["conversation"], **{"continue": first[0]["answer_id"]})
    assert [said["role"] for said in model.prompts[-1]] == ["system", "user", "assistant", "user"]
    assert [said["content"] for said in model.prompts[-1][2:]] == ["One, two, th", GO_ON]
    answer = await answer_of(more)
    assert answer.content == text_of(more) == "One, two, three, four."
    assert (more[0]["answer_id"], answer.state, answer.answered) == (first[0]["answer_id"], State.COMPLETE, True)
    assert not await Message.objects.filter(content=GO_ON).aexists()


async def test_going_on_that_is_stopped_at_once_keeps_what_was_there(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("One, two, th", finish="length")
    first = await asked(ana, "Count to four.")
    model.will_hang()
    page = await Page(ana).open()
    await page.say("send", conversation=first[0]["conversation"], **{"continue": first[0]["answer_id"]})
    await page.until("accepted")
    await page.say("stop", conversation=first[0]["conversation"])
    await page.until("stopped")
    await page.close()
    assert (await answer_of(first)).content == "One, two, th"


async def test_the_conversations_choice_is_the_model_that_is_asked(ana: Account, model: ScriptedModel) -> None:
    model.names.append("scripted-2")
    frames = await asked(ana, "How do plants eat?", model="scripted-2")
    await asked(ana, "And fungi?", conversation=frames[0]["conversation"])
    assert [request.json["model"] for request in model.sent_to("/v1/chat/completions")] == ["scripted-2"] * 2


async def test_a_server_that_is_not_configured_any_more_is_named_and_nothing_stored(
    ana: Account, model: ScriptedModel
) -> None:
    [failed] = await asked(ana, "How do plants eat?", server="box")
    assert failed["code"] == "invalid"
    assert "default" in failed["message"]
    assert await Message.objects.acount() == 0
