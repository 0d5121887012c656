"""The list's actions: in bulk as one by one, in one commit, and taken back by one undo."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from forgesite.models import Account
from memory.desk.forget import LISTED
from memory.golden import star
from memory.ledger import head
from memory.models import Commit, Entry, Erasure, Link, TextVersion, Vector
from memory.remember import Draft, remember_many
from memory.tests.entries import found
from memory.tests.selections import LIST, MANY, WHO, in_bulk, shelf, states

FORM = {"event_at_0": "", "event_at_1": "", "seen": 1}
#: What a commit calls an act that is no verb of its own.
DOES = {"pin": "revise", "unpin": "revise"}

pytestmark = pytest.mark.usefixtures("words_only")


@pytest.mark.parametrize("act", ["archive", "restore", "retract", "reaffirm", "pin", "unpin"])
def test_the_message_says_how_many_and_takes_all_of_them_back(desk: Client, ana: Account, act: str) -> None:
    entries = shelf(ana, mixed=act != "reaffirm")
    before = states(ana)

    page = in_bulk(desk, act, entries)

    moved = sum(change["do"] == DOES.get(act, act) for change in Commit.objects.latest("tick").changes)
    assert re.search(rf'class="success">{moved} entr', page)
    [address] = re.findall(r"/commit/([0-9a-f]{64})/undo/", page.partition('id="changelist"')[0])
    desk.post(f"/admin/memory/commit/{address}/undo/")
    versions = [one["version"] for one in before]
    after = states(ana)
    assert [{**one, "version": version} for one, version in zip(after, versions, strict=True)] == before


def test_the_history_of_one_says_that_its_undo_is_for_all(desk: Client, ana: Account) -> None:
    entries = shelf(ana, mixed=False)
    in_bulk(desk, "archive", entries)

    assert f"Undo for all {MANY}" in desk.get(f"{LIST}{entries[7].pk}/change/").content.decode()


def test_a_selection_that_is_so_already_makes_no_commit(desk: Client, ana: Account) -> None:
    entries = shelf(ana, mixed=False)
    in_bulk(desk, "archive", entries)
    before = head(ana)

    assert "so already" in in_bulk(desk, "archive", entries)
    assert head(ana) == before


def test_one_that_may_not_leaves_all_as_they_were(desk: Client, ana: Account) -> None:
    entries = shelf(ana)
    before = head(ana)

    page = in_bulk(desk, "reaffirm", entries)

    assert "is not live" in page
    assert head(ana) == before


def test_nobody_acts_on_what_is_another_persons(desk: Client, ben: Account) -> None:
    entries = shelf(ben)
    before = states(ben)

    for act in ("archive", "restore", "retract", "reaffirm", "pin", "unpin", "set_project", "forget"):
        in_bulk(desk, act, entries)
    desk.post(f"{LIST}forget/", {"ids": ",".join(str(e.pk) for e in entries), "sure": "on", "number": MANY})
    desk.post(f"{LIST}retract/", {"ids": ",".join(str(e.pk) for e in entries)})
    desk.post(f"{LIST}project/", {"ids": ",".join(str(e.pk) for e in entries), "project": "stolen"})

    assert states(ben) == before


def test_forgetting_many_names_their_number_and_asks_twice(desk: Client, ana: Account) -> None:
    entries = shelf(ana)
    ids = ",".join(str(entry.pk) for entry in entries)

    asked = in_bulk(desk, "forget", entries)
    assert f"Forget {MANY} entries for good" in asked
    assert f'name="ids" value="{ids}"' in asked
    for answer in ({}, {"sure": "on"}, {"sure": "on", "number": MANY - 1}, {"number": MANY}):
        assert 'role="alert"' in desk.post(f"{LIST}forget/", {"ids": ids} | answer).content.decode()
    assert Entry.objects.count() == MANY

    told = desk.post(f"{LIST}forget/", {"ids": ids, "sure": "on", "number": MANY}, follow=True).content.decode()
    assert f"{MANY} entries are forgotten for good." in told
    assert Erasure.objects.count() == 1


def test_forgetting_many_leaves_no_more_than_forgetting_each(desk: Client, ana: Account, ben: Account) -> None:
    few = 20  # each act of forgetting looks through the data folder
    hers, his = shelf(ana, many=few), shelf(ben, many=few)
    desk.post(f"{LIST}forget/", {"ids": ",".join(str(e.pk) for e in hers), "sure": "on", "number": few})
    ben.is_staff = ben.is_superuser = True
    ben.save()
    client = Client()
    client.force_login(ben)
    for entry in his:
        client.post(f"{LIST}{entry.pk}/delete/", {"sure": "on", "number": entry.pk})

    for table in (Entry, TextVersion, Vector):
        assert not table.objects.exists()
    assert not Link.objects.standing().exists()
    assert found(ana, "server shelf", everything=True) == found(ben, "server shelf", everything=True) == []


def test_instead_of_forgetting_many_they_are_retracted(desk: Client, ana: Account) -> None:
    entries = shelf(ana, mixed=False)

    page = desk.post(f"{LIST}retract/", {"ids": ",".join(str(entry.pk) for entry in entries)}, follow=True)

    assert f"{MANY} entries retracted." in page.content.decode()
    assert set(Entry.objects.values_list("status", flat=True)) == {"retracted"}


def test_how_many_questions_more_would_lose_the_entry_is_said(desk: Client, ana: Account) -> None:
    [entry] = remember_many(ana, [Draft("The test server runs on port 8080")], **WHO).entries
    for number in range(LISTED + 2):
        star(ana, f"Which port has server {number}?", [entry.pk])

    asked = desk.get(f"{LIST}{entry.pk}/delete/?goes=1").content.decode()

    assert (asked.count("Which port has server"), "and 2 more" in asked) == (LISTED, True)


def test_more_than_a_form_may_have_fields_are_forgotten_at_once(desk: Client, ana: Account) -> None:
    drafts = [Draft(f"Server {n} is on shelf {n}") for n in range(1200)]
    remember_many(ana, drafts, **WHO)
    everything = {"action": "forget_selected", "select_across": "1", "_selected_action": Entry.objects.latest("id").pk}

    asked = desk.post(LIST, everything).content.decode()
    [ids] = re.findall(r'name="ids" value="([\d,]+)"', asked)[:1]
    desk.post(f"{LIST}forget/", {"ids": ids, "sure": "on", "number": 1200})

    assert not Entry.objects.exists()


def test_one_project_for_many_is_asked_for_and_taken_back_at_once(desk: Client, ana: Account) -> None:
    entries = shelf(ana, mixed=False)
    desk.post(f"{LIST}{entries[0].pk}/change/", FORM | {"text": entries[0].text, "kind": "todo", "project": "attic"})
    before = states(ana)

    asked = in_bulk(desk, "set_project", entries)
    assert '<option value="attic">' in asked
    assert states(ana) == before
    [ids] = re.findall(r'name="ids" value="([\d,]+)"', asked)
    told = desk.post(f"{LIST}project/", {"ids": ids, "project": " attic "}, follow=True).content.decode()

    assert "49 entries moved. 1 was so already." in told
    assert set(Entry.objects.values_list("project", flat=True)) == {"attic"}
    [address] = re.findall(r"/commit/([0-9a-f]{64})/undo/", told.partition('id="changelist"')[0])
    desk.post(f"/admin/memory/commit/{address}/undo/")
    assert [one["project"] for one in states(ana)] == [one["project"] for one in before]


def test_a_project_that_holds_the_key_already_moves_none(desk: Client, ana: Account) -> None:
    drafts = [Draft(f"Port {n} is open", project=name, key="port") for n, name in enumerate(("a", "b", "c"))]
    entries = [remember_many(ana, [draft], **WHO).entries[0] for draft in drafts]
    ids = ",".join(str(entry.pk) for entry in entries)

    told = desk.post(f"{LIST}project/", {"ids": ids, "project": "c"}, follow=True).content.decode()

    assert f"Entry #{entries[2].pk} has the key “port” already." in told
    assert [one["project"] for one in states(ana)] == ["a", "b", "c"]
