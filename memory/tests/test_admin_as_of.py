"""Memory as it was, on the desk: the list at an earlier time, its search, and what became of each entry since."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from forgesite.models import Account
from memory import move
from memory.forget import forget
from memory.ledger import head
from memory.models import Entry
from memory.relate import relate
from memory.remember import Draft, remember_many
from memory.revise import Changes, revise
from memory.tests.entries import saved

LIST = "/admin/memory/entry/"
THEN = f"{LIST}as-of/"
WHO: dict[str, Any] = {"actor": "person", "cause": "admin"}
PORT, OTHER = "The test server runs on port 8080", "The test server runs on port 9090"

pytestmark = pytest.mark.usefixtures("words_only")


def tick(owner: Account) -> str:
    return f"#{head(owner).tick}"  # type: ignore[union-attr]


def then(desk: Client, at: str, **more: str) -> str:
    return desk.get(THEN, {"at": at, **more}, follow=True).content.decode()


def row(page: str, entry: Entry) -> str:
    """The table's row of an entry."""
    return page.partition(f">#{entry.pk}</a>")[2].partition("</tr>")[0]


def test_the_list_leads_to_memory_as_it_was(desk: Client, ana: Account) -> None:
    saved(ana, PORT)

    assert f'action="{THEN}"' in desk.get(LIST).content.decode()


def test_the_words_are_those_of_then_and_what_became_of_them_is_told(desk: Client, ana: Account) -> None:
    edited, archived, replaced = (saved(ana, f"The server {n} runs on port {n}") for n in ("8001", "8002", "8003"))
    same, gone = saved(ana, "The choir meets on Tuesdays"), saved(ana, "The safe opens with 4711")
    at = tick(ana)
    revise(ana, edited.pk, Changes(text="The server moved"), version=None, **WHO)
    move.archive(ana, archived.pk, **WHO)
    relate(ana, saved(ana, OTHER).pk, "supersedes", replaced.pk, **WHO)
    forget(ana, [gone.pk], **WHO)

    page = then(desk, at)

    assert "The server 8001 runs on port 8001" in page
    assert "edited since" in row(page, edited)
    assert "archived since" in row(page, archived)
    assert "replaced by #" in row(page, replaced)
    assert "since" not in row(page, same)
    assert (OTHER in page, "4711" in page) == (False, False)
    assert "1 more was forgotten since" in page


def test_the_banner_says_the_time_and_leads_back(desk: Client, ana: Account) -> None:
    saved(ana, PORT)
    at = timezone.localtime() + timedelta(days=1)

    page = then(desk, f"{at:%Y-%m-%dT%H:%M}")

    assert f"Memory as it was on {date_format(at.replace(second=0), 'DATETIME_FORMAT')}" in page
    assert f'value="{at:%Y-%m-%dT%H:%M}"' in page
    assert f'<a href="{LIST}">back to now</a>' in page


def test_the_time_is_the_accounts_own(desk: Client, ana: Account) -> None:
    ana.time_zone = "Pacific/Auckland"
    ana.save()
    saved(ana, PORT)
    there = datetime.now(tz=timezone.get_fixed_timezone(timedelta(hours=13))) - timedelta(minutes=90)

    assert PORT not in then(desk, f"{there:%Y-%m-%dT%H:%M}")
    assert PORT in then(desk, f"{there + timedelta(hours=3):%Y-%m-%dT%H:%M}")


def test_then_is_searched_by_the_words_of_then(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    at = tick(ana)
    revise(ana, entry.pk, Changes(text=OTHER), version=None, **WHO)

    assert PORT in then(desk, at, q="8080")
    assert f">#{entry.pk}</a>" not in then(desk, at, q="9090")


def test_then_is_narrowed_to_a_kind_and_turned_page_by_page(desk: Client, ana: Account) -> None:
    for n in range(60):
        saved(ana, f"Server {n} is on shelf {n}", kind="note" if n == 5 else "fact")
    at = tick(ana)

    first, kind = then(desk, at), then(desk, at, kind="note")

    assert ("shelf 59<" in first, "shelf 9<" in first, "60 entries" in first) == (True, False, True)
    assert "shelf 9<" in then(desk, at, p="2")
    assert ("shelf 5<" in kind, "shelf 6<" in kind) == (True, False)


@pytest.mark.parametrize("at", ["", "yesterday", "9999", "deadbeefdeadbeef", "\x00"])
def test_a_time_that_cannot_be_read_leads_back_and_says_so(desk: Client, ana: Account, at: str) -> None:
    saved(ana, PORT)

    page = then(desk, at)

    assert 'class="error"' in page
    assert "Memory as it was<" not in page


def test_nobody_sees_what_another_remembered_then(desk: Client, ana: Account, ben: Account) -> None:
    saved(ana, PORT)
    saved(ben, "Ben's canary sings at dawn")
    at = head(ben).address  # type: ignore[union-attr]

    assert "sings" not in then(desk, tick(ana))
    assert "sings" not in then(desk, at)


@pytest.mark.parametrize("rows", [100, 2000])
def test_then_needs_few_queries(desk: Client, ana: Account, rows: int, django_assert_max_num_queries: Any) -> None:
    remember_many(ana, [Draft(f"Server {n} is on shelf {n}") for n in range(rows)], **WHO)

    with django_assert_max_num_queries(15):
        assert desk.get(THEN, {"at": tick(ana)}).status_code == 200
