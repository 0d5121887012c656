"""Verify on the desk: what differs is named, and what was edited outside is adopted or put back."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from forgesite.models import Account
from memory.ledger import head
from memory.models import Commit, Entry
from memory.relate import relate
from memory.tests.entries import by_sql, saved
from memory.verify import verify

COMMITS = "/admin/memory/commit/"
WHO: dict[str, Any] = {"actor": "person", "cause": "admin"}
PORT, OTHER = "The test server runs on port 8080", "The test server runs on port 9090"

pytestmark = pytest.mark.usefixtures("words_only")


def verified(desk: Client) -> str:
    return desk.post(f"{COMMITS}verify/").content.decode()


def test_a_memory_that_is_what_the_chain_says_is_told_so(desk: Client, ana: Account) -> None:
    relate(ana, saved(ana, PORT).pk, "conflicts", saved(ana, OTHER).pk, **WHO)

    page = verified(desk)

    assert "Memory is what the chain says." in page
    assert "3 commits replayed" in page
    assert "2 entries compared" in page
    assert f"{COMMITS}adopt/" not in page


def test_what_was_edited_outside_is_named_with_its_entry(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    by_sql("UPDATE memory_entry SET text = %s WHERE id = %s", OTHER, entry.pk)

    page = verified(desk)

    assert "Memory is not what the chain says." in page
    assert "outside edit" in page
    assert f'<a href="/admin/memory/entry/{entry.pk}/change/">#{entry.pk}</a>' in page
    assert f"{COMMITS}adopt/" in page
    assert f"{COMMITS}rebuild/" in page


def test_nobody_is_shown_what_differs_in_anothers_memory(desk: Client, ana: Account, ben: Account) -> None:
    theirs = saved(ben, "Ben's canary sings at dawn")
    by_sql("UPDATE memory_entry SET kind = 'note' WHERE id = %s", theirs.pk)

    assert "Memory is what the chain says." in verified(desk)


def test_a_broken_chain_is_left_alone(desk: Client, ana: Account) -> None:
    saved(ana, PORT)
    by_sql("UPDATE memory_commit SET cause = 'another'")

    page = verified(desk)

    assert "A broken chain is left as it is" in page
    assert (f"{COMMITS}adopt/" in page, f"{COMMITS}rebuild/" in page) == (False, False)
    for way in ("adopt", "rebuild"):
        told = desk.post(f"{COMMITS}{way}/", follow=True).content.decode()
        assert 'class="error"' in told


def test_an_edit_from_outside_is_adopted_after_a_question(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    by_sql("UPDATE memory_entry SET text = %s WHERE id = %s", OTHER, entry.pk)
    before = head(ana)
    assert "Adopt outside edits" in desk.get(f"{COMMITS}adopt/").content.decode()
    assert head(ana) == before

    told = desk.post(f"{COMMITS}adopt/", follow=True).content.decode()

    assert "1 entry adopted." in told
    assert verify(ana).ok
    assert Entry.objects.get().text == OTHER
    assert Commit.objects.latest("tick").changes[0]["do"] == "adopt"


def test_an_edit_from_outside_is_put_back_after_a_question(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    by_sql("UPDATE memory_entry SET text = %s WHERE id = %s", OTHER, entry.pk)
    before = head(ana)
    assert "To be restored" in desk.get(f"{COMMITS}rebuild/").content.decode()
    assert Entry.objects.get().text == OTHER

    told = desk.post(f"{COMMITS}rebuild/", follow=True).content.decode()

    assert "Memory is again what the chain says." in told
    assert (Entry.objects.get().text, head(ana)) == (PORT, before)
    assert verify(ana).ok
