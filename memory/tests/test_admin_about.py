"""*Forget everything about…* on the desk: found, chosen, counted, asked about, gone, certified."""

from __future__ import annotations

import re

from django.contrib.auth.models import Permission
from django.test import Client

from forgesite.models import Account
from memory.models import Entry, Erasure
from memory.tests.entries import saved

PAGE = "/admin/memory/entry/about/"


def test_the_list_leads_to_it(desk: Client) -> None:
    assert f'href="{PAGE}"' in desk.get("/admin/memory/entry/").content.decode()


def test_sure_ones_are_ticked_and_the_rest_is_not(desk: Client, ana: Account) -> None:
    sure, perhaps = saved(ana, "Anna Meier is our dentist"), saved(ana, "The dentist phoned Anna about the bill")
    page = desk.post(PAGE, {"about": "Anna Meier"}).content.decode()
    picks = dict(re.findall(r'name="pick" value="(\d+)"( checked)?', page))
    assert (picks[str(sure.pk)], picks[str(perhaps.pk)]) == (" checked", "")


def test_what_is_ticked_is_asked_about_with_its_number_and_goes_by_one_certificate(desk: Client, ana: Account) -> None:
    chosen = [saved(ana, f"Anna Meier lived at number {n}") for n in (1, 2, 3)]
    kept = saved(ana, "The dentist phoned Anna about the bill")
    ids = [entry.pk for entry in chosen]
    asked = desk.post(PAGE, {"about": "Anna Meier", "pick": ids, "choose": ""}).content.decode()
    assert "Forget 3 entries for good?" in asked
    assert "entries (3)" in asked
    assert Entry.objects.count() == 4
    form = {"ids": ",".join(map(str, ids)), "sure": "on"}
    assert "Type 3 to forget." in desk.post("/admin/memory/entry/forget/", {**form, "number": "2"}).content.decode()
    answer = desk.post("/admin/memory/entry/forget/", {**form, "number": "3"})
    certificate = Erasure.objects.get()
    assert answer.headers["Location"] == f"/admin/memory/erasure/{certificate.pk}/change/"
    assert [entry["id"] for entry in certificate.report["entries"]] == ids
    assert Entry.objects.get() == kept


def test_one_alone_is_asked_about_by_its_number(desk: Client, ana: Account) -> None:
    entry = saved(ana, "Anna Meier is our dentist")
    asked = desk.post(PAGE, {"about": "Anna Meier", "pick": [entry.pk]}).content.decode()
    assert f'action="/admin/memory/entry/{entry.pk}/delete/"' in asked


def test_nothing_ticked_is_told_and_nothing_found_too(desk: Client, ana: Account) -> None:
    saved(ana, "Anna Meier is our dentist")
    assert "Tick what is to be forgotten." in desk.post(PAGE, {"about": "Anna", "choose": ""}).content.decode()
    assert "Memory holds nothing on this." in desk.post(PAGE, {"about": "zebrule"}).content.decode()
    assert desk.post(PAGE, {"about": " \x00 "}).status_code == 200


def test_others_entries_are_neither_shown_nor_taken(desk: Client, ben: Account) -> None:
    entry = saved(ben, "Anna Meier sings in Ben's choir")
    for form in ({"about": "Anna Meier"}, {"about": "x", "pick": [entry.pk]}):
        assert "sings in" not in desk.post(PAGE, form).content.decode()


def test_who_may_not_forget_has_no_such_page(client: Client, ana: Account) -> None:
    ana.is_staff = True
    ana.save()
    ana.user_permissions.set(Permission.objects.filter(codename="view_entry"))
    client.force_login(ana)
    assert client.get(PAGE).status_code == 403
    assert PAGE not in client.get("/admin/memory/entry/").content.decode()
