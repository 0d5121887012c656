"""Retry, continue and edit through the socket and over REST."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chat.models import Message, Role, State
from chat.persist import begin
from chat.tests.sockets import Page, Wire, long_searches, text_of
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from forgesite.tests.web import Web, by_token
from traces.models import Run

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "Which port does the test server use?"


async def cut(wire: Wire, text: str = "It uses ") -> None:
    """As a model's answer that ended at its limit."""
    await Message.objects.filter(pk=wire["answer_id"]).aupdate(state=State.CUT, content=text)


async def test_a_page_retries_and_the_message_stands_once(ana: Account) -> None:
    page = await Page(ana).open()
    first, *_rest = await page.ask(QUESTION)
    await page.say("send", retry=first["answer_id"], conversation=first["conversation"], client_id="c2")
    again = await page.until("done")
    await page.close()

    assert (again[0]["message_id"], again[0]["continues"]) == (first["message_id"], False)
    assert again[0]["answer_id"] != first["answer_id"]
    assert text_of(again)
    assert await Message.objects.filter(role=Role.USER).acount() == 1


async def test_a_page_continues_and_hears_what_there_is_first(ana: Account, model: ScriptedModel) -> None:
    page = await Page(ana).open()
    first, *_rest = await page.ask(QUESTION)
    await cut(first)
    model.will_answer("port 8080.")
    await page.say("send", **{"continue": first["answer_id"]}, conversation=first["conversation"], client_id="c2")
    more = await page.until("done")
    await page.close()

    assert (more[0]["answer_id"], more[0]["continues"], more[0]["client_id"]) == (first["answer_id"], True, "c2")
    assert next(frame for frame in more if frame["type"] == "delta")["text"].startswith("It uses ")
    assert text_of(more) == "It uses port 8080."
    assert (await Message.objects.aget(pk=first["answer_id"])).content == text_of(more)


async def test_an_edit_says_what_it_follows(ana: Account) -> None:
    page = await Page(ana).open()
    first, *_rest = await page.ask(QUESTION)
    later, *_rest = await page.ask("And the disk?", conversation=first["conversation"])
    edit, *_rest = await page.ask("And the RAM?", conversation=first["conversation"], parent=first["answer_id"])
    anew, *_rest = await page.ask("Which host?", conversation=first["conversation"], parent=0)
    await page.close()

    assert [frame["parent"] for frame in (first, later, edit, anew)] == [None, None, first["answer_id"], 0]


async def test_while_it_answers_a_conversation_takes_neither(ana: Account) -> None:
    page = await Page(ana).open()
    first, *_rest = await page.ask(QUESTION)
    await cut(first)
    with long_searches():
        await page.say("send", text=QUESTION, conversation=first["conversation"])
        await page.until("accepted")
        for name in ("retry", "continue"):
            await page.say("send", **{name: first["answer_id"]}, conversation=first["conversation"])
            assert (await page.until("failed"))[-1]["code"] == "busy"
    await page.until("done")
    await page.close()


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("name", ["retry", "continue"])
async def test_sent_again_after_a_drop_it_is_still_one_run(ana: Account, name: str) -> None:
    page = await Page(ana).open()
    first, *_rest = await page.ask(QUESTION)
    await cut(first)
    fields: dict[str, Any] = {name: first["answer_id"], "conversation": first["conversation"], "client_id": "c2"}
    await page.say("send", **fields)
    once = await page.until("done")
    await page.close()
    again = await Page(ana).open()
    await again.say("send", **fields)
    twice = await again.until("done")
    await again.close()

    assert twice[0]["run"] == once[0]["run"]
    assert text_of(twice) == text_of(once)
    assert await Run.objects.acount() == 2


async def test_told_from_its_rows_a_continuation_is_the_same_again(ana: Account) -> None:
    begun = await asyncio.to_thread(begin, ana, QUESTION, run_id="r1")
    await Message.objects.filter(pk=begun.answer).aupdate(state=State.CUT, content="It uses ")
    fields: dict[str, Any] = {"conversation": begun.conversation, "go_on": begun.answer, "client_id": "c2"}
    await asyncio.to_thread(begin, ana, "", run_id="r2", **fields)
    await Message.objects.filter(pk=begun.answer).aupdate(state=State.CUT, content="It uses port ", model="tiny")
    page = await Page(ana).open()
    await page.say("send", client_id="c2", conversation=begun.conversation, **{"continue": begun.answer})
    accepted, *frames = await page.until("done")
    await page.close()

    assert (accepted["repeated"], accepted["continues"], accepted["run"]) == (True, True, "r2")
    assert text_of(frames) == "It uses port "
    assert (frames[-1]["type"], frames[-1]["usage"]["model"]) == ("done", "tiny")


