"""What a compaction gives memory: the same entries as an import of the same conversation, whatever was said in it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from chat.domain import transcript
from chat.importing import bring_in
from chat.leaving.compaction import compact
from chat.leaving.units import fits, units_of
from chat.models import Conversation, Message
from chat.tests.test_importing import chatgpt, written
from chat.tests.test_transcript import TEXTS
from forgesite.models import Account
from memory.domain.non_answers import is_non_answer
from memory.domain.wording import clean
from memory.models import Entry

AT = datetime(2026, 5, 4, 12, tzinfo=UTC)
SAID = st.lists(st.tuples(st.sampled_from(["user", "assistant", "assistant"]), TEXTS), max_size=8)


def rows(said: list[tuple[str, str]]) -> list[Message]:
    """As an import stores them."""
    return [
        Message(pk=pk, role=role, content=text, created_at=AT, answered=role == "user" or not is_non_answer(text))
        for pk, (role, text) in enumerate(said, 1)
    ]


@given(SAID)
def test_both_paths_into_memory_give_the_same_texts(said: list[tuple[str, str]]) -> None:
    messages = rows(said)
    found = units_of(Conversation(pk="talk"), messages, frozenset(one.pk for one in messages))

    imported = transcript.blocks([transcript.Message(role, text) for role, text in said])
    assert [draft.text for draft in found.drafts] == [clean(text).text for text in imported if fits(text)]


@given(SAID, st.integers(0, 8))
def test_every_message_that_leaves_is_in_a_unit_or_counted_as_left_out(said: list[tuple[str, str]], cut: int) -> None:
    messages = rows(said)
    removed = frozenset(one.pk for one in messages[:cut])
    found = units_of(Conversation(pk="talk"), messages, removed)

    assert sum(one.ref in removed for unit in found.said for one in unit) + found.dropped == len(removed)


def test_what_was_imported_is_compacted_without_a_second_entry(ana: Account, tmp_path: Path) -> None:
    exchanges = [
        (role, f"{role} says that plant {number} is in room {number}")
        for number in range(15)
        for role in ("user", "assistant")
    ]
    bring_in(ana, written(tmp_path, [chatgpt(*exchanges, ("user", "Which error?"), ("assistant", "[error] none"))]))
    talk, entries = Conversation.objects.get(), Entry.objects.count()

    done = compact(ana, talk.pk, forced=True)

    assert (entries, done.removed, done.units, done.stored, done.duplicates) == (15, 12, 6, 0, 6)
    assert Entry.objects.count() == entries
