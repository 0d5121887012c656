from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from chat.models import Conversation
from chat.terminal import messages
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from memory.remember import Draft, remember


def typed(*lines: str) -> list[str]:
    return list(messages(io.StringIO("\n".join(lines)).readline))


def test_each_line_is_a_message_until_exit() -> None:
    assert typed("hello", "", "!help", "exit", "more") == ["hello", "!help"]


def test_a_fence_alone_opens_and_closes_a_pasted_block() -> None:
    assert typed("```", "one", "", "two", "```", "after") == ["one\n\ntwo", "after"]


def test_a_line_that_ends_in_a_fence_goes_on_with_its_code() -> None:
    assert typed("What is this? ```py", "print(1)", "```") == ["What is this? ```py\nprint(1)\n```"]


def test_cancel_gives_a_block_up() -> None:
    assert typed("```", "one", "cancel", "after") == ["after"]


@pytest.mark.django_db(transaction=True)
def test_ask_prints_the_answer(filled: Account) -> None:
    remember(filled, Draft("the test server runs on port 8080"), actor="person", cause="test")
    out = io.StringIO()
    call_command("ask", "Which port does the test server use?", stdout=out)
    assert "8080" in out.getvalue()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("user", "question"), [("", " "), ("nobody", "Which port?")])
def test_ask_fails_with_the_reason(ana: Account, user: str, question: str) -> None:
    with pytest.raises(CommandError, match=r"empty|nobody"):
        call_command("ask", question, user=user)


@pytest.mark.django_db(transaction=True)
def test_the_terminal_stays_in_one_conversation(ana: Account) -> None:
    out = io.StringIO()
    call_command("repl", stdin=io.StringIO("hello there\n!memory\nquit\n"), stdout=out)
    assert "Entries: 0" in out.getvalue()
    assert Conversation.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_ask_says_that_an_answer_was_cut(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("Plants eat", finish="length")
    out, errors = io.StringIO(), io.StringIO()
    call_command("ask", "How do plants eat?", stdout=out, stderr=errors)
    assert (out.getvalue(), "LLM_MAX_TOKENS" in errors.getvalue()) == ("Plants eat\n", True)


@pytest.mark.django_db(transaction=True)
def test_ask_fails_with_the_models_failure_and_prints_what_came(ana: Account, model: ScriptedModel) -> None:
    model.will_fail(401, {"error": "no"})
    errors = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("ask", "How do plants eat?", stderr=errors)
    assert "LLM_API_KEY" in errors.getvalue()


@pytest.mark.django_db(transaction=True)
def test_the_terminal_goes_on_with_a_model_from_line_to_line(ana: Account, model: ScriptedModel) -> None:
    call_command("repl", stdin=io.StringIO("hello there\nAnd fungi?\nquit\n"), stdout=io.StringIO())
    assert [said["role"] for said in model.prompts[-1]] == ["system", "user", "assistant", "user"]


@pytest.mark.django_db(transaction=True)
def test_the_terminal_begins_another_conversation_on_request(ana: Account) -> None:
    out = io.StringIO()
    lines = "hello there\n!new\n!memory\n!TEMP\nmy safe opens with 4711\nquit\n"

    call_command("repl", stdin=io.StringIO(lines), stdout=out)

    assert "A new conversation begins." in out.getvalue()
    talks = Conversation.objects.order_by("created_at").values_list("title", "temporary")
    assert list(talks) == [("hello there", False), ("!memory", False), ("my safe opens with 4711", True)]
