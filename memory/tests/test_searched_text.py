"""What of an exchange is searched: the person's words in full, the rest of a long answer by its words, and for less."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from forgesite.models import Account
from memory import embedding, vector_channel, word_channel
from memory.domain.searched_text import LONG, searched_text, sides
from memory.domain.standing_rules import states_a_rule
from memory.domain.words import REST, RULE, indexed, of_sides
from memory.models import Entry
from memory.recall import Query, recall
from memory.remember import Draft, remember_many
from memory.verify import verify

RECIPE = "Of course. " + "Knead the dough, and let it rest. " * 30 + "Then add the saffron."
ASKED = f"user: How do I bake bread?\nassistant: {RECIPE}"


def exchanges(owner: Account, *texts: str) -> tuple[Entry, ...]:
    drafts = [Draft(text, kind="exchange", origin="import") for text in texts]
    return remember_many(owner, drafts, actor="import", cause="test").entries


def test_a_long_answer_is_searched_in_full_up_to_its_first_sentence() -> None:
    assert searched_text("exchange", ASKED) == "user: How do I bake bread?\nassistant: Of course."
    assert "".join(sides(ASKED)) == ASKED


@pytest.mark.parametrize(
    "text",
    [
        "user: How do I bake bread?\nassistant: Knead it.",
        "a fact " * LONG,
        f"assistant: {RECIPE}",
        f"user: I wrote assistant: here {RECIPE}",
    ],
)
def test_any_other_text_is_searched_whole(text: str) -> None:
    assert sides(text) == (text, "")


def test_a_sentence_without_an_end_is_cut() -> None:
    own, rest = sides(f"user: Say a\nassistant: {'a' * 2 * LONG}")
    assert len(own) < LONG < len(rest)


def test_of_another_kind_the_whole_text_is_searched() -> None:
    assert searched_text("fact", ASKED) == ASKED


def test_the_index_keeps_the_words_of_both_sides_apart() -> None:
    own, rest = of_sides(indexed(ASKED))
    assert own == indexed("user: How do I bake bread?\nassistant: Of course.")
    assert rest.endswith(indexed("saffron"))
    assert of_sides(indexed("bread")) == (indexed("bread"), "")


def test_what_only_the_answer_says_is_found_by_its_words(ana: Account) -> None:
    [bread, *_] = exchanges(ana, ASKED, *(f"user: other talk number {number}" for number in range(30)))
    rows = recall(ana, Query("which recipe had saffron in it", policy="lexical")).rows
    assert rows[0].entry.pk == bread.pk
    assert rows[0].matched_terms == ("saffron",)


def test_who_asked_for_it_comes_before_whoever_was_told_of_it(ana: Account) -> None:
    told = f"user: What is for lunch?\nassistant: Soup. Bread is good, and bread is cheap. {'It is for you. ' * 50}"
    asked, _told, *_ = exchanges(ana, ASKED, told, *(f"user: other talk number {number}" for number in range(30)))
    assert recall(ana, Query("bread", policy="lexical")).rows[0].entry.pk == asked.pk


def test_the_rest_of_a_long_answer_has_no_vectors(ana: Account) -> None:
    [whole] = embedding.embedded(embedding.served(), [ASKED])
    [own] = embedding.embedded(embedding.served(), [searched_text("exchange", ASKED)])
    assert [vector.tobytes() for vector in whole.vectors] == [vector.tobytes() for vector in own.vectors]
    assert (len(whole.vectors), whole.dropped) == (1, 0)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("user: Always answer in French.", True),
        ("user: please never use emojis", True),
        ("From now on, call me Ana", True),
        ("I'd prefer it short", True),
        ("Désormais, tutoie-moi.", True),
        ("Réponds toujours en français", True),
        ("Ne me parle plus jamais de foot", True),
        ("À partir de maintenant, des listes", True),
        ("I always feel cold", False),
        ("I have never been there", False),
        ("Always happy to help!", False),
        ("Never saw it", False),
        ("Je pense toujours à toi", False),
        ("Vous devez désormais payer", False),
        ("user: hello\nassistant: Always wash it first", False),
        ("", False),
    ],
)
def test_a_standing_rule_is_told_from_a_habit(text: str, rule: bool) -> None:
    assert states_a_rule(text) is rule
    assert (RULE in indexed(text).split()) is rule


def test_a_standing_rule_comes_before_what_shares_as_much_with_a_question(ana: Account) -> None:
    rule, _other, *_ = exchanges(
        ana,
        "user: Always give version numbers for software",
        "user: They give version numbers for software",
        *(f"user: talk of boat number {number}" for number in range(30)),
    )
    rows = recall(ana, Query("Which software is there?", policy="lexical")).rows
    assert rows[0].entry.pk == rule.pk
    assert rows[0].matched_terms == ("software",)


def test_a_standing_rule_is_not_found_by_a_question_of_something_else(ana: Account) -> None:
    rule, *_ = exchanges(
        ana, "user: Always give version numbers for software", "user: Good night", "user: The boat is white"
    )
    assert rule.pk not in [row.entry.pk for row in recall(ana, Query("boat", policy="lexical")).rows]


def test_an_older_index_is_brought_over(ana: Account) -> None:
    """As it was before answers were told apart: folded as a whole, and with vectors of all parts."""
    [entry, short] = exchanges(ana, ASKED, "user: The boat is white")
    now = word_channel.words_of([entry.pk])[entry.pk].words
    with connection.cursor() as cursor:
        old = now.replace(f" {REST} ", " ")
        cursor.execute("UPDATE memory_words SET words = %s WHERE entry_id = %s", [old, entry.pk])

    module = importlib.import_module("memory.migrations.0011_long_answers")
    module.fold(apps, SimpleNamespace(connection=connection))

    assert word_channel.words_of([entry.pk])[entry.pk].words == now
    assert vector_channel.is_pending(entry.pk)
    assert not vector_channel.is_pending(short.pk)
    assert verify(ana).ok