@pytest.fixture
def web(ana: Account) -> Web:
    return by_token(ana)


def test_the_api_edits_retries_and_reads_each_branch(web: Web) -> None:
    first = web.ask("POST", "/chat", {"message": QUESTION}).json()
    place = {"conversation": first["conversation"]}
    again = web.ask("POST", "/chat", place | {"retry": first["message_id"]}).json()
    [asked, answer] = web.ask("GET", "/history").json()
    edit = web.ask("POST", "/chat", place | {"message": "Which host?", "parent": asked["parent"]}).json()

    assert (asked["parent"], asked["siblings"]) == (0, [])
    assert (answer["parent"], answer["siblings"]) == (asked["id"], [first["message_id"], again["message_id"]])
    assert [row["content"] for row in web.ask("GET", "/history").json()] == ["Which host?", edit["output"]]
    assert len(web.ask("GET", "/history?branch=all").json()) == 5
    [_asked, former] = web.ask("GET", f"/history?branch={first['message_id']}").json()
    assert (former["id"], former["state"], former["model"]) == (first["message_id"], "complete", "")


@pytest.mark.usefixtures("model")
def test_the_api_continues_in_the_same_row_and_keeps_both_runs(web: Web) -> None:
    first = web.ask("POST", "/chat", {"message": QUESTION}).json()
    Message.objects.filter(pk=first["message_id"]).update(state=State.CUT, content="It uses ")
    more = web.ask("POST", "/chat", {"conversation": first["conversation"], "continue": first["message_id"]}).json()

    assert (more["message_id"], more["output"][:8]) == (first["message_id"], "It uses ")
    assert [web.ask("GET", f"/traces/{told['run_id']}").status_code for told in (first, more)] == [200, 200]
    assert web.ask("GET", "/history").json()[1]["run_id"] == more["run_id"]


def test_without_a_model_a_continuation_fails_and_leaves_the_answer_as_it_was(web: Web) -> None:
    first = web.ask("POST", "/chat", {"message": QUESTION}).json()
    Message.objects.filter(pk=first["message_id"]).update(state=State.CUT, content="It uses ", model="tiny")
    more = web.ask("POST", "/chat", {"conversation": first["conversation"], "continue": first["message_id"]}).json()

    row = Message.objects.get(pk=first["message_id"])
    assert (more["ok"], row.content, row.model) == (False, "It uses ", "tiny")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"retry": "nonsense"}, 422),
        ({"retry": 0}, 422),
        ({"message": "And now?", "parent": -1}, 422),
        ({"message": "And now?", "parent": 999_999}, 422),
        ({"message": "And now?", "retry": 1}, 422),
        ({"retry": 999_999}, 404),
        ({"continue": 999_999}, 404),
        ({"message": " ", "parent": 0}, 400),
    ],
)
def test_the_api_says_what_is_wrong_and_stores_nothing(web: Web, body: dict[str, Any], status: int) -> None:
    first = web.ask("POST", "/chat", {"message": QUESTION}).json()
    answer = web.ask("POST", "/chat", {"conversation": first["conversation"]} | body)

    assert (answer.status_code, sorted(answer.json()["error"])) == (status, ["code", "detail", "message"])
    assert Message.objects.count() == 2


def test_somebody_elses_messages_are_unknown_in_every_place(web: Web, ben: Account) -> None:
    bens = by_token(ben).ask("POST", "/chat", {"message": QUESTION}).json()
    own = web.ask("POST", "/chat", {"message": QUESTION}).json()
    place = {"conversation": own["conversation"]}

    assert web.ask("POST", "/chat", place | {"retry": bens["message_id"]}).status_code == 404
    assert web.ask("POST", "/chat", place | {"message": "So?", "parent": bens["message_id"]}).status_code == 422
    assert web.ask("GET", f"/history?branch={bens['message_id']}").status_code == 404
    assert web.ask("POST", "/chat", {"conversation": bens["conversation"], "retry": 1}).status_code == 404


@pytest.mark.parametrize("branch", ["some", "-1", "1.5", "9" * 30, "٣"])
def test_a_branch_is_a_message_or_all(web: Web, branch: str) -> None:
    assert web.ask("GET", f"/history?branch={branch}").status_code == 422
