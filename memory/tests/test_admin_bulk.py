"""The list's actions: in bulk as one by one, in one commit, and taken back by one undo."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from forgesite.models import Account
from memory import move
from memory.domain.states import State
from memory.ledger import head
from memory.models import Commit, Entry, Erasure, Link, TextVersion, Vector
from memory.relate import relate
from memory.remember import Draft, remember_many
from memory.store import state_of
from memory.tests.entries import found

LIST = "/admin/memory/entry/"
WHO: dict[str, Any] = {"actor": "person", "cause": "admin"}
MANY = 50
#: What no two acts have in common, on whichever entry: clocks, and what is salted.
APART = {"digest", "embedded", "said_at", "recorded_at", "updated_at", "last_reviewed_at", "superseded_by"}

pytestmark = pytest.mark.usefixtures("words_only")


def shelf(owner: Account, *, mixed: bool = True, many: int = MANY) -> list[Entry]:
    """Facts and todos, some of them put away, taken back or replaced."""
    drafts = [Draft(f"Server {n} is on shelf {n}", kind="todo" if n % 5 == 0 else "fact") for n in range(many)]
    entries = list(remember_many(owner, drafts, **WHO).entries)
    if mixed:
        move.archive_many(owner, [entry.pk for entry in entries[1:10]], **WHO)
        move.retract_many(owner, [entry.pk for entry in entries[11:15]], **WHO)
        relate(owner, entries[16].pk, "supersedes", entries[17].pk, **WHO)
    return entries


def in_bulk(desk: Client, act: str, entries: list[Entry]) -> str:
    action = {"action": f"{act}_selected", "_selected_action": [entry.pk for entry in entries]}
    return desk.post(LIST, action, follow=True).content.decode()


def one_by_one(client: Client, owner: Account, act: str, entries: list[Entry]) -> None:
    owner.is_staff = owner.is_superuser = True
    owner.save()
    client.force_login(owner)
    for entry in entries:
        assert client.post(f"{LIST}{entry.pk}/act/", {"act": act}).status_code == 302


def states(owner: Account) -> list[dict[str, Any]]:
    rows = Entry.objects.of(owner).order_by("id")
    return [_state(state_of(entry), bool(entry.last_reviewed_at)) for entry in rows]


def _state(state: State, confirmed: bool) -> dict[str, Any]:
    return {name: value for name, value in vars(state).items() if name not in APART} | {"confirmed": confirmed}


@pytest.mark.parametrize("act", ["archive", "restore", "retract", "reaffirm"])
def test_in_bulk_is_as_one_by_one(desk: Client, ana: Account, ben: Account, act: str) -> None:
    mixed = act != "reaffirm"  # what is not live has nothing to confirm, and is offered no button
    hers, his = shelf(ana, mixed=mixed), shelf(ben, mixed=mixed)
    before = head(ana).tick  # type: ignore[union-attr]

    in_bulk(desk, act, hers)
    one_by_one(Client(), ben, act, his)

    assert head(ana).tick == before + 1  # type: ignore[union-attr]
    assert states(ana) == states(ben)
    for everything in (False, True):
        assert sorted(found(ana, "server shelf", everything=everything, top_k=50, policy="lexical")) == sorted(
            found(ben, "server shelf", everything=everything, top_k=50, policy="lexical")
        )


@pytest.mark.parametrize("act", ["archive", "restore", "retract", "reaffirm"])
def test_the_message_says_how_many_and_takes_all_of_them_back(desk: Client, ana: Account, act: str) -> None:
    entries = shelf(ana, mixed=act != "reaffirm")
    before = states(ana)

    page = in_bulk(desk, act, entries)

    moved = sum(change["do"] == act for change in Commit.objects.latest("tick").changes)
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

    for act in ("archive", "restore", "retract", "reaffirm", "forget"):
        in_bulk(desk, act, entries)
    desk.post(f"{LIST}forget/", {"ids": ",".join(str(e.pk) for e in entries), "sure": "on", "number": MANY})
    desk.post(f"{LIST}retract/", {"ids": ",".join(str(e.pk) for e in entries)})

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


def test_more_than_a_form_may_have_fields_are_forgotten_at_once(desk: Client, ana: Account) -> None:
    drafts = [Draft(f"Server {n} is on shelf {n}") for n in range(1200)]
    remember_many(ana, drafts, **WHO)
    everything = {"action": "forget_selected", "select_across": "1", "_selected_action": Entry.objects.latest("id").pk}

    asked = desk.post(LIST, everything).content.decode()
    [ids] = re.findall(r'name="ids" value="([\d,]+)"', asked)[:1]
    desk.post(f"{LIST}forget/", {"ids": ids, "sure": "on", "number": 1200})

    assert not Entry.objects.exists()
