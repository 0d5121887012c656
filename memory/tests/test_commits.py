"""The ledger by REST and by command: commits newest first, what each did, and their undo."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import DjangoAssertNumQueries

from forgesite.models import Account
from forgesite.tests.web import Web, by_token
from memory import move
from memory.commit_lines import line
from memory.commits import commits, undone
from memory.forget import forget
from memory.listing import history
from memory.models import Commit, Entry
from memory.relate import relate
from memory.remember import Draft, remember_many
from memory.tests.entries import saved
from memory.undo import hindrances, undo

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
PORT = "The test server runs on port 8080"


def listed(web: Web, query: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = web.ask("GET", f"/commits{query}").json()["commits"]
    return found


def said(*arguments: str) -> list[str]:
    out = io.StringIO()
    call_command(*arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue().splitlines()


@pytest.fixture
def web(ana: Account, words_only: None) -> Web:
    saved(ana, PORT)
    saved(ana, "The shed is green and dry")
    return by_token(ana)


pytestmark = pytest.mark.django_db(transaction=True)


def test_commits_come_newest_first_page_by_page(web: Web) -> None:
    both = listed(web)
    assert [commit["tick"] for commit in both] == [2, 1]
    assert set(both[0]) >= {"address", "tick", "at", "actor", "cause", "changes"}
    assert listed(web, "?limit=1") == both[:1]
    assert listed(web, "?before=2") == both[1:]
    assert listed(web, "?before=1") == []


def test_commits_of_one_entry_also_of_a_forgotten_one(ana: Account, web: Web) -> None:
    entry = Entry.objects.get(text=PORT)
    forget(ana, [entry.pk], **WHO)
    assert [commit["tick"] for commit in listed(web, f"?entry={entry.pk}")] == [3, 1]


def test_what_is_out_of_range_is_refused(web: Web) -> None:
    for query in ("?limit=0", "?limit=501", "?before=0", "?before=x", "?entry=-1", "?since=1"):
        assert web.ask("GET", f"/commits{query}").status_code == 422, query


def test_an_undo_answers_the_new_commit_and_is_told_in_the_list(web: Web) -> None:
    address = listed(web)[0]["address"]
    answer = web.ask("POST", f"/commits/{address[:8]}/undo")
    assert (answer.status_code, answer.json()["tick"]) == (200, 3)

    newest, undone_, first = listed(web)
    assert (undone_["undone_by"], undone_["undoable"], undone_["why_not"]) == (newest["address"], False, "moved")
    assert (newest["undone_by"], newest["undoable"], first["undoable"]) == (None, True, True)

    again = web.ask("POST", f"/commits/{address}/undo")
    assert (again.status_code, again.json()["error"]["code"]) == (409, "moved")
    assert again.json()["error"]["detail"]["commit"] == newest["address"]


def test_what_was_done_again_is_undone_no_longer(ana: Account, web: Web) -> None:
    first = Commit.objects.get(tick=2)
    redone = undo(ana, undo(ana, first.address, **WHO).address, **WHO)
    assert undone(ana, 1) == {Commit.objects.get(tick=3).address[:12]: redone.address}
    assert hindrances(ana, commits(ana))[2] == ""


def test_a_page_of_commits_takes_as_many_queries_as_one(
    ana: Account, web: Web, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        saved(ana, f"Note number {number} of the trip", project="trip")
    with django_assert_num_queries(5):
        hindrances(ana, commits(ana, limit=1))
    with django_assert_num_queries(5):
        hindrances(ana, commits(ana, limit=20))


def test_a_line_says_what_a_commit_did(ana: Account, web: Web) -> None:
    one, two = Entry.objects.order_by("id")
    relate(ana, two.pk, "supersedes", one.pk, **WHO)
    move.archive(ana, two.pk, **WHO)
    remember_many(ana, [Draft(f"Note number {number} of the trip") for number in range(9)], **WHO)
    forget(ana, [one.pk], **WHO)

    assert [line(commit) for commit in commits(ana)] == [
        f"forgot #{one.pk}, no longer: #{two.pk} supersedes #{one.pk}",
        f"created 9 entries (#{two.pk + 1}–#{two.pk + 9})",
        f"archived #{two.pk}",
        f"now: #{two.pk} supersedes #{one.pk}",
        f"created #{two.pk}",
        f"created #{one.pk}",
    ]


def test_the_command_lists_ten_and_undoes_one(ana: Account, web: Web) -> None:
    for number in range(12):
        saved(ana, f"Note number {number} of the trip")
    lines = said("undo")
    assert len(lines) == 10

    newest = lines[0].split()[0]
    assert f"put back #{Entry.objects.latest('id').pk}" in said("undo", newest)[0]
    assert Entry.objects.latest("id").status == "retracted"
    assert f"[undone by {Commit.objects.latest('tick').address[:12]}]" in said("undo")[1]


def test_the_command_says_why_not(ana: Account, web: Web) -> None:
    forget(ana, [Entry.objects.latest("id").pk], **WHO)
    assert "[cannot be undone: erased]" in said("undo")[0]
    with pytest.raises(CommandError, match="nothing brings it back"):
        said("undo", Commit.objects.latest("tick").address)
    with pytest.raises(CommandError, match="No commit"):
        said("undo", "deadbeef")


def test_changes_in_the_list_are_those_of_the_chain(web: Web) -> None:
    first = Commit.objects.get(tick=1)
    assert listed(web)[1]["changes"] == json.loads(json.dumps(first.changes))


def test_the_history_of_an_entry_holds_its_own_changes_alone(ana: Account) -> None:
    drafts = [Draft(f"user: note {number} of the day", kind="exchange") for number in range(3)]
    entries = remember_many(ana, drafts, actor="import", cause="test").entries
    relate(ana, entries[0].pk, "conflicts", entries[1].pk, actor="person", cause="test")

    for entry, acts in zip(entries, (["create", "relate"], ["create", "relate"], ["create"]), strict=True):
        changes = [change for commit in history(entry) for change in commit.changes]
        assert [change["do"] for change in changes] == acts
        assert all(entry.pk in (change["id"], change.get("other")) for change in changes)
