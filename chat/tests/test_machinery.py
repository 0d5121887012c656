"""A model that prints what passes between it and its tools has not answered; one that writes of it has."""

from __future__ import annotations

import time

import pytest

from chat.domain.machinery import is_machinery
from chat.domain.verdict import none, verdict
from chat.models import Message
from chat.tests.sockets import answer_of, asked
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from memory.models import Entry

RESULT = '<tool_response>\n{"entries": [{"id": 12, "text": "The port is 8080"}]}\n</tool_response>'


@pytest.mark.parametrize(
    "text",
    [
        RESULT,
        "Let me look.\n" + RESULT,
        "The port is 8080.</tool_call>",
        "<tool_call>\nI looked into memory, and the port is 8080.",
        "The port is 8080.<|tool_call_end|>",
        "<|tool▁outputs▁begin|>The port is 8080.",
        "<｜tool▁calls▁begin｜>The port is 8080.",
        "<|python_tag|>The port is 8080.",
        "[TOOL_RESULTS] The port is 8080.",
        "<function_response>The port is 8080.</function_response>",
    ],
)
def test_a_tag_that_a_line_begins_or_ends_with_is_machinery(text: str) -> None:
    assert verdict(text, "stop") == none("leaked call")


@pytest.mark.parametrize(
    "text",
    [
        f"Qwen is given this:\n\n```\n{RESULT}\n```",
        f"1. Qwen is given this:\n   ~~~xml\n   {RESULT}\n   ~~~\n2. Then it answers.",
        "Qwen puts its calls between `<tool_call>` and `</tool_call>`",
        "    <tool_call>{}</tool_call>\n\nis how Qwen calls.",
        f"You wrote:\n> {RESULT.splitlines()[0]}\nWhat is it for?",
        "Qwen writes <tool_call> before a call and </tool_call> behind it.",
        "The <tools> of the shed hang on the wall, and if a < b then a <|tool b.",
    ],
)
def test_what_is_written_of_such_a_tag_is_an_answer(text: str) -> None:
    assert verdict(text, "stop").not_answered == ""


@pytest.mark.parametrize(
    "text", ["```\n" * 3000, "`" * 20_000, "<tool" * 5000, "<|tool" * 5000, " " * 50_000 + "<tools>"]
)
def test_a_text_made_to_be_slow_is_judged_at_once(text: str) -> None:
    since = time.process_time()
    is_machinery(text + "x")
    assert time.process_time() - since < 1


@pytest.mark.django_db(transaction=True)
async def test_it_is_told_and_enters_no_memory(ana: Account, model: ScriptedModel) -> None:
    model.will_answer(RESULT)
    frames = await asked(ana, "Which port does the test server use?")

    assert frames[-1]["not_answered"] == "leaked call"
    assert (await answer_of(frames)).answered is False
    assert not await Message.objects.filter(indexable=True).aexists()
    assert not await Entry.objects.aexists()
