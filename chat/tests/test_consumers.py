"""The socket: the frames in their order, and what becomes of a run when its page stops, drops, doubles or goes."""

from __future__ import annotations

import asyncio
import json

import pytest
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser

from chat.consumers import ChatConsumer
from chat.history import create_conversation, delete_conversation
from chat.hub import Hub
from chat.models import Message, Role, State
from chat.tests.sockets import LAST, Page, long_searches, text_of
from forgesite.models import Account
from memory.models import Entry
from memory.remember import Draft, remember
from traces.models import Run

pytestmark = pytest.mark.django_db(transaction=True)
PORT = "the test server runs on port 8080"
QUESTION = "Which port does the test server use?"


def states() -> list[str]:
    return list(Message.objects.filter(role=Role.ASSISTANT).values_list("state", flat=True))


async def test_the_frames_of_a_run_come_in_order_and_are_numbered(filled: Account) -> None:
    await asyncio.to_thread(remember, filled, Draft(PORT), actor="person", cause="test")
    page = await Page(filled).open()
    frames = await page.ask(QUESTION, client_id="a1")
    await page.close()

    order = ["accepted", "step", "recalled", "delta", "html", "done"]
    assert list(dict.fromkeys(frame["type"] for frame in frames)) == order
    numbers = [frame["seq"] for frame in frames]
    assert numbers == sorted(set(numbers))
    assert {(frame["run"], frame["conversation"]) for frame in frames} == {
        (frames[0]["run"], frames[0]["conversation"])
    }


async def test_a_second_message_to_the_same_conversation_is_heard_once(filled: Account) -> None:
    page = await Page(filled).open()
    first = await page.ask("!help")
    frames = await page.ask(QUESTION, conversation=first[0]["conversation"])
    await page.close()
    numbers = [frame["seq"] for frame in frames]
    assert numbers == sorted(set(numbers))
    assert [frame["type"] for frame in frames].count("accepted") == 1


async def test_a_question_is_answered_by_quoting_with_the_id(filled: Account) -> None:
    saved = await asyncio.to_thread(remember, filled, Draft(PORT), actor="person", cause="test")
    page = await Page(filled).open()
    frames = await page.ask(QUESTION)
    await page.close()
    assert f"> {PORT} — #{saved.entry.pk} fact" in text_of(frames)
    assert (frames[-1]["type"], frames[-1]["not_answered"]) == ("done", None)
    assert frames[-1]["usage"]["model"] == "builtin"


async def test_the_socket_says_who_and_where(ana: Account) -> None:
    talk = await asyncio.to_thread(create_conversation, ana, title="Where things run")
    page = await Page(ana).open()
    await page.close()
    assert page.ready == {"type": "ready", "user": "ana", "conversation": talk.id}


@pytest.mark.parametrize("nobody", [None, AnonymousUser()])
async def test_nobody_is_refused(nobody: Account | None) -> None:
    socket = WebsocketCommunicator(ChatConsumer.as_asgi(), "/ws/chat/")
    socket.scope["user"] = nobody
    assert await socket.connect() == (False, 4401)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '"send"',
        "null",
        '{"type": "shout"}',
        '{"type": "send"}',
        '{"type": "send", "text": 3}',
        '{"type": ["send"]}',
        '{"type": "resume", "conversation": "c", "after": true}',
        "[" * 9999,
    ],
)
async def test_a_bad_frame_is_named_and_the_socket_goes_on(ana: Account, text: str) -> None:
    page = await Page(ana).open()
    await page.socket.send_to(text_data=text)
    assert (await page.hear())["code"] == "bad_frame"
    await page.say("ping")
    assert await page.hear() == {"type": "pong"}
    await page.close()


@pytest.mark.parametrize("text", ["", " \n\t ", "\u3000"])
async def test_a_blank_message_is_refused_and_nothing_stored(ana: Account, text: str) -> None:
    page = await Page(ana).open()
    [failed] = await page.ask(text, client_id="a1")
    await page.close()
    assert (failed["code"], failed["client_id"]) == ("empty", "a1")
    assert not await Message.objects.aexists()


async def test_a_text_that_is_too_large_is_refused_with_the_limit(ana: Account) -> None:
    page = await Page(ana).open()
    [failed] = await page.ask("é" * 600_000, client_id="a1")
    await page.close()
    assert (failed["code"], failed["limit"]) == ("too_large", 1024 * 1024)
    assert "1,200,000" in failed["message"]
    assert not await Message.objects.aexists()


async def test_characters_that_no_database_takes_are_replaced(ana: Account) -> None:
    page = await Page(ana).open()
    await page.socket.send_to(text_data='{"type": "send", "text": "port\\u0000 8080 \\ud83d"}')
    assert (await page.until(*LAST))[-1]["type"] == "done"
    await page.close()
    assert (await Message.objects.aget(role=Role.USER)).content == "port\ufffd 8080 \ufffd"


