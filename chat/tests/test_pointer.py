"""A pointer is recognised by what its builder writes, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.domain.pointer import is_pointer, pointer


@given(st.integers(0, 10**6), st.lists(st.integers(1, 10**9), max_size=3), st.sampled_from(["en", "fr", "de"]))
def test_every_pointer_that_is_built_is_recognised(messages: int, entries: list[int], language: str) -> None:
    assert is_pointer(pointer(messages, tuple(entries), language=language))


@pytest.mark.parametrize(
    ("language", "entries", "text"),
    [
        ("fr", (), "[30 messages compactés : rien d’indexable, aucune entrée créée]"),
        ("fr", (12,), "[30 messages compactés : #12, à chercher par !recall]"),
        ("fr", (10, 11), "[30 messages compactés : #10-#11 (2 entrées), à chercher par !recall]"),
        ("en", (10, 11), "[30 messages compacted: #10-#11 (2 entries), searchable via !recall]"),
    ],
)
def test_a_pointer_names_its_entries(language: str, entries: tuple[int, ...], text: str) -> None:
    assert pointer(30, entries, language=language) == text


@pytest.mark.parametrize(
    "text",
    [
        "[30 messages] are waiting",
        "As I said: [30 messages compacted: #12, searchable via !recall]",
        "[summary of 30 previous messages] The port is 8080.",
        "30 messages compacted",
        "[many messages compacted]",
    ],
)
def test_other_texts_are_no_pointers(text: str) -> None:
    assert not is_pointer(text)


def test_a_pointer_is_still_one_with_space_before_it_and_another_end() -> None:
    assert is_pointer("\n  [30 messages compacted: [forgotten #12]")
