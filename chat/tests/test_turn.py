"""What a turn answers, what it writes, and that its exit comes once."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from django.utils import translation

from chat.domain.frames import Accepted, Frame, Stopped
from chat.history import interrupt_orphans, thread
from chat.models import Conversation, Message, Role, State
from chat.outcome import TurnResult, complete, outcome
from chat.persist import begin
from chat.turn import turn
from chat.turn_request import TurnRequest
from forgesite.errors import EmptyError, InvalidError, TooLargeError, UnknownError
from forgesite.models import Account
from memory.models import Entry, Refusal
from memory.remember import Draft, remember
from traces.jsonl import file_of
from traces.models import Run
from traces.records import record, run_of

pytestmark = pytest.mark.django_db(transaction=True)
PORT = "the test server runs on port 8080"
QUESTION = "Which port does the test server use?"


def ask(owner: Account, text: str, **fields: Any) -> TurnResult:
    return asyncio.run(complete(TurnRequest(owner, text, **fields)))


def know(owner: Account, text: str, **fields: Any) -> int:
    return int(remember(owner, Draft(text, **fields), actor="person", cause="test").entry.pk)


def test_a_question_is_answered_from_memory_with_the_id(filled: Account) -> None:
    number = know(filled, PORT)
    result = ask(filled, QUESTION)
    assert result.output.startswith(f"From memory:\n\n> {PORT} — #{number} fact")
    assert (result.ok, result.not_answered, result.error) == (True, None, None)


def test_a_row_that_shares_one_common_word_is_given_and_not_quoted(filled: Account) -> None:
    know(filled, PORT)
    talk = know(filled, "user: How do plants eat?\nassistant: They use sunlight, water and air.", kind="exchange")
    result = ask(filled, QUESTION)
    assert PORT in result.output
    assert "sunlight" not in result.output
    [step] = record(run_of(filled, result.run_id))["steps"]
    assert talk in [row["id"] for row in step["detail"]["entries"]]


def test_without_a_memory_of_it_the_answer_says_so_and_the_run_is_not_answered(filled: Account) -> None:
    know(filled, PORT)
    result = ask(filled, "Who painted the ceiling?")
    assert result.output.startswith("Memory holds nothing on this.")
    assert (result.ok, result.not_answered) == (True, "no memory")
    assert not Message.objects.get(role=Role.ASSISTANT).answered


def test_a_french_question_is_answered_in_french(filled: Account) -> None:
    number = know(filled, "le serveur de test écoute sur le port 8080")
    result = ask(filled, "Quel port utilise le serveur de test ?")
    with translation.override("fr"):
        intro = translation.gettext("From memory:")
    assert intro != "From memory:"
    assert result.output.startswith(intro)
    assert f"#{number}" in result.output


def test_an_explicit_ask_is_saved_word_for_word_with_its_echo(ana: Account) -> None:
    result = ask(ana, f"Remember that {PORT}.", door="api")
    entry = Entry.objects.get()
    assert entry.text.rstrip(".") == PORT
    assert (entry.conversation, entry.origin) == (result.conversation, "person")
    [saved] = result.saved
    assert (saved["entry"]["id"], saved["entry"]["content"], saved["entry"]["count_of_kind"]) == (
        entry.pk,
        entry.text,
        1,
    )
    assert entry.text in result.output


def test_a_page_shows_the_echo_itself_and_is_told_briefly(ana: Account) -> None:
    result = ask(ana, f"Remember that {PORT}", door="web")
    assert (result.output, result.saved[0]["entry"]["content"]) == ("Saved.", PORT)
    assert PORT in result.saved[0]["echo"]


def test_saying_it_again_makes_no_second_entry_and_says_so(ana: Account) -> None:
    ask(ana, f"Remember that {PORT}")
    assert ask(ana, f"Remember that {PORT}").output.startswith("Known already")
    assert Entry.objects.count() == 1


@pytest.mark.parametrize(
    "text",
    [
        "Do I own a server?",
        "Is the port 8080? And the name?",
        "Je possède un serveur ?",
        "Besitze ich einen Server?",
        "¿Tengo un servidor?",
        "我有服务器吗？",
        "サーバーを持っていますか？",
        "do you remember that the port is 8080?",
        "I own a server in the cellar.",
        "The port is 8080, isn't it?",
        "Remember: do I own a server?",
    ],
)
def test_neither_a_question_nor_a_plain_statement_writes(ana: Account, text: str) -> None:
    result = ask(ana, text)
    assert result.ok
    assert Entry.objects.count() == 0
    assert result.saved == ()


@pytest.mark.parametrize(
    "text", [f"Remember that {PORT}?", f"!remember fact - {PORT}?", "!remember fact - Do I own a server?"]
)
def test_an_explicit_ask_writes_though_it_ends_in_a_question_mark(ana: Account, text: str) -> None:
    assert len(ask(ana, text).saved) == 1
    assert Entry.objects.get().text.endswith("?")


@pytest.mark.parametrize("text", ["Remind me to call the bank.", "Rappelle-moi d'appeler la banque."])
def test_what_one_asks_to_be_reminded_of_is_an_open_todo(ana: Account, text: str) -> None:
    ask(ana, text)
    entry = Entry.objects.get()
    assert (entry.kind, entry.status) == ("todo", "open")


def test_a_question_wrapped_in_an_ask_is_kept_as_a_refusal(ana: Account) -> None:
    result = ask(ana, "Remember: do I own a server?")
    [refused] = result.refused
    kept = Refusal.objects.get()
    assert (refused["rule"], refused["refusal"], kept.run_id) == ("question", kept.pk, result.run_id)


def test_remember_that_saves_what_the_message_before_it_says(ana: Account) -> None:
    said = ask(ana, "My dentist is Dr Kowalski. Who is yours?")
    ask(ana, "Remember that.", conversation=said.conversation)
    entry = Entry.objects.get()
    assert entry.text == "My dentist is Dr Kowalski."
    assert entry.message == Message.objects.filter(role=Role.USER).order_by("id").first().pk  # type: ignore[union-attr]


def test_remember_that_after_a_question_saves_nothing_and_says_so(filled: Account) -> None:
    before = Entry.objects.count()
    asked = ask(filled, QUESTION)
    result = ask(filled, "Remember that.", conversation=asked.conversation)
    assert result.output.startswith("Not saved: your message before this one states nothing")
    assert Entry.objects.count() == before


def test_an_ask_to_forget_forgets_nothing_and_says_how_it_goes(filled: Account) -> None:
    number, before = know(filled, PORT), Entry.objects.count()
    result = ask(filled, "Forget what I said about the test server port.")
    assert result.output.startswith("Nothing is forgotten yet")
    assert f"#{number} fact" in result.output
    assert f"`!forget {number}`" in result.output
    assert Entry.objects.count() == before


def test_an_entry_that_is_to_be_forgotten_by_its_id_is_shown(filled: Account) -> None:
    number = know(filled, PORT)
    result = ask(filled, f"Forget #{number}")
    assert PORT in result.output
    assert f"`!forget {number}`" in result.output
    assert Entry.objects.filter(pk=number).exists()


@pytest.mark.parametrize(
    "text", ["what do I have to do this week?", "list my todos", "J'ai quoi à faire aujourd'hui ?"]
)
def test_asked_for_what_is_to_be_done_it_lists_that(ana: Account, text: str) -> None:
    number = know(ana, "water the plants", kind="todo")
    assert f"#{number} [todo] water the plants" in ask(ana, text).output


def test_asked_how_to_do_something_it_lists_no_todos(ana: Account) -> None:
    know(ana, "water the plants", kind="todo")
    assert "water the plants" not in ask(ana, "What do I have to do to renew a passport?").output


def test_an_ask_to_forget_what_memory_does_not_hold_says_so(filled: Account) -> None:
    result = ask(filled, "Forget everything about the painted ceiling.")
    assert (result.output[:29], result.not_answered) == ("Memory holds nothing on this.", "no memory")


def test_one_word_is_refused_and_kept(ana: Account) -> None:
    result = ask(ana, "!remember fact - yes")
    assert [refused["rule"] for refused in result.refused] == ["degenerate"]
    assert (Entry.objects.count(), Refusal.objects.get().text) == (0, "yes")


def test_a_statement_is_told_how_to_be_kept_and_that_no_model_answers(ana: Account) -> None:
    result = ask(ana, "I own a server in the cellar.")
    assert "`!remember fact - I own a server in the cellar.`" in result.output
    assert "LLM_PROVIDER" in result.output
    assert Message.objects.get(role=Role.USER).indexable


def test_a_temporary_conversation_writes_no_memory_and_is_not_listed(ana: Account) -> None:
    from chat.history import conversations

    result = ask(ana, f"Remember that {PORT}", temporary=True)
    again = ask(ana, f"!remember fact - {PORT}", conversation=result.conversation)
    assert (Entry.objects.count(), Refusal.objects.count()) == (0, 0)
    assert "temporary" in result.output
    assert "temporary" in again.output
    assert not conversations(ana)


def test_a_quoted_answer_is_never_indexed(filled: Account) -> None:
    know(filled, PORT)
    ask(filled, QUESTION)
    assert not Message.objects.filter(indexable=True).exists()


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"text": " \n"}, EmptyError),
        ({"text": "x" * (1024 * 1024 + 1)}, TooLargeError),
        ({"text": "hello there", "conversation": "nosuch"}, UnknownError),
        ({"text": "hello there", "client_id": "x" * 65}, InvalidError),
    ],
)
def test_what_cannot_begin_stores_nothing(ana: Account, fields: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        asyncio.run(complete(TurnRequest(ana, **fields)))
    assert (Message.objects.count(), Conversation.objects.count(), Run.objects.count()) == (0, 0, 0)


def test_the_run_is_one_row_and_one_line_in_the_contracts_shape(filled: Account) -> None:
    number = know(filled, PORT)
    result = ask(filled, QUESTION)
    shape = record(run_of(filled, result.run_id))
    assert [line for line in file_of(filled).read_text().splitlines() if result.run_id in line] == [
        json.dumps(shape | {"owner": filled.pk}, ensure_ascii=False)
    ]
    assert (shape["final_tool"], shape["user_input_preview"], shape["llm"]) == ("recall", QUESTION, None)
    [entry] = shape["steps"][0]["detail"]["entries"]
    assert (entry["id"], entry["preview"]) == (number, PORT)


async def stopped_at(request: TurnRequest, kind: type[Frame]) -> list[Frame]:
    """The frames of a run that is cancelled as soon as a frame of that kind is heard."""
    frames: list[Frame] = []

    async def hear() -> None:
        async for frame in turn(request):
            frames.append(frame)
            if isinstance(frame, kind):
                task.cancel()

    task = asyncio.create_task(hear())
    await asyncio.wait({task})
    return frames


@pytest.mark.parametrize("at", [Accepted, Frame])
async def test_a_stopped_run_is_saved_once_and_says_stopped(ana: Account, at: type[Frame]) -> None:
    frames = await stopped_at(TurnRequest(ana, QUESTION), at)
    assert isinstance(frames[-1], Stopped)
    answer = await Message.objects.aget(role=Role.ASSISTANT)
    assert (answer.state, answer.content, answer.answered) == (State.STOPPED, "", False)
    run = await Run.objects.aget()
    assert (run.run_id, run.not_answered, run.ok) == (answer.run_id, "stopped", True)


async def test_a_save_that_is_stopped_is_whole_and_recorded(ana: Account) -> None:
    from chat.domain.frames import Step

    frames = await stopped_at(TurnRequest(ana, f"Remember that {PORT}"), Step)
    assert isinstance(frames[-1], Stopped)
    assert (await Entry.objects.aget()).text == PORT
    assert frames[-1].partial == "Saved."
    assert (await Message.objects.aget(role=Role.ASSISTANT)).content == frames[-1].partial


async def test_a_reader_that_leaves_ends_the_run_as_stopped(ana: Account) -> None:
    frames = turn(TurnRequest(ana, QUESTION))
    await anext(frames)
    await frames.aclose()
    assert (await Message.objects.aget(role=Role.ASSISTANT)).state == State.STOPPED
    assert await Run.objects.acount() == 1


def test_an_answer_that_a_killed_server_left_is_marked_interrupted(ana: Account) -> None:
    begun = begin(ana, QUESTION, client_id="a1", run_id="r1")
    assert interrupt_orphans() == 1
    assert [message.state for message in thread(ana, begun.conversation)] == [State.COMPLETE, State.INTERRUPTED]
    assert interrupt_orphans() == 0


def test_sending_an_interrupted_message_again_says_so(ana: Account) -> None:
    begin(ana, QUESTION, client_id="a1", run_id="r1")
    interrupt_orphans()
    result = ask(ana, QUESTION, client_id="a1")
    assert (result.ok, result.error and result.error["code"]) == (False, "interrupted")


def test_the_outcome_of_a_stopped_run_keeps_its_text() -> None:
    result = outcome([Accepted("", 1, 2, "r", "c"), Stopped("half")])
    assert (result.ok, result.not_answered, result.message_id) == (True, "stopped", 2)


def test_every_ask_of_a_turn_is_saved_and_the_question_beside_them_answered(filled: Account) -> None:
    text = "Remember that my bike is in the cellar. Remember that the VPN gateway is 10.8.0.1. Where is my bike?"
    result = ask(filled, text)
    bike, gateway = (saved["entry"] for saved in result.saved)
    assert (bike["content"], gateway["content"]) == ("my bike is in the cellar.", "the VPN gateway is 10.8.0.1.")
    assert f"From memory:\n\n> my bike is in the cellar. — #{bike['id']} fact" in result.output
    [step] = record(run_of(filled, result.run_id))["steps"]
    assert [row["id"] for row in step["detail"]["saved"]] == [bike["id"], gateway["id"]]
    assert step["detail"]["entries"][0]["id"] == bike["id"]


def test_a_refusal_does_not_keep_the_question_beside_it_from_its_answer(filled: Account) -> None:
    know(filled, PORT)
    result = ask(filled, f"Remember that bike. {QUESTION}")
    assert [refused["rule"] for refused in result.refused] == ["degenerate"]
    assert PORT in result.output
