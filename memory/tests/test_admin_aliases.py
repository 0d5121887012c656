"""Other names on the desk: seen, accepted, rejected, taken back and added, by who may."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from forgesite.models import Account
from memory.models import Alias, AliasState
from memory.tests.entries import saved

pytestmark = pytest.mark.usefixtures("words_only")
LIST = "/admin/memory/alias/"


def proposal(owner: Account, name: str = "NiPoGi", other: str = "mini PC", **fields: Any) -> Alias:
    return Alias.objects.create(owner=owner, name=name, other=other, **fields)


def act(desk: Client, action: str, *rows: Alias) -> int:
    return desk.post(LIST, {"action": action, "_selected_action": [row.pk for row in rows]}).status_code


def test_a_proposal_is_accepted_and_taken_back_and_rejected(desk: Client, ana: Account) -> None:
    row = proposal(ana)
    for action, state in (("accept", "accepted"), ("undo", "proposed"), ("reject", "rejected")):
        assert act(desk, action, row) == 302
        row.refresh_from_db()
        assert row.state == state
        assert (row.decided_at is None) == (state == AliasState.PROPOSED)


def test_a_decision_is_not_decided_again(desk: Client, ana: Account) -> None:
    row = proposal(ana, state="rejected")

    page = desk.post(LIST, {"action": "accept", "_selected_action": [row.pk]}, follow=True).content.decode()

    row.refresh_from_db()
    assert row.state == "rejected"
    assert "0 aliases accepted." in page


def test_the_list_shows_where_a_pair_came_from_and_only_ones_own(desk: Client, ana: Account, ben: Account) -> None:
    entry = saved(ana, "The boat is in Vigo")
    proposal(ana, entry=entry)
    proposal(ana, "Zoé", "ma sœur", state="rejected")
    theirs = proposal(ben, "Rex", "chien")

    page = desk.get(f"{LIST}?state__exact=proposed").content.decode()

    assert f'<a href="/admin/memory/entry/{entry.pk}/change/">#{entry.pk}</a>' in page
    assert [name for name in ("NiPoGi", "Zoé", "Rex") if name in page] == ["NiPoGi"]
    assert act(desk, "accept", theirs) == 302
    theirs.refresh_from_db()
    assert theirs.state == "proposed"


def test_a_pair_is_added_by_hand_and_a_bad_one_stays_in_the_form(desk: Client, ana: Account) -> None:
    assert desk.post(f"{LIST}add/", {"name": " NiPoGi ", "other": "mini  PC"}).status_code == 302
    again = desk.post(f"{LIST}add/", {"name": "mini pc", "other": "NiPoGi"})

    [row] = Alias.objects.of(ana)
    assert (row.name, row.other, row.state, row.entry) == ("NiPoGi", "mini PC", "accepted", None)
    assert "are there already" in again.content.decode()


def test_only_what_was_added_by_hand_can_be_deleted(desk: Client, ana: Account) -> None:
    own, found = proposal(ana), proposal(ana, "Zoé", "ma sœur", entry=saved(ana, "Zoé is my sister"))

    assert desk.post(f"{LIST}{found.pk}/delete/", {"post": "yes"}).status_code == 403
    assert desk.post(f"{LIST}{own.pk}/delete/", {"post": "yes"}).status_code == 302
    assert list(Alias.objects.of(ana)) == [found]


def test_who_may_only_look_decides_and_adds_nothing(desk: Client, ana: Account) -> None:
    ana.user_permissions.set(Permission.objects.filter(codename="view_alias"))
    row = proposal(ana)

    assert "NiPoGi" in desk.get(LIST).content.decode()
    assert desk.get(f"{LIST}{row.pk}/change/").status_code == 200
    act(desk, "accept", row)
    row.refresh_from_db()
    assert row.state == "proposed"
    assert desk.post(f"{LIST}add/", {"name": "a", "other": "b"}).status_code == 403


def test_list_and_page_need_few_queries(desk: Client, ana: Account, django_assert_max_num_queries: Any) -> None:
    entry = saved(ana, "The boat is in Vigo")
    rows = [proposal(ana, f"name {n}", f"other {n}", entry=entry) for n in range(60)]

    for page in (LIST, f"{LIST}?q=name", f"{LIST}{rows[0].pk}/change/"):
        with django_assert_max_num_queries(15):
            assert desk.get(page).status_code == 200
