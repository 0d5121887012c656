"""What was replaced is shown only beside what replaced it: labelled, where there is room, and in no prompt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from forgesite.models import Account
from forgesite.tests.web import by_token
from memory.models import Entry
from memory.recall import Query, recall
from memory.relate import relate
from memory.tests.entries import found, saved

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
OLD, MIDDLE, NEW = ("The zanzibar server runs on port 8080", "The zanzibar server moved", "The zanzibar server is off")


@pytest.fixture
def any_word() -> Iterator[None]:
    """By words alone, and however common they are: a small store has no rare ones."""
    update = {"EMBEDDING_PROVIDER": "none", "RECALL_LEXICAL_MAX_DF": 1.0}
    with override_settings(FORGE=settings.FORGE.model_copy(update=update)):
        yield


@pytest.fixture
def line(ana: Account, any_word: None) -> list[Entry]:
    """Three versions of one thing, among other things, of which the last shares words with the first."""
    for text in ("The shed is green", "The boat is white", "The cat is called Mia"):
        saved(ana, text)
    versions = [saved(ana, text, key="server") for text in (OLD, MIDDLE, NEW)]
    saved(ana, "A zanzibar is an island")
    return versions


def test_it_follows_what_replaced_it_also_in_several_steps(ana: Account, line: list[Entry]) -> None:
    saved(ana, "Zanzibar and its server, port and all, are a topic of its own")
    rows = found(ana, "zanzibar server", top_k=10)
    assert sorted(rows[rows.index(NEW) + 1 : rows.index(NEW) + 3]) == sorted([OLD, MIDDLE])


def test_one_that_does_not_answer_is_not_shown(ana: Account, line: list[Entry]) -> None:
    assert found(ana, "off") == [NEW]


def test_alone_it_is_not_shown(ana: Account, line: list[Entry]) -> None:
    assert found(ana, "8080") == []


def test_it_is_shown_instead_of_nothing_else(ana: Account, line: list[Entry]) -> None:
    def shown(top_k: int) -> list[str]:
        return found(ana, "zanzibar server", policy="lexical", top_k=top_k)

    without = [text for text in shown(10) if text not in (OLD, MIDDLE)]
    assert [shown(top_k) for top_k in (1, 2)] == [without[:1], without[:2]]
    assert len(shown(3)) == 3


def test_no_prompt_holds_it(ana: Account, line: list[Entry]) -> None:
    assert not {OLD, MIDDLE} & set(found(ana, "zanzibar server", top_k=10, for_prompt=True))


def test_it_tells_nothing_by_itself(ana: Account, line: list[Entry]) -> None:
    rows = recall(ana, Query("zanzibar server", top_k=10)).rows
    assert {row.entry.text: row.tells for row in rows if row.entry.text in (OLD, NEW)} == {OLD: False, NEW: True}
    assert [row.rank for row in rows] == list(range(1, len(rows) + 1))


def test_a_filter_holds_for_it_too(ana: Account, any_word: None) -> None:
    old, new = saved(ana, OLD, project="attic"), saved(ana, NEW)
    relate(ana, new.pk, "supersedes", old.pk, **WHO)
    saved(ana, "The shed is green")
    assert OLD in found(ana, "zanzibar", top_k=10)
    assert OLD not in found(ana, "zanzibar", top_k=10, project="")


def test_by_meaning_the_cutoff_holds_for_it(ana: Account) -> None:
    old, new = saved(ana, "The cat of the neighbour is black"), saved(ana, "My dog is called Rex")
    relate(ana, new.pk, "supersedes", old.pk, **WHO)
    assert found(ana, "What is my dog called?", policy="vector") == ["My dog is called Rex"]
    other = saved(ana, "My dog was called Bello")
    relate(ana, new.pk, "supersedes", other.pk, **WHO)
    rows = recall(ana, Query("What is my dog called?", policy="vector")).rows
    assert [(row.entry.pk, row.tells) for row in rows] == [(new.pk, True), (other.pk, False)]


@pytest.mark.django_db(transaction=True)
def test_it_is_labelled_by_rest(ana: Account, line: list[Entry]) -> None:
    rows = {row["content"]: row for row in by_token(ana).ask("GET", "/search?q=zanzibar+server&top_k=10").json()}
    label = ("current", "superseded_by", "superseded_how")
    assert [rows[OLD][name] for name in label] == [False, line[1].pk, "replaced"]
    assert [rows[NEW][name] for name in label] == [True, None, None]
