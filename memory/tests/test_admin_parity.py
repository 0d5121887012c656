"""Every act of the desk on fifty entries: in bulk it leaves what it leaves one by one, in one commit of one undo."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder
from memory import consistency
from memory.ledger import head
from memory.models import Commit, Entry
from memory.tests.entries import found
from memory.tests.selections import LIST, MANY, in_bulk, shelf, states

ACTS = ("archive", "restore", "retract", "reaffirm", "pin", "unpin", "set_project")


def one_by_one(client: Client, owner: Account, act: str, entries: list[Entry]) -> None:
    owner.is_staff = owner.is_superuser = True
    owner.save()
    client.force_login(owner)
    for entry in entries:
        if act == "set_project":
            entry.refresh_from_db()
            form = {"text": entry.text, "kind": entry.kind, "project": "attic", "seen": entry.version}
            answer = client.post(f"{LIST}{entry.pk}/change/", form | {"event_at_0": "", "event_at_1": ""})
        else:
            answer = client.post(f"{LIST}{entry.pk}/act/", {"act": act})
        assert answer.status_code == 302


def at_once(desk: Client, act: str, entries: list[Entry]) -> str:
    if act != "set_project":
        return in_bulk(desk, act, entries)
    answer = {"ids": ",".join(str(entry.pk) for entry in entries), "project": "attic"}
    return desk.post(f"{LIST}project/", answer, follow=True).content.decode()


def done(owner: Account, since: int) -> list[tuple[str, int]]:
    """What the owner's commits after that tick say: each act, with the place of its entry among the owner's."""
    places = {pk: place for place, pk in enumerate(Entry.objects.of(owner).order_by("id").values_list("id", flat=True))}
    commits = Commit.objects.of(owner).filter(tick__gt=since)
    return sorted((each["do"], places[each["id"]]) for commit in commits for each in commit.changes)


def searched(owner: Account, **query: Any) -> list[list[str]]:
    """By words and by vectors, of what is live, and of everything."""
    return [
        sorted(found(owner, "server shelf", everything=everything, top_k=50, policy=policy, **query))
        for everything in (False, True)
        for policy in ("lexical", "vector")
    ]


@pytest.mark.parametrize("act", ACTS)
def test_in_bulk_is_as_one_by_one(
    desk: Client, ana: Account, ben: Account, act: str, embedder: ScriptedEmbedder
) -> None:
    mixed = act != "reaffirm"  # what is not live has nothing to confirm, and is offered no button
    hers, his = shelf(ana, mixed=mixed), shelf(ben, mixed=mixed)
    before, then, since = states(ana), head(ana), head(ben)
    assert then
    assert since

    told = at_once(desk, act, hers)
    one_by_one(Client(), ben, act, his)

    assert states(ana) == states(ben) != before
    assert done(ana, then.tick) == done(ben, since.tick)
    assert searched(ana) == searched(ben)
    assert searched(ana, project="attic") == searched(ben, project="attic")
    assert head(ana).tick == then.tick + 1  # type: ignore[union-attr]
    assert consistency.check().ok

    [address] = re.findall(r"/commit/([0-9a-f]{64})/undo/", told.partition('id="changelist"')[0])
    desk.post(f"/admin/memory/commit/{address}/undo/")
    back = [one | {"version": was["version"]} for one, was in zip(states(ana), before, strict=True)]
    assert back == before
    assert consistency.check().ok


def test_there_are_fifty_of_them_in_every_state(ana: Account, embedder: ScriptedEmbedder) -> None:
    entries = shelf(ana)

    assert len(entries) == MANY
    assert {one["status"] for one in states(ana)} == {"active", "open", "archived", "retracted"}
