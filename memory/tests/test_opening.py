"""What a question names of an index comes with the turn: behind the rows of the search, within the block's budget."""

from __future__ import annotations

from dataclasses import replace

import pytest

from forgesite.models import Account
from memory.finding.opening import INDEX, with_opened
from memory.hot_block import HotBlock, hot_block
from memory.models import Entry
from memory.move import archive
from memory.recall import Query, Recalled, recall
from memory.tests.entries import saved

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only")]
QUESTION = "What do I know of the violin?"


@pytest.fixture
def violins(ana: Account) -> list[Entry]:
    """Seven of them among others: more than a recall gives."""
    for number in range(40):
        saved(ana, f"{chr(97 + number % 26) * 5} {chr(97 + number // 26) * 6} {chr(122 - number % 26) * 7}")
    return [saved(ana, f"the violin number {number} is in {'abcdefg'[number] * 4}") for number in range(7)]


def block(ana: Account, most: int = 200) -> HotBlock:
    return hot_block(ana, upto=None, most_tokens=most)


def asked(ana: Account, text: str = QUESTION) -> Recalled:
    return recall(ana, Query(text, for_prompt=True, top_k=2))


def rows(found: Recalled | None) -> list[tuple[int, str]]:
    assert found
    return [(row.entry.pk, row.channel) for row in found.rows]


def test_they_stand_behind_the_rows_and_say_where_they_come_from(ana: Account, violins: list[Entry]) -> None:
    plain, opened = asked(ana), with_opened(ana, asked(ana), block(ana), QUESTION)
    assert len(plain.rows) == 2
    assert rows(opened)[:2] == [(row.entry.pk, row.channel) for row in plain.rows]
    assert {pk for pk, _channel in rows(opened)} == {entry.pk for entry in violins}
    assert {channel for _pk, channel in rows(opened)[2:]} == {INDEX}
    assert opened
    assert [row.rank for row in opened.rows] == list(range(1, 8))
    assert opened.candidates[INDEX] == 5


def test_what_has_no_room_is_left_out_by_name(ana: Account, violins: list[Entry]) -> None:
    opened = with_opened(ana, asked(ana), replace(block(ana), budget=70), QUESTION)
    assert opened
    left = [row.id for row in opened.left_out if row.channel == INDEX and row.reason == "budget"]
    assert 0 < len(left) < 5
    assert sorted([*left, *(pk for pk, _channel in rows(opened))]) == [entry.pk for entry in violins]


def test_nothing_is_opened_where_memory_holds_nothing_or_the_block_is_whole(ana: Account, violins: list[Entry]) -> None:
    nothing = asked(ana, "Where is the penguin of the captain?")
    assert nothing.nothing
    assert with_opened(ana, nothing, block(ana), "Where is the penguin with the violin of the captain?") is nothing
    plain = asked(ana)
    assert with_opened(ana, plain, block(ana, most=10**6), QUESTION) is plain


def test_without_a_recall_the_index_alone_says_what_is_given(ana: Account, violins: list[Entry]) -> None:
    opened = with_opened(ana, None, block(ana), "the violin")
    assert [pk for pk, _channel in rows(opened)] == [entry.pk for entry in violins]
    assert with_opened(ana, None, block(ana), "Where did the captain hide his violin and the golden penguin?") is None


def test_an_entry_that_went_meanwhile_is_not_opened(ana: Account, violins: list[Entry]) -> None:
    made = block(ana)
    archive(ana, violins[6].pk, actor="person", cause="test")
    opened = with_opened(ana, None, made, "the violin")
    assert violins[6].pk not in [pk for pk, _channel in rows(opened)]