async def test_the_message_is_stored_before_it_is_accepted(ana: Account) -> None:
    page = await Page(ana).open()
    with long_searches():
        await page.say("send", text=QUESTION)
        [accepted] = await page.until("accepted")
        kept = await Message.objects.aget(pk=accepted["message_id"])
        assert (kept.content, kept.conversation_id) == (QUESTION, accepted["conversation"])
        assert (await Message.objects.aget(pk=accepted["answer_id"])).state == State.RUNNING
    await page.until(*LAST)
    await page.close()


async def test_a_conversation_is_named_by_the_first_words(ana: Account) -> None:
    page = await Page(ana).open()
    frames = await page.ask(QUESTION)
    await page.close()
    assert frames[0]["title"] == QUESTION


async def test_the_same_client_id_makes_one_message_and_one_run(ana: Account) -> None:
    page = await Page(ana).open()
    first = await page.ask(QUESTION, client_id="a1")
    again = await page.ask(QUESTION, client_id="a1")
    await page.close()
    assert text_of(again) == text_of(first)
    assert (again[0], again[-1]) == (first[0], first[-1])
    assert (await Message.objects.acount(), await Run.objects.acount()) == (2, 1)


async def test_three_sends_at_once_from_three_tabs_are_one_run(ana: Account) -> None:
    pages = [await Page(ana).open() for _tab in range(3)]
    for page in pages:
        await page.say("send", text=QUESTION, client_id="a1")
    heard = [await page.until(*LAST) for page in pages]
    for page in pages:
        await page.close()
    assert text_of(heard[0]) == text_of(heard[1]) == text_of(heard[2]) != ""
    assert (await Message.objects.acount(), await Run.objects.acount()) == (2, 1)


async def test_a_client_id_from_before_a_restart_gets_the_stored_answer(ana: Account) -> None:
    page = await Page(ana, hub=Hub()).open()
    first = await page.ask(QUESTION, client_id="a1")
    restarted = await Page(ana, hub=Hub()).open()
    again = await restarted.ask(QUESTION, client_id="a1")
    await page.close()
    await restarted.close()
    assert text_of(again) == text_of(first)
    assert (again[0]["run"], again[0]["repeated"], again[-1]["type"]) == (first[0]["run"], True, "done")
    assert await Run.objects.acount() == 1


async def test_two_people_may_use_the_same_client_id(ana: Account, ben: Account) -> None:
    for account in (ana, ben):
        page = await Page(account).open()
        assert (await page.ask(QUESTION, client_id="a1"))[-1]["type"] == "done"
        await page.close()
    assert await Run.objects.acount() == 2


async def test_a_second_message_waits_for_the_end_of_the_first(ana: Account) -> None:
    page = await Page(ana).open()
    with long_searches():
        await page.say("send", text=QUESTION)
        [accepted] = await page.until("accepted")
        await page.say("send", text="And the other one?", conversation=accepted["conversation"], client_id="a2")
        busy = (await page.until("failed"))[-1]
    assert (busy["code"], busy["client_id"]) == ("busy", "a2")
    assert (await page.until(*LAST))[-1]["type"] == "done"
    assert (await page.ask("And now?", conversation=accepted["conversation"]))[-1]["type"] == "done"
    await page.close()


async def test_a_stop_before_the_first_word_and_again_is_fine(ana: Account) -> None:
    page = await Page(ana).open()
    with long_searches():
        await page.say("send", text=QUESTION)
        await page.say("stop")
        await page.say("stop")
        stopped = (await page.until(*LAST))[-1]
    assert (stopped["type"], stopped["partial"]) == ("stopped", "")
    assert await asyncio.to_thread(states) == [State.STOPPED]
    run = await Run.objects.aget()
    assert (run.ok, run.not_answered) == (True, "stopped")
    assert (await page.ask("And now?", conversation=stopped["conversation"]))[-1]["type"] == "done"
    await page.close()


async def test_a_stop_with_nothing_running_is_fine(ana: Account) -> None:
    page = await Page(ana).open()
    await page.say("stop")
    await page.say("ping")
    assert await page.hear() == {"type": "pong"}
    await page.close()


async def test_a_program_that_says_goodbye_ends_its_run(ana: Account) -> None:
    page = await Page(ana).open()
    with long_searches():
        await page.say("send", text=QUESTION)
        [accepted] = await page.until("accepted")
        other = await Page(ana).open()
        await page.close(code=1000)
        await other.say("resume", conversation=accepted["conversation"], after=accepted["seq"])
        assert (await other.until(*LAST))[-1]["type"] == "stopped"
        await other.close()


@pytest.mark.parametrize(("code", "hub"), [(1006, Hub(grace=0.01)), (1001, Hub(leaving=0.01))])
async def test_a_page_that_is_gone_for_longer_than_the_grace_ends_its_run(ana: Account, code: int, hub: Hub) -> None:
    page = await Page(ana, hub=hub).open()
    with long_searches():
        await page.say("send", text=QUESTION)
        [accepted] = await page.until("accepted")
        task = hub._talks[accepted["conversation"]].task
        await page.close(code)
        assert task
        await asyncio.wait({task}, timeout=5)
    assert await asyncio.to_thread(states) == [State.STOPPED]


