"""What stands where an answer should be, and what only looks like it."""

from __future__ import annotations

import json

import pytest

from chat.domain.leaked import is_leaked
from chat.domain.prompts import PREAMBLE
from chat.domain.stand_ins import is_error_body, is_placeholder

CALL = json.dumps({"tool": "remember", "content": {"content": "Possède un serveur"}})


@pytest.mark.parametrize(
    "text",
    [
        "[your answer here]",
        "[Your response here].",
        "<answer>",
        "<answer></answer>",
        "{answer}",
        "{{response}}",
        "[Insert name]",
        "[insérez votre réponse ici]",
        "<votre réponse>",
        "...",
        "." * 5000,
        "?!",
        "…",
        "---",
        "```\n```",
        "remember",
        "`recall`",
        "memory_search()",
        CALL,
        f"```json\n{CALL}\n```",
        f"<tool_call>\n{CALL}\n</tool_call>",
        '{"name": "lookup", "arguments": {}}',
        '{"tool": "remember", "content": {"content": "Possède un',
        "<tool_call>",
    ],
)
def test_a_gap_or_a_call_is_no_answer(text: str) -> None:
    assert is_placeholder(text)
    assert is_placeholder(f"\n{text}  ")


@pytest.mark.parametrize(
    "text",
    [
        "8080",
        "👍",
        "[1]",
        "[no]",
        "{a, b}",
        "<b>yes</b>",
        "<answer>8080</answer>",
        "[your answer here] is what the form says.",
        "Recall the third law.",
        "remember: milk",
        "ls -l",
        '{"port": 8080}',
        '{"name": "Bob", "age": 3}',
        '```json\n{"name": "lookup", "arguments": {}}\n```',
        f"```json\n{CALL}\n```\nis how a tool is called.",
        f"Write {CALL} to call it.",
        "```python\nremember()\n```",
    ],
)
def test_an_answer_that_looks_like_one_is_an_answer(text: str) -> None:
    assert not is_placeholder(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"error": {"message": "model not loaded", "type": "server_error", "code": 500}}',
        '{"error": "model \'x\' not found"}',
        '[{"error": {"message": "quota"}}]',
        '{"detail": "Not Found"}',
        "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body></body></html>",
        "<html><body><h1>Service Unavailable</h1></body></html>",
        "Internal Server Error",
        "502 Bad Gateway",
        "error code: 1015",
        "upstream connect error or disconnect/reset before headers",
    ],
)
def test_the_error_of_a_server_is_no_answer(text: str) -> None:
    assert is_error_body(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"error": null, "port": 8080}',
        '{"error": "x", "fix": "restart the service"}',
        '```json\n{"error": "model not found"}\n```',
        "502 means that the gateway got no answer.",
        "An internal server error is a fault of the server.",
        "<!DOCTYPE html><html><head><title>My garden</title></head><body>Roses</body></html>",
        '{"error"',
        "[1, 2]",
        "",
    ],
)
def test_an_answer_about_errors_is_an_answer(text: str) -> None:
    assert not is_error_body(text)


def test_a_long_run_of_the_instructions_is_a_leak() -> None:
    words = PREAMBLE.split()

    assert is_leaked("Sure: " + " ".join(words[20:40]).upper(), [PREAMBLE])
    assert is_leaked(PREAMBLE, ["other text", PREAMBLE])
    assert not is_leaked(" ".join(words[20:28]) + " is what I was told.", [PREAMBLE])
    assert not is_leaked(PREAMBLE, [])
    assert not is_leaked("The port is 8080.", [PREAMBLE, "short"])
