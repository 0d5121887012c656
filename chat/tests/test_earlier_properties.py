"""Whatever the files of an earlier Forge hold: they are read or refused, and no word of a note is lost."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from chat.importers import forge_rag, notes_md
from chat.importers.formats import conversations
from chat.importers.imported import ReadConversation, dated
from chat.importers.reading import Document, NotAnExportError
from chat.tests import earlier
from forgesite.testing import EXAMPLES

KEYS: tuple[str, ...] = (
    "history",
    "facts",
    "next_id",
    "id",
    "role",
    "content",
    "pinned",
    "index",
    "key",
    "value",
    "timestamp",
)
KEYS += ("task_id", "messages", "summary", "tool_calls", "tool_call_id", "created_at", "text")
WORDS = st.sampled_from(
    ["user", "assistant", "system", "tool", "[2 messages compactés]", "\ud800", "\0", "", "hello you"]
)
LEAVES = st.none() | st.booleans() | st.integers(-2, 2**64) | st.floats(allow_nan=False) | WORDS | st.text(max_size=9)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=24,
)
SESSIONS = st.fixed_dictionaries({"task_id": VALUES, "messages": VALUES}, optional={"summary": VALUES})
HISTORIES = st.fixed_dictionaries({"next_id": VALUES, "history": VALUES}, optional={"facts": VALUES})
MARKED = ("# Title", "## 14:03:09", "### Deep #", "- an item", "1. first", "- [decision] it waits", "- [tool:x] seen")
LINES = st.sampled_from(
    (*MARKED, "", "  ", "  more of it", "plain words", "```", "~~~~", "user: quoted", "\tindented", "<!-- open", "***")
)


@settings(max_examples=EXAMPLES)
@given(value=SESSIONS | HISTORIES)
def test_any_history_and_any_session_is_read_and_can_be_stored(value: Any) -> None:
    for read in conversations([value], "x.json"):
        if isinstance(read, ReadConversation):
            talk = dated(read, datetime(2026, 1, 1, tzinfo=UTC))
            assert len({message.source_id for message in talk.messages}) == len(talk.messages)
            "".join([talk.title, talk.source, *(message.text for message in talk.messages)]).encode()


@settings(max_examples=EXAMPLES)
@given(lines=st.lists(LINES, max_size=30), name=st.sampled_from(["plan.md", "2026-02-03.md", "MEMORY.md"]))
def test_no_word_of_a_note_is_lost(lines: list[str], name: str) -> None:
    text = "\n".join(lines)
    found = notes_md.entries(name, text)
    kept = " ".join(entry.text for entry in found.entries)

    left = set(text.split()) - {"-", "#", "##", "###", "1.", "14:03:09", "Title", "Deep"}
    assert left <= {word.lstrip("\\") for word in kept.split()}
    if name == "plan.md":
        assert text.split() == kept.split()


def test_a_database_that_was_damaged_anywhere_is_read_or_refused(tmp_path: Path) -> None:
    rows = [
        (number, *earlier.DECISION[1:2], f"{number} {'words ' * 40}", *earlier.DECISION[3:]) for number in range(60)
    ]
    whole, draw = earlier.forge_rag(tmp_path / "forge_rag.db", rows).read_bytes(), random.Random(7)
    refused: list[str] = []
    for _time in range(200):
        data = bytearray(whole)
        for _byte in range(draw.choice((1, 2, 5, 50))):
            data[draw.randrange(16, len(data))] = draw.randrange(256)
        try:
            forge_rag.entries(Document("forge_rag.db", bytes(data)))
        except NotAnExportError as error:
            refused.append(error.message)
    assert 0 < len(refused) < 200
    assert all(message.isprintable() for message in refused)