async def test_a_run_goes_on_while_its_person_has_another_page_open(ana: Account) -> None:
    hub = Hub(leaving=0.01)
    page, other = await Page(ana, hub=hub).open(), await Page(ana, hub=hub).open()
    with long_searches():
        await page.say("send", text=QUESTION)
        [accepted] = await page.until("accepted")
        talk = hub._talks[accepted["conversation"]]
        await page.close()
        assert talk.task
        assert not (await asyncio.wait({talk.task}, timeout=0.2))[0]
        await other.close()
        assert (await asyncio.wait({talk.task}, timeout=5))[0]
    assert await asyncio.to_thread(states) == [State.STOPPED]


async def test_after_a_drop_the_rest_comes_once_and_is_what_was_stored(filled: Account) -> None:
    await asyncio.to_thread(remember, filled, Draft(PORT), actor="person", cause="test")
    page = await Page(filled).open()
    with long_searches() as over:
        await page.say("send", text=QUESTION)
        before = [await page.hear(), await page.hear()]
        await page.close(code=1006)
        again = await Page(filled).open()
        await again.say("resume", conversation=before[0]["conversation"], after=before[-1]["seq"])
        over.set()
        rest = await again.until(*LAST)
    await again.close()
    numbers = [frame["seq"] for frame in before + rest]
    assert numbers == sorted(set(numbers))
    assert text_of(before + rest) == (await Message.objects.aget(role=Role.ASSISTANT)).content


async def test_a_second_tab_sees_what_the_first_one_sees(ana: Account) -> None:
    first, second = await Page(ana).open(), await Page(ana).open()
    with long_searches() as over:
        await first.say("send", text=QUESTION)
        [accepted] = await first.until("accepted")
        await second.say("resume", conversation=accepted["conversation"], after=0)
        assert (await second.hear()) == accepted
        over.set()
        frames = await first.until(*LAST)
        assert (await second.until(*LAST))[-len(frames) + 1 :] == frames[1:]
    await first.close()
    await second.close()


async def test_who_comes_back_after_the_frames_are_gone_is_told_to_read_again(ana: Account) -> None:
    page = await Page(ana, hub=Hub(kept=0)).open()
    frames = await page.ask(QUESTION)
    await page.say("ping")
    await page.until("pong")
    await page.say("resume", conversation=frames[0]["conversation"], after=frames[0]["seq"])
    assert (await page.hear())["type"] == "changed"
    await page.close()


async def test_a_page_that_was_just_read_is_not_told_to_read_again(ana: Account) -> None:
    page = await Page(ana).open()
    frames = await page.ask("!clear")
    assert "changed" in [frame["type"] for frame in frames]
    await page.say("resume", conversation=frames[0]["conversation"], after=0)
    assert "changed" not in [frame["type"] for frame in await page.until(*LAST)]
    await page.close()


async def test_a_run_goes_on_when_its_conversation_is_deleted(ana: Account) -> None:
    page = await Page(ana).open()
    with long_searches():
        await page.say("send", text=QUESTION)
        [accepted] = await page.until("accepted")
        await asyncio.to_thread(delete_conversation, ana, accepted["conversation"])
    assert (await page.until(*LAST))[-1]["type"] == "done"
    assert not await Message.objects.aexists()
    await page.close()


async def test_somebody_elses_conversation_is_unknown(ana: Account, ben: Account) -> None:
    talk = await asyncio.to_thread(create_conversation, ana, title="Ana's")
    page = await Page(ben).open()
    [failed] = await page.ask(QUESTION, conversation=talk.id)
    assert failed["code"] == "unknown"
    await page.say("resume", conversation=talk.id, after=0)
    assert (await page.hear())["code"] == "unknown"
    await page.close()


async def test_nothing_of_ana_reaches_ben(ana: Account, ben: Account) -> None:
    mine, his = await Page(ana).open(), await Page(ben).open()
    await mine.ask("Remember that the vault code is heliotrope 4471")
    asked = ("What is the vault code?", "!recall vault code", "!memory", "!trace 50", "The vault is open.", "!forget 1")
    heard = [frame for text in asked for frame in await his.ask(text)]
    assert "heliotrope" in text_of(await mine.ask("What is the vault code?"))
    assert await his.socket.receive_nothing()
    await mine.close()
    await his.close()
    assert "heliotrope" not in json.dumps(heard)
    assert await Entry.objects.acount() == 1


async def test_a_closed_page_leaves_no_task(ana: Account) -> None:
    before = len(asyncio.all_tasks())
    page = await Page(ana).open()
    await page.ask(QUESTION)
    await page.close(code=1000)
    await page.socket.wait()
    assert len(asyncio.all_tasks()) <= before
