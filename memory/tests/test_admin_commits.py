"""The ledger on the desk: what each commit did in words, its place in the chain, undo, and doing it again."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from forgesite.models import Account
from memory import move
from memory.commit_counts import counts
from memory.forget import forget
from memory.ledger import head
from memory.models import Commit, Entry
from memory.relate import relate
from memory.remember import Draft, remember_many
from memory.revise import Changes, revise
from memory.tests.entries import saved
from memory.tests.test_admin import allow

COMMITS = "/admin/memory/commit/"
WHO: dict[str, Any] = {"actor": "person", "cause": "admin"}
PORT, OTHER = "The test server runs on port 8080", "The test server runs on port 9090"

pytestmark = pytest.mark.usefixtures("words_only")


def last(owner: Account) -> Commit:
    commit = head(owner)
    assert commit is not None
    return commit


def listed(desk: Client) -> str:
    return desk.get(COMMITS).content.decode()


def page_of(desk: Client, ref: object) -> str:
    return desk.get(f"{COMMITS}{ref}/change/").content.decode()


def undo(desk: Client, commit: Commit, **more: str) -> str:
    return desk.post(f"{COMMITS}{commit.address}/undo/", more, follow=True).content.decode()


def test_the_list_tells_what_each_commit_did(desk: Client, ana: Account) -> None:
    drafts = [Draft(text) for text in (PORT, OTHER, "The choir meets on Tuesdays")]
    first, second, _third = remember_many(ana, drafts, actor="person", cause="chat 7f3a").entries
    relate(ana, second.pk, "supersedes", first.pk, **WHO)

    page = listed(desk)

    assert "3 created" in page
    assert "1 linked" in page
    assert ">you<" in page
    assert '<a href="/admin/traces/run/?run_id=7f3a">in a conversation</a>' in page


def test_what_many_changes_did_is_counted_in_their_order(ana: Account) -> None:
    remember_many(ana, [Draft(f"Server {n} is on shelf {n}") for n in range(20)], **WHO)
    entry, other = Entry.objects.order_by("id")[:2]
    relate(ana, entry.pk, "supersedes", other.pk, **WHO)
    first, second = Commit.objects.order_by("tick")

    assert counts([first.pk, second.pk]) == {first.pk: {"create": 20}, second.pk: {"follow": 1, "relate": 1}}
    assert counts([]) == {}


def test_one_sees_ones_own_commits_and_filters_them_by_who(desk: Client, ana: Account, ben: Account) -> None:
    saved(ana, PORT)
    theirs = saved(ben, "Ben's canary sings")
    commit = Commit.objects.of(ben).get()

    assert commit.address not in listed(desk)
    for ref in (commit.pk, commit.address, commit.address[:12]):
        assert desk.get(f"{COMMITS}{ref}/change/").status_code == 404
    undo(desk, commit)
    assert Entry.objects.get(pk=theirs.pk).status == "active"
    assert '?actor=person">you</a>' in listed(desk)
    assert "1 created" in desk.get(COMMITS, {"actor": "person"}).content.decode()
    assert "1 created" not in desk.get(COMMITS, {"actor": "model"}).content.decode()


def test_a_commit_is_undone_from_the_list_and_done_again(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    move.archive(ana, entry.pk, **WHO)
    archived = last(ana)
    assert f'formaction="{COMMITS}{archived.address}/undo/"' in listed(desk)

    page = undo(desk, archived)

    assert Entry.objects.get().status == "active"
    assert "Undone." in page
    assert ">undone</a>" in page
    [again] = re.findall(r"commit/([0-9a-f]{64})/undo/.>(?:(?!</form>).)*name=.again", page)
    assert again == last(ana).address
    assert "Done again." in undo(desk, last(ana), again="1")
    assert Entry.objects.get().status == "archived"


def test_what_cannot_be_undone_says_why(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    created = last(ana)
    revise(ana, entry.pk, Changes(text=OTHER), version=None, **WHO)

    assert "changed again since" in undo(desk, created)
    assert "Cannot be undone:" in page_of(desk, created.pk)
    forget(ana, [entry.pk], **WHO)
    assert f"{COMMITS}{last(ana).address}/undo/" not in page_of(desk, last(ana).pk)


def test_a_page_tells_the_changes_and_the_place_in_the_chain(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    revise(ana, entry.pk, Changes(text=OTHER), version=None, **WHO)
    move.archive(ana, entry.pk, **WHO)
    first, middle, end = Commit.objects.order_by("tick")

    page = page_of(desk, middle.address[:12])

    assert all(commit.address in page for commit in (first, middle, end))
    assert "matches its content" in page
    assert f'<a href="/admin/memory/entry/{entry.pk}/change/">#{entry.pk}</a>' in page
    assert OTHER in page
    assert "the chain begins here" in page_of(desk, first.pk)


def test_a_commit_that_was_tampered_with_says_so(desk: Client, ana: Account) -> None:
    saved(ana, PORT)
    Commit.objects.update(cause="somebody else")

    assert "does not match its content" in page_of(desk, Commit.objects.get().pk)


def test_the_words_of_what_was_forgotten_are_on_no_page(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    created = last(ana)
    forget(ana, [entry.pk], **WHO)

    page = page_of(desk, created.pk)

    assert "8080" not in page
    assert "Its words are erased." in page
    assert f"/admin/memory/entry/{entry.pk}/history/" in page


def test_the_changes_of_a_large_commit_are_cut_and_counted(desk: Client, ana: Account) -> None:
    remember_many(ana, [Draft(f"Server {n} is on shelf {n}") for n in range(130)], **WHO)

    assert "and 30 more" in page_of(desk, last(ana).pk)


def test_undo_goes_back_to_where_its_button_was_and_nowhere_else(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    place = f"/admin/memory/entry/{entry.pk}/change/"
    for asked, expected in ((place, place), ("https://evil.example/", COMMITS), ("//evil.example/", COMMITS)):
        move.archive(ana, entry.pk, **WHO)
        answer = desk.post(f"{COMMITS}{last(ana).address}/undo/", {"next": asked})
        assert answer["Location"] == expected


def test_whoever_may_only_look_takes_nothing_back_and_verifies_nothing(client: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    move.archive(ana, entry.pk, **WHO)
    allow(ana, "view_entry", "view_commit")
    client.force_login(ana)

    refused = [client.post(f"{COMMITS}{name}/").status_code for name in ("verify", "adopt", "rebuild", "add")]
    refused.append(client.post(f"{COMMITS}{last(ana).address}/undo/").status_code)

    assert refused == [403] * 5
    assert Entry.objects.get().status == "archived"
    assert "/undo/" not in client.get(COMMITS).content.decode()
