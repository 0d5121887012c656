"""The keyboard of the desk, as the pages tell it: what a key presses, what the list knows of each row, and who may."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from forgesite.models import Account
from memory import move
from memory.desk.acts import ACTS
from memory.models import Entry
from memory.relate import relate
from memory.revise import Changes, revise
from memory.tests.entries import saved
from memory.tests.selections import LIST, WHO
from memory.tests.test_admin import allow

PORT = "The test server runs on port 8080"

pytestmark = pytest.mark.usefixtures("words_only")


def keys(page: str) -> dict[str, str]:
    """Each key with the verb that it presses."""
    return {key: act for act, key in re.findall(r'name="act" value="(\w+)" aria-keyshortcuts="(\w)"', page)}


def test_each_key_of_an_entry_presses_what_makes_sense_now(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    page = desk.get(f"{LIST}{entry.pk}/change/").content.decode()
    assert keys(page) == {"a": "archive", "r": "reaffirm", "p": "pin"}
    assert re.search(r'aria-keyshortcuts="f" href="[^"]*/delete/"', page)
    assert re.search(r"<textarea[^>]*aria-keyshortcuts=\"e\"", page)

    move.archive(ana, entry.pk, **WHO)
    revise(ana, entry.pk, Changes(pinned=True), version=None, **WHO)

    assert keys(desk.get(f"{LIST}{entry.pk}/change/").content.decode()) == {"r": "restore", "p": "unpin"}


@pytest.mark.parametrize("status", ["active", "archived", "retracted"])
@pytest.mark.parametrize("how", ["", "replaced", "fold"])
@pytest.mark.parametrize("pinned", [True, False])
def test_no_two_acts_that_fit_have_one_key(status: str, how: str, pinned: bool) -> None:
    entry = Entry(status=status, superseded_how=how, superseded_by_id=1 if how else None, pinned=pinned)

    found = [act.key for act in ACTS if act.fits(entry) and act.key]

    assert len(found) == len(set(found))


def test_the_list_says_of_each_row_what_its_keys_go_by(desk: Client, ana: Account) -> None:
    live, pinned, old = saved(ana, PORT), saved(ana, "The choir meets on Tuesdays"), saved(ana, "It was port 8000")
    revise(ana, pinned.pk, Changes(pinned=True), version=None, **WHO)
    relate(ana, live.pk, "supersedes", old.pk, **WHO)

    page = desk.get(LIST).content.decode()

    assert re.findall(r'data-state="([^"]*)">([^<]*)<', page) == [
        ("", f"replaced by #{live.pk}"),
        ("live pinned", "live · pinned"),
        ("live", "live"),
    ]


@pytest.mark.parametrize("place", [LIST, f"{LIST}duplicates/", "entry"])
def test_the_keys_are_told_on_the_page_and_acts_only_to_who_may(client: Client, ana: Account, place: str) -> None:
    entry = saved(ana, PORT)
    url = f"{LIST}{entry.pk}/change/" if place == "entry" else place
    client.force_login(ana)

    for rights, acts in ((("view_entry",), False), (("view_entry", "change_entry"), True)):
        allow(ana, *rights)
        page = client.get(url).content.decode()
        assert "desk/keys.js" in page
        assert 'id="keys"' in page
        assert "<kbd>?</kbd>" in page
        assert ("<kbd>A</kbd>" in page) is acts
        assert "<kbd>F</kbd>" not in page
