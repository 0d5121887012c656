"""Each format is read as its own product shows it; what is left out is counted."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from chat.importers.cleaning import mended, without_citations, without_thinking
from chat.importers.entries import ReadEntries
from chat.importers.formats import conversations
from chat.importers.imported import ImportedConversation, Note, ReadConversation, Skipped, dated
from chat.importers.reading import NotAnExportError, documents
from chat.importers.shape import moment

EXPORTS = Path(__file__).parent / "data" / "exports"
FILE_DATE = datetime(2025, 7, 1, tzinfo=UTC)


def read(name: str) -> list[ImportedConversation | ReadEntries | Skipped]:
    [document] = documents(EXPORTS / name, name)
    found = conversations(document.parsed()[0], name)
    return [dated(one, FILE_DATE) if isinstance(one, ReadConversation) else one for one in found]


def only(name: str) -> ImportedConversation:
    [talk] = read(name)
    assert isinstance(talk, ImportedConversation)
    return talk


def of(value: Any) -> ReadConversation:
    [talk] = conversations([value], "x.json")
    assert isinstance(talk, ReadConversation), talk
    return talk


def said(value: Any) -> list[tuple[str, str]]:
    return [(one.role, one.text) for one in of(value).said]


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


# -- the real files


def test_chatgpt_leaves_out_the_hidden_root_and_context() -> None:
    talk = only("openwebui-importer/gpt_example.json")

    assert [message.text for message in talk.messages if message.role == "user"] == [
        "Can you explain how photosynthesis works in simple terms?",
        "Why is sunlight important?",
        "What is an ecosystem",
        "Are ponds sentient?",
        "What about forests?",
    ]
    assert talk.notes == {Note.HIDDEN: 1}
    assert talk.updated == at(2025, 6, 21, 20, 25, 34, 231514)
    assert talk.messages[1].source_id == "5558dbfd-0327-4905-bb66-e54b32e926b0"


def test_chatgpt_takes_the_branch_that_was_current() -> None:
    talk = only("chatgpt-export-parser/example-conversation.json")

    assert [message.source_id for message in talk.messages] == ["msg-2", "msg-3", "msg-4", "msg-6"]
    assert talk.messages[2].text == "How do I write a function in JavaScript?"
    assert talk.messages[3].at == at(2024, 1, 1, 0, 5)
    assert talk.notes == {Note.BRANCH: 1}
    assert (talk.title, talk.created) == ("Sample conversation with branch", at(2024, 1, 1))


def test_chatgpt_of_an_unknown_make_keeps_the_words() -> None:
    one, two = only("polylogue-chatgpt/sample-00.json"), only("polylogue-chatgpt/sample-01.json")

    assert [(message.role, message.text) for message in one.messages] == [
        ("user", "Could you review this code for potential issues?"),
        (
            "user",
            "I need to implement a function that processes this data.\n"
            "What's the best approach for handling errors here?",
        ),
    ]
    assert one.title == "Could you review this code for potential issues?"
    assert [message.role for message in two.messages] == ["user", "assistant", "assistant"]
    assert two.updated == at(2023, 11, 9, 15, 26, 15, 607794)
    assert one.notes == two.notes == {Note.BRANCH: 1}


def test_claude_skips_empty_chats_by_name() -> None:
    *empty, talk = read("openwebui-importer/claude_example.json")

    assert len(empty) == 84
    assert empty[0] == Skipped("#1 636f35a1-13bb-479e-836b-e320aec9c6ac", "it holds no words", damaged=False)
    assert isinstance(talk, ImportedConversation)
    assert (talk.title, len(talk.messages)) == ("How Photosynthesis Works", 10)
    assert talk.messages[0].at == at(2025, 6, 21, 20, 48, 39, 29572)


def test_claude_leaves_thinking_out() -> None:
    talk = only("openwebui-importer/claude_thinking_example.json")

    assert [message.text for message in talk.messages] == [
        "Can you greet me?",
        "Hello there! It's great to hear from you.",
    ]
    assert talk.notes == {Note.THINKING: 1}


def test_open_webui_takes_its_tree() -> None:
    talk = only("openwebui-importer/webui-json.json")

    assert talk.title == "🧠 Goldwater Rule Ethics"
    assert talk.source == "openwebui:5ae90291-abf9-453f-9f7d-78f3753af40c"
    assert talk.messages[0].text.startswith("what was the ruling in the US called")
    assert talk.messages[1].text.endswith("misuse of psychiatry in political contexts.")
    assert {message.at for message in talk.messages} == {at(2025, 4, 13, 20, 52, 37)}


def test_grok_is_read_in_its_order() -> None:
    talk = only("openwebui-importer/grok_example.json")

    assert [message.role for message in talk.messages] == ["user", "assistant"] * 5
    assert talk.title == "Photosynthesis Simplified: Process and Importance"
    assert talk.messages[-1].at == at(2025, 6, 21, 19, 30, 1, 846938)


def test_ai_studio_has_no_dates_and_takes_the_file_s() -> None:
    talk = only("openwebui-importer/aistudio_example.json")

    assert [message.role for message in talk.messages] == ["user", "assistant"]
    assert talk.messages[1].text.startswith("Yes, you are **absolutely correct!**")
    assert {message.at for message in talk.messages} == {FILE_DATE}
    assert talk.notes == {Note.THINKING: 1, Note.NO_DATE: 2}


def test_marks_of_another_product_are_left_out_of_texts_without_a_sender() -> None:
    talk = only("openwebui-importer/invalid_unicode.json")

    assert [(message.role, message.text) for message in talk.messages] == [
        ("assistant", "Hello"),
        ("assistant", "World"),
    ]
    assert talk.notes == {Note.NO_SENDER: 2, Note.CITATION: 4, Note.NO_DATE: 2}
    assert talk.created == at(1970, 1, 1, 0, 16, 40)


# -- ChatGPT's parts


def node(role: str, content: Any, **message: Any) -> dict[str, Any]:
    return {"id": "c1", "mapping": {"m1": {"message": {"author": {"role": role}, "content": content, **message}}}}


def test_chatgpt_names_images_and_files() -> None:
    content = {
        "content_type": "multimodal_text",
        "parts": [{"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}, "What is this?"],
    }
    files = {"attachments": [{"name": "cat.png", "mime_type": "image/png"}, {"name": "bill.pdf"}]}
    value = node("user", content, metadata=files)

    assert said(value) == [("user", "[image]\nWhat is this?\n[file: bill.pdf]")]
    assert of(value).notes == {Note.ATTACHMENT: 2}


def test_chatgpt_keeps_code_for_the_person_and_leaves_calls_out() -> None:
    code = {"content_type": "code", "language": "python", "text": "print(8080)"}

    assert said(node("assistant", code, recipient="all")) == [("assistant", "```python\nprint(8080)\n```")]
    assert list(conversations([node("assistant", code, recipient="python")], "x")) == [
        Skipped("#1 c1", "it holds no words", damaged=False)
    ]


@pytest.mark.parametrize("content", [None, {}, {"content_type": "text", "parts": None}, {"parts": [None, ""]}])
def test_chatgpt_takes_null_content_for_silence(content: Any) -> None:
    assert list(conversations([node("user", content)], "x")) == [Skipped("#1 c1", "it holds no words", damaged=False)]


def test_a_circle_of_messages_is_damage() -> None:
    mapping = {"a": {"parent": "b", "message": None}, "b": {"parent": "a", "message": None}}

    for leaf in ("a", "zzz"):
        [skipped] = conversations([{"id": "c1", "mapping": mapping, "current_node": leaf}], "x")
        assert isinstance(skipped, Skipped)
        assert "in a circle" in skipped.reason


# -- the others


def test_claude_keeps_the_text_of_attachments() -> None:
    message = {
        "sender": "human",
        "text": "Sum this up",
        "attachments": [{"file_name": "notes.txt", "extracted_content": "The NAS has 4 disks."}],
        "files": [{"file_name": "notes.txt"}, {"file_name": "plan.pdf"}],
    }
    value = {"uuid": "c1", "chat_messages": [message]}

    assert said(value) == [("user", "Sum this up\n[file: notes.txt]\nThe NAS has 4 disks.\n[file: plan.pdf]")]


def test_open_webui_reads_flat_lists_and_leaves_reasoning_out() -> None:
    reply = '<details type="reasoning" done="true" duration="3">\n<summary>Thought</summary>\n> hm\n</details>\n8080.'
    messages = [
        {"role": "user", "content": "Which port?", "timestamp": 1744577557},
        {"role": "assistant", "content": reply},
    ]
    value = {"id": "w1", "title": "Port", "chat": {"messages": messages, "models": []}, "archived": True}

    assert said(value) == [("user", "Which port?"), ("assistant", "8080.")]
    assert of(value).head.archived
    assert of(value).notes == {Note.THINKING: 1}


def test_grok_takes_the_last_branch_and_mongo_s_dates() -> None:
    def response(id: str, parent: str | None, text: str) -> dict[str, Any]:
        when = {"$date": {"$numberLong": "1750534101177"}}
        inside = {"_id": id, "sender": "human", "message": text, "parent_response_id": parent, "create_time": when}
        return {"response": inside}

    answers = [response("1", None, "Which port?"), response("2", "1", "First try"), response("3", "1", "Second try")]
    value = {"conversation": {"id": "g1"}, "responses": answers}

    assert [text for _role, text in said(value)] == ["Which port?", "Second try"]
    assert of(value).said[0].at == at(2025, 6, 21, 19, 28, 21, 177000)
    assert of(value).notes == {Note.BRANCH: 1}


@pytest.mark.parametrize("value", [{}, [1], "text", None, {"conversations": [{"a": 1}]}, {"messages": "x"}])
def test_what_is_no_export_is_told_what_was_expected(value: Any) -> None:
    with pytest.raises(NotAnExportError, match=r"x\.json is no export that Forge knows\. Expected: "):
        list(conversations(value, "x.json"))


# -- texts and dates


def test_half_characters_and_nul_are_replaced_and_counted() -> None:
    assert mended("caf\ud83d \x00") == ("caf� �", 2)
    assert mended("\ud83e\udde0 whole") == ("🧠 whole", 0)
    assert mended("caf� as written") == ("caf� as written", 0)


@pytest.mark.parametrize(
    ("text", "kept", "thoughts", "calls"),
    [
        ("<think>hm</think>8080.", "8080.", 1, 0),
        ("<THINK>\nhm", "", 1, 0),
        ("The `<think>` tag opens it.", "The `<think>` tag opens it.", 0, 0),
        ("```html\n<think>hm</think>\n```", "```html\n<think>hm</think>\n```", 0, 0),
        ('<details type="tool_calls" done="true">x</details>\nDone.', "Done.", 0, 1),
        ("<details><summary>More</summary>x</details>", "<details><summary>More</summary>x</details>", 0, 0),
        ('<details type="reasoning">\n```py\nx\n```\n</details>\n8080.', "8080.", 1, 0),
    ],
)
def test_thinking_is_left_out_where_it_is_thinking(text: str, kept: str, thoughts: int, calls: int) -> None:
    assert without_thinking(text) == (kept, thoughts, calls)


def test_citation_marks_go_and_the_words_in_them_stay() -> None:
    marked = 'In \ue200entity\ue202["city","Lyon","France"]\ue201 it rains.\ue200cite\ue202turn0search1\ue201'

    assert without_citations(marked) == ("In Lyon it rains.", 2)
    assert without_citations("see \ue200url\ue202the manual\ue202https://example.org\ue201") == ("see the manual", 1)


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        (1704067200, at(2024, 1, 1)),
        (1704067200000, at(2024, 1, 1)),
        ("1704067200.5", at(2024, 1, 1, 0, 0, 0, 500000)),
        ("2024-01-01T01:00:00+01:00", at(2024, 1, 1)),
        ("2024-01-01T00:00:00Z", at(2024, 1, 1)),
        ("2024-01-01 00:00:00", at(2024, 1, 1)),
        ({"$date": "2024-01-01T00:00:00Z"}, at(2024, 1, 1)),
        (None, None),
        (True, None),
        (-5, None),
        pytest.param(10**400, None, id="400 digits"),
        (float("inf"), None),
        ("yesterday", None),
        ({"$date": []}, None),
    ],
)
def test_dates_are_read_however_they_are_written(written: Any, read_as: datetime | None) -> None:
    assert moment(written) == read_as


def test_a_message_without_a_date_takes_its_neighbour_s() -> None:
    messages = [
        {"role": "user", "content": "Which port?"},
        {"role": "assistant", "content": "8080.", "timestamp": 1704067200},
        {"role": "user", "content": "Thanks a lot"},
    ]
    talk = dated(of({"title": "Port", "messages": messages}), FILE_DATE)

    assert {message.at for message in talk.messages} == {at(2024, 1, 1)}
    assert talk.notes == {Note.NO_DATE: 2}
