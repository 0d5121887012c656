"""What counts as a word, in many scripts, and what finds it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgesite.models import Account
from memory import word_channel
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.scope import Scope
from memory.domain.words import MAX_TERMS, indexed, terms
from memory.finding.by_words import search as by_words_of
from memory.models import Entry
from memory.remember import Draft, remember
from memory.tests.entries import by_words, found, saved

NOTES = {
    "c++": "The parser is written in C++ and compiles in a minute",
    "node": "The dashboard runs on node.js behind the proxy",
    "hyphen": "Install the pre-edit hook on both laptops",
    "apostrophe": "The backups don't run on Sundays",
    "version": "We pinned the client at v0.8.1 after the outage",
    "unit": "The new disk reads 3 GB/s in the bench",
    "ram": "Le NiPoGi AM06PRO a 32Go de RAM",
    "tokyo": "来週東京に行きます",
    "kyoto": "京都の寺が好きです",
    "server": "サーバーを再起動した",
    "quote": "論文の引用を確認する",
    "coffee": "아침에 커피를 마신다",
    "rice": "ฉันชอบข้าวผัดมาก",
    "glued": "重跑gen-itgc后结果正常",
}


@pytest.fixture
def notes(ana: Account, words_only: None) -> Account:
    for text in NOTES.values():
        saved(ana, text)
    return ana


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("C++", "c++"),
        ("node.js", "node"),
        ("node", "node"),
        ("pre-edit", "hyphen"),
        ("don't", "apostrophe"),
        ("don’t", "apostrophe"),
        ("v0.8.1", "version"),
        ("GB/s", "unit"),
        ("am06pro", "ram"),
        ("AM06", "ram"),
        ("32 Go", "ram"),
        ("東京", "tokyo"),
        ("サーバー", "server"),
        ("引用", "quote"),
        ("커피", "coffee"),
        ("ข้าวผัด", "rice"),
        ("itgc", "glued"),
        ("寺", "kyoto"),
    ],
)
def test_a_word_finds_its_note_and_no_other(notes: Account, query: str, note: str) -> None:
    assert by_words(notes, query) == [NOTES[note]]


def test_case_accents_and_inflection_are_folded(notes: Account) -> None:
    saved(notes, "L'école de Zoé ferme à midi le mercredi")
    saved(notes, "Les chevaux sont à l'écurie")
    assert by_words(notes, "ECOLE") == ["L'école de Zoé ferme à midi le mercredi"]
    assert by_words(notes, "cheval") == ["Les chevaux sont à l'écurie"]
    assert by_words(notes, "compiling parsers") == [NOTES["c++"]]


def test_several_words_find_notes_that_have_some_of_them_best_first(notes: Account) -> None:
    assert by_words(notes, "the laptops and the dashboard behind the proxy") == [NOTES["node"], NOTES["hyphen"]]


class Overtaken:
    """The index of words, and somebody who writes a new version of a key between two looks at it."""

    def __init__(self, owner: Account) -> None:
        self.owner = owner
        self.sync, self.count, self.holders = word_channel.sync, word_channel.count, word_channel.holders
        self.beside, self.years, self.dated = word_channel.beside, word_channel.years, word_channel.dated

    def words_of(self, ids: Sequence[int]) -> dict[int, word_channel.Words]:
        draft = Draft("the dashboard listens on another port", key="port")
        remember(self.owner, draft, actor="person", cause="test")
        return word_channel.words_of(ids)


def test_a_row_that_is_replaced_while_it_is_searched_is_left_out(ana: Account) -> None:
    saved(ana, "the dashboard of the boat is old")
    remember(ana, Draft("the dashboard listens on port 8080", key="port"), actor="person", cause="test")

    rows = by_words_of("boat 8080", Scope(ana.pk), Overtaken(ana)).rows

    assert [Entry.objects.get(pk=row.id).text for row in rows] == ["the dashboard of the boat is old"]


def test_a_query_of_function_words_alone_still_searches(ana: Account) -> None:
    assert [term.shown for term in terms("to be or not to be", FUNCTION_WORDS).content] == ["to", "be", "or", "not"]


def test_function_words_with_a_hyphen_are_none_to_search_for() -> None:
    assert [term.shown for term in terms("Peut-on, doit-on ou a-t-il un pre-edit ?", FUNCTION_WORDS).content] == [
        *("doit-on", "doit", "on"),
        *("pre-edit", "pre", "edit"),
    ]


def test_function_words_stay_in_the_index() -> None:
    assert indexed("not to be").split() == ["not", "to", "be"]


def test_a_query_asks_for_no_more_than_its_first_words(notes: Account) -> None:
    asked = terms(" ".join(f"word{number}" for number in range(200)))
    assert len(asked.content) == MAX_TERMS
    assert asked.more


@given(st.text(max_size=300))
def test_what_is_indexed_is_found_by_its_own_words(text: str) -> None:
    tokens = f" {indexed(text)} "
    for term in terms(text).content:
        assert f" {' '.join(term.tokens)} " in tokens


def test_a_long_query_says_what_was_not_searched(notes: Account) -> None:
    from memory.recall import Query, recall

    answer = recall(notes, Query("dashboard " + " ".join(f"word{number}" for number in range(40_000))))
    assert [row.entry.text for row in answer.rows] == [NOTES["node"]]
    assert any("32" in notice for notice in answer.notices)


def test_search_goes_on_by_words_and_says_so_without_an_embedder(notes: Account) -> None:
    from memory.recall import Query, recall

    answer = recall(notes, Query("Which laptops have the hook?"))
    assert (answer.degraded, [row.channel for row in answer.rows]) == ("no_embedder", ["lexical"])
    assert answer.notices


def test_a_common_word_admits_no_fact(ana: Account) -> None:
    for city in ("Lyon", "Nantes", "Brest", "Lille", "Metz", "Nancy", "Tours", "Dijon", "Nice", "Pau"):
        saved(ana, f"The meeting in {city} was moved")
    assert by_words(ana, "meeting") == []
    assert found(ana, "meeting Nantes", policy="lexical", top_k=1) == ["The meeting in Nantes was moved"]
