"""Receipts at the desk: a list to search, a page with what was given and left out, and an entry's answers."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from forgesite.models import Account
from memory import receipts
from memory.forget import forget
from memory.given.gathered import Found, Gathered
from memory.hot_block import hot_block
from memory.models import Entry, Receipt
from memory.recall import Query, recall
from memory.remember import Draft, remember_many
from memory.tests.entries import by_sql

QUESTION = "Which port does the test server use?"
TEXTS = ("the test server runs on port 8080", "the printer needs black ink", "we deploy on Tuesdays after lunch")
pytestmark = pytest.mark.usefixtures("words_only")


@pytest.fixture
def receipt(ana: Account) -> Receipt:
    remember_many(ana, [Draft(text) for text in TEXTS], actor="person", cause="test")
    found = recall(ana, Query(QUESTION, for_prompt=True, top_k=1))
    gathered = Gathered([Found("recall", found)], hot=hot_block(ana, upto=None, most_tokens=500))
    return receipts.receipt_of(ana, receipts.seal(ana, gathered, run_id="7f3a"))


def test_the_list_is_searched_by_words_run_and_hash(desk: Client, receipt: Receipt) -> None:
    for query in ("", "test server", "7f3a", receipt.address):
        page = desk.get("/admin/memory/receipt/", {"q": query}).content.decode()
        assert QUESTION in page, query
    assert QUESTION not in desk.get("/admin/memory/receipt/", {"q": "dentist"}).content.decode()


def test_a_page_shows_what_was_given_with_links_and_few_queries(
    desk: Client, receipt: Receipt, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(15):
        page = desk.get(f"/admin/memory/receipt/{receipt.address}/change/").content.decode()
    entry = Entry.objects.get(text=TEXTS[0])
    assert f'1. <a href="/admin/memory/entry/{entry.pk}/change/">#{entry.pk}</a> {TEXTS[0]}' in page
    assert "matches its content" in page
    by_sql("UPDATE memory_receipt SET body = replace(body, 'hybrid', 'hybird')")
    assert "does not match its content" in desk.get(f"/admin/memory/receipt/{receipt.pk}/change/").content.decode()


def test_what_was_forgotten_since_is_named_by_its_number_alone(desk: Client, ana: Account, receipt: Receipt) -> None:
    entry = Entry.objects.get(text=TEXTS[0])
    forget(ana, [entry.pk], actor="person", cause="test")
    page = desk.get(f"/admin/memory/receipt/{receipt.pk}/change/").content.decode()
    assert f"/admin/memory/entry/{entry.pk}/history/" in page
    assert TEXTS[0] not in page


def test_an_entry_says_in_how_many_answers_it_was_given(desk: Client, receipt: Receipt) -> None:
    entry = Entry.objects.get(text=TEXTS[0])
    page = desk.get(f"/admin/memory/entry/{entry.pk}/change/").content.decode()
    assert "Used in 1 answer<" in page
    assert QUESTION in desk.get(f"/admin/memory/receipt/?entries__entry={entry.pk}").content.decode()
    other = Entry.objects.get(text=TEXTS[1])
    assert "Used in no answer" in desk.get(f"/admin/memory/entry/{other.pk}/change/").content.decode()


def test_nobody_sees_anothers(client: Client, ben: Account, receipt: Receipt) -> None:
    ben.is_staff = ben.is_superuser = True
    ben.save()
    client.force_login(ben)
    assert QUESTION not in client.get("/admin/memory/receipt/").content.decode()
    assert client.get(f"/admin/memory/receipt/{receipt.address}/change/").status_code == 404
