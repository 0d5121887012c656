"""A question that finds nothing is asked in other words, where that is set and a cutoff is in force."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from forgesite.models import Account
from forgesite.tests.web import by_token
from memory.finding import rescue
from memory.recall import Query, Recalled, recall
from memory.tests.entries import saved

FACT = "The boiler was serviced in October"
QUESTION = "Do you remember anything at all that has to do with who looked after our heating?"


@pytest.fixture(autouse=True)
def cutoff(settings: Settings) -> None:
    change(settings, RECALL_MAX_DISTANCE="1.2", RECALL_POLICY="vector", RECALL_EXPANSION="llm")


def change(settings: Settings, **values: str) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "bundled"} | values)


def asked(owner: Account, text: str = QUESTION, *rewrites: str, **query: object) -> Recalled:
    return recall(owner, Query(text, **query), rewrite=lambda _text: rewrites)  # type: ignore[arg-type]


def test_a_rewrite_finds_what_the_question_did_not_and_the_row_says_which(ana: Account) -> None:
    entry = saved(ana, FACT)
    assert asked(ana).rows == ()

    found = asked(ana, QUESTION, "Which piano is tuned?", "When was the boiler serviced?", "Who saw the boiler?")

    assert [(row.entry.pk, row.variant, row.rank) for row in found.rows] == [
        (entry.pk, "When was the boiler serviced?", 1)
    ]
    assert found.expanded == ("Which piano is tuned?", "When was the boiler serviced?", "Who saw the boiler?")
    assert (found.nothing, found.left_out, found.nearest) == (False, (), None)
    assert found.notices[-1] == "Found in other words: “When was the boiler serviced?”."


def test_the_rule_of_the_channel_holds_for_a_rewrite_too(ana: Account) -> None:
    saved(ana, FACT)

    found = asked(ana, QUESTION, "Which piano is tuned?", "Is it raining in Porto?")

    assert (found.rows, found.nothing) == ((), True)
    assert found.expanded == ("Which piano is tuned?", "Is it raining in Porto?")
    assert found.nearest is not None


def test_no_exchange_comes_in_by_another_word(ana: Account) -> None:
    saved(ana, f"user: {FACT}", kind="exchange")

    assert asked(ana, QUESTION, "When was the boiler serviced?").rows == ()
    assert asked(ana, QUESTION, "When was the boiler serviced?", kind="exchange").rows == ()


def test_nothing_is_asked_where_a_row_answers_or_no_cutoff_is_in_force(ana: Account, settings: Settings) -> None:
    saved(ana, FACT)
    assert asked(ana, "When was the boiler serviced?", "Who saw the boiler?").expanded == ()

    change(settings, RECALL_MAX_DISTANCE="off")
    assert asked(ana, QUESTION, "When was the boiler serviced?").expanded == ()


def test_a_row_that_the_word_channel_keeps_leaves_nothing_to_rescue(ana: Account, settings: Settings) -> None:
    change(settings, RECALL_POLICY="union", RECALL_MAX_DISTANCE="0.1")
    saved(ana, FACT)

    found = asked(ana, "Any October heating?", "When was the boiler serviced?")

    assert (found.rows[0].channel, found.expanded) == ("lexical", ())


@pytest.mark.parametrize("mode", ["off", "terms", "llm"])
def test_each_mode_asks_in_its_own_way(ana: Account, settings: Settings, mode: str) -> None:
    change(settings, RECALL_EXPANSION=mode)
    saved(ana, FACT)
    ways = {"off": (), "terms": ("who looked after our heating?", "looked heating"), "llm": ("Who did it then?",)}

    found = asked(ana, "Do you remember who looked after our heating?", "Who did it then?")

    assert found.expanded == ways[mode]


def test_without_a_model_llm_does_nothing_and_says_so(ana: Account) -> None:
    saved(ana, FACT)

    found = recall(ana, Query(QUESTION))

    assert (found.rows, found.expanded) == ((), ())
    assert "no model is asked here" in found.notices[-1]


@pytest.mark.django_db(transaction=True)
def test_a_search_asks_by_rule_and_never_a_model_and_says_so(ana: Account, settings: Settings) -> None:
    saved(ana, FACT)
    far = "/search?q=Tell me, if you remember, whether the boiler was serviced"
    change(settings, RECALL_MAX_DISTANCE="0.8")
    assert "no model is asked here" in by_token(ana).ask("GET", far).headers["Forge-Notice"]

    change(settings, RECALL_MAX_DISTANCE="0.8", RECALL_EXPANSION="terms")
    answer = by_token(ana).ask("GET", far)

    assert [row["content"] for row in answer.json()] == [FACT]
    assert "Found in other words" in answer.headers["Forge-Notice"]


def test_a_model_that_gives_none_is_no_help_and_no_error(ana: Account) -> None:
    saved(ana, FACT)

    assert (asked(ana).rows, asked(ana).notices) == ((), ())


def test_each_entry_comes_once_by_its_nearest_variant_nearest_first(ana: Account) -> None:
    boiler, piano = saved(ana, FACT), saved(ana, "The piano is tuned twice a year", kind="note")
    variants = ("Who saw the boiler in October?", "Is the piano tuned?", "The boiler was serviced in October?")

    found = asked(ana, QUESTION, *variants)

    assert [row.entry.pk for row in found.rows] == [boiler.pk, piano.pk]
    assert [row.variant for row in found.rows] == [variants[2], variants[1]]
    distances = [row.distance for row in found.rows]
    assert distances == sorted(distances, key=float)  # type: ignore[arg-type]
    assert [row.entry.pk for row in asked(ana, QUESTION, *variants, top_k=1).rows] == [boiler.pk]
    assert [row.entry.pk for row in asked(ana, QUESTION, *variants, most_bytes=110).rows] == [boiler.pk]


def test_nothing_of_another_owner_is_found(ana: Account, ben: Account) -> None:
    saved(ben, FACT)
    saved(ana, "The piano is tuned twice a year")

    assert asked(ana, QUESTION, "When was the boiler serviced?").rows == ()


def test_modes_are_what_the_setting_allows() -> None:
    assert rescue.ways_to_ask("Who looked after it?", "off", lambda _text: ["Who saw it then?"]).variants == ()
