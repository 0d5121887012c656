"""Tool calls that a model writes as text: the right object is used where there is one, and half an object is none."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.domain.envelope import Envelope, arguments_of, fits, instructions, looks_like_one, read, schema, words_of
from forgesite.lib.language_models import Tool, ToolCall
from forgesite.lib.loose_json import objects

REMEMBER = Tool(
    "remember",
    "Keep one statement of the person's.",
    {
        "type": "object",
        "properties": {"content": {"type": "string"}, "kind": {"enum": ["fact", "todo"]}, "top_k": {"type": "integer"}},
        "required": ["content"],
    },
)
RECALL = Tool("recall", "Ask memory.", {"type": "object", "properties": {"query": {"type": "string"}}})
TOOLS = (REMEMBER, RECALL)
SERVER = {"content": "Possède un serveur à 東京 🎉", "kind": "fact"}
CALL = json.dumps({"tool": "remember", "content": SERVER}, ensure_ascii=False)

#: Everything that is the call above, as a model may write it.
SAME = {
    "plain": CALL,
    "white space": f"\n\n  {CALL}\n",
    "a fence": f"```json\n{CALL}\n```",
    "a fence of no language": f"```\n{CALL}\n```",
    "a fence that never closes": f"```json\n{CALL}",
    "tildes": f"~~~json\n{CALL}\n~~~",
    "a tag": f"<tool_call>\n{CALL}\n</tool_call>",
    "a tag that never closes": f"<tool_call>{CALL}",
    "Mistral's mark": f"[TOOL_CALLS] [{CALL}]",
    "prose around": f"Sure, I will save that.\n\n{CALL}\n\nDone!",
    "prose with braces": f"The set {{a, b}} and f() {{ return 1 }}; then {CALL} and {{so}} on",
    "prose with quotes": f'I\'d say "it\'s {{" here: {CALL} That\'s it: "}}"',
    "an earlier call": f'{{"tool": "recall", "content": {{"query": "serveur"}}}}\n{CALL}',
    "another object behind it": f'{CALL}\nwhich gives {{"id": 7, "stored": true}}',
    "arguments": json.dumps({"name": "remember", "arguments": SERVER}),
    "parameters": json.dumps({"name": "remember", "parameters": SERVER}),
    "arguments in a text": json.dumps({"name": "remember", "arguments": json.dumps(SERVER)}),
    "OpenAI's": json.dumps(
        {"id": "c1", "type": "function", "function": {"name": "remember", "arguments": "@"}}
    ).replace('"@"', json.dumps(json.dumps(SERVER))),
    "a list of calls": json.dumps({"tool_calls": [{"function": {"name": "remember", "arguments": SERVER}}]}),
    "tool and arguments": json.dumps({"tool": "remember", "arguments": SERVER}),
    "an action": json.dumps({"action": "remember", "action_input": SERVER}),
    "beside the name": json.dumps({"tool": "remember", **SERVER}),
    "the content's kind beside it": json.dumps(
        {"tool": "remember", "content": {"content": SERVER["content"]}, "kind": "fact"}
    ),
    "an array for an object": json.dumps([{"tool": "remember", "content": [SERVER]}]),
    "content first": json.dumps({"content": SERVER, "tool": "remember"}),
    "a thought before": json.dumps({"thought": "a fact {so}", "tool": "remember", "content": SERVER}),
    "single quotes": "{'tool': 'remember', 'content': {'content': 'Possède un serveur à 東京 🎉', 'kind': 'fact'}}",
    "curly quotes": "{“tool”: “remember”, “content”: {“content”: “Possède un serveur à 東京 🎉”, “kind”: “fact”}}",
    "bare keys": "{tool: 'remember', content: {content: 'Possède un serveur à 東京 🎉', kind: 'fact'}}",
    "commas at the end": CALL.replace("}}", ",},}"),
    "a comment": CALL.replace('"content": {', '"content": { // what was said: {this}\n'),
    "no last brace": CALL[:-1],
    "no last braces": CALL[:-2],
    "no last brace in a fence": f"```json\n{CALL[:-1]}\n```",
    "no last brace in a tag": f"<tool_call>{CALL[:-1]}</tool_call> I saved it.",
    "a key twice": CALL.replace('"tool": "remember"', '"tool": "recall", "tool": "remember"'),
    "escapes": json.dumps({"tool": "remember", "content": SERVER}),
    "named done": json.dumps({"tool": "remember", "content": SERVER, "done": "true"}),
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_a_call_is_read_however_it_is_written(text: str) -> None:
    assert read(text, TOOLS) == Envelope("remember", SERVER, True)
    assert read(text) == Envelope("remember", SERVER, True)


#: No call, or half of one, which may say the opposite of the whole.
NONE = {
    "blank": "",
    "words": "I have saved that you own a server.",
    "braces in words": "In C you write { and } around a block, {like: this}.",
    "cut in a text": '{"tool": "remember", "content": {"content": "Deploys on Fridays are',
    "cut behind an escaped quote": '{"tool": "remember", "content": {"content": "He said \\"no\\"',
    "cut behind an inner quote": '{"tool": "remember", "content": {"content": "He said "no"',
    "cut in a key": '{"tool": "remember", "content": {"content": "Deploys on Fridays", "ki',
    "cut behind a comma": '{"tool": "remember", "content": {"content": "Deploys on Fridays",',
    "cut in a number": '{"tool": "recall", "content": {"query": "x", "top_k": 1',
    "cut in a fence": '```json\n{"tool": "remember", "content": {"content": "Deploys on Fridays are\n```',
    "data of another kind": '{"name": "Bob", "age": 3}',
    "a name and words": '{"name": "Bob Smith", "content": "a person"}',
    "no name": '{"content": {"content": "Possède un serveur"}}',
    "a number for a name": '{"tool": 5, "content": {"content": "Possède un serveur"}}',
    "an object for a name": '{"tool": {"a": 1}, "content": {"content": "Possède un serveur"}}',
    "a number for content": '{"tool": "remember", "content": 7}',
    "many for one": '{"tool": "remember", "content": ["Possède", "un serveur"]}',
    "no comma": '{"tool": "remember" "content": {"content": "Possède un serveur"}}',
    "no value": '{"tool": "remember", "content": }',
    "NaN": '{"tool": "remember", "content": {"content": NaN}}',
    "an array": '["remember", "Possède un serveur"]',
}


@pytest.mark.parametrize("text", NONE.values(), ids=NONE)
def test_half_a_call_is_none(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize(
    "text",
    [
        '{"tool": "shell", "content": {"content": "rm -rf /"}}',
        '{"tool": "remember", "content": {"content": 7}}',
        '{"tool": "remember", "content": {"content": "Possède un serveur", "kind": "secret"}}',
        '{"tool": "remember", "content": {"content": "Possède un serveur", "top_k": true}}',
        '{"tool": "remember", "content": {"text": "Possède un serveur"}}',
    ],
)
def test_a_call_that_fits_no_tool_is_passed_over(text: str) -> None:
    assert read(text) is not None
    assert read(text, TOOLS) is None
    assert read(f"{CALL}\n{text}", TOOLS) == Envelope("remember", SERVER, True)


def test_a_text_is_the_tool_s_content() -> None:
    called = read('{"tool": "remember", "content": "Possède un serveur", "done": false}')

    assert called == Envelope("remember", {"content": "Possède un serveur"}, False)


def test_raw_line_breaks_and_quotes_are_kept() -> None:
    called = read('{"tool": "remember", "content": {"content": "He said "no":\n\tC:\\data"}}')

    assert called == Envelope("remember", {"content": 'He said "no":\n\tC:\\data'}, True)


def test_half_a_character_is_shown_as_lost() -> None:
    assert read('{"tool": "remember", "content": {"content": "a \\ud83d\\ude00 b \\ud800 c"}}') == Envelope(
        "remember", {"content": "a 😀 b � c"}, True
    )
    assert read('{"tool": "remember", "content": {"content": "a \ud800"}}') == Envelope(
        "remember", {"content": "a �"}, True
    )


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=8), json_values, max_size=4), st.booleans())
def test_what_is_json_is_read_as_json_does(value: dict[str, Any], ascii_only: bool) -> None:
    assert objects(f"so {json.dumps(value, ensure_ascii=ascii_only)} and") == [value]


@given(st.text(alphabet=st.sampled_from("{}[]\"':,\\tool ab1`<\ud800“"), max_size=60))
def test_nothing_breaks_it(text: str) -> None:
    read(text)
    looks_like_one(text)
    arguments_of(ToolCall("c", "remember", text))


HEAVY = [
    "{",
    '{"a":',
    '{"',
    "{'x",
    "[",
    "{a:[",
    '{"a":"x" y',
    '{"a":1}',
    "a { b } ",
    "`",
    "<",
    "{//",
    '"',
    "{ \n",
    "\\u",
]


@pytest.mark.parametrize("piece", HEAVY)
def test_a_megabyte_of_it_takes_no_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    began = time.process_time()

    read(text)
    read('{"tool": "x", "content": "' + text[:90_000])
    arguments_of(ToolCall("c", "remember", text))
    looks_like_one(text)

    assert time.process_time() - began < 3  # measured: 0.6 s for the worst of them


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_a_reply_that_begins_as_a_call_is_held_back_all_along(text: str) -> None:
    held = [looks_like_one(text[:length]) for length in range(len(text) + 1)]

    assert all(held) or text[0].isalpha()


@pytest.mark.parametrize(
    ("text", "clear"),
    [
        ("The server has 32 GB.", 1),
        ("```python\nprint({'tool': 1})\n```", 4),
        ("```\nls -l\n```", 5),
        ('```json\n{\n  "port": 8080\n}\n```', 15),
        ("```json\n[1, 2]\n```", 10),
        ('{"port": 8080}', 4),
        ('{"name": "Bob", "age": 3}', 19),
        ("{x | x > 0} is a set", 2),
        ("<b>bold</b>", 2),
        ("<toolbox> is a tag", 6),
        ("[a link](https://example.org)", 2),
        ("`code` is short", 2),
        ("~/.bashrc is the file", 2),
    ],
)
def test_a_reply_that_is_no_call_is_let_go_as_soon_as_that_is_clear(text: str, clear: int) -> None:
    held = [looks_like_one(text[:length]) for length in range(len(text) + 1)]

    assert held == [length < clear for length in range(len(text) + 1)]


@pytest.mark.parametrize(
    ("written", "given"),
    [
        ("", {}),
        (" null ", {}),
        ("{}", {}),
        ('{"query": "RAM"}', {"query": "RAM"}),
        ('"{\\"query\\": \\"RAM\\"}"', {"query": "RAM"}),
        ('[{"query": "RAM"}]', {"query": "RAM"}),
        ("{'query': 'RAM',}", {"query": "RAM"}),
        ('```json\n{"query": "RAM"}\n```', {"query": "RAM"}),
        ('{"query": "RAM"', {"query": "RAM"}),
        ('{"query": "RAM of the', None),
        ('{"query": "a"}{"query": "b"}', None),
        ("RAM", None),
        ("[1, 2]", None),
        ("7", None),
    ],
)
def test_the_arguments_of_a_call_are_one_object(written: str, given: dict[str, Any] | None) -> None:
    assert arguments_of(ToolCall("c1", "recall", written)) == given


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"tool": "answer", "content": "32 Go."}', "32 Go."),
        ('{"tool": "chat", "content": "32 Go."}', "32 Go."),
        ('{"tool": "answer", "content": "{\\"tool\\": \\"chat\\", \\"content\\": \\"32 Go.\\"}"}', "32 Go."),
        ('{"tool": "answer", "content": {"message": "32 Go."}}', "32 Go."),
        ('{"tool": "answer", "content": {}}', ""),
        (CALL, None),
    ],
)
def test_words_in_an_envelope_are_an_answer(text: str, words: str | None) -> None:
    envelope = read(text)

    assert envelope is not None
    assert words_of(envelope) == words


def test_what_fits_leaves_undeclared_fields_alone() -> None:
    assert fits({"content": "Possède un serveur", "more": 1}, REMEMBER)
    assert not fits({}, REMEMBER)


def test_the_instructions_name_every_tool_and_show_the_form() -> None:
    said = instructions(TOOLS)

    assert '{"tool": "name of the tool"' in said
    assert all(tool.name in said and json.dumps(tool.parameters) in said for tool in TOOLS)
    assert instructions(()) == ""


def test_the_schema_takes_a_call_of_each_tool_and_an_answer() -> None:
    shapes = schema(TOOLS)["anyOf"]

    assert [shape["properties"]["tool"]["const"] for shape in shapes] == ["remember", "recall", "answer"]
    assert all(shape["required"] == ["tool", "content"] and not shape["additionalProperties"] for shape in shapes)
