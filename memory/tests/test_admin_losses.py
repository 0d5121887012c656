"""Before an act on many at the desk: the questions that would lose an entry are named, and a second click is needed."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client

from forgesite.models import Account
from memory import receipts
from memory.given.gathered import Found, Gathered
from memory.golden import star
from memory.ledger import head
from memory.models import Entry
from memory.recall import Query, recall
from memory.remember import Draft, remember_many
from memory.tests.entries import saved
from memory.tests.selections import LIST, WHO
from memory.tests.test_guard import QUESTION, TALK, asked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only")]


@pytest.fixture
def port(ana: Account) -> Entry:
    remember_many(ana, [Draft(text) for text in TALK], **WHO)
    return saved(ana, "the test server runs on port 8080", project="lab")


def acted(desk: Client, name: str, *entries: Entry, **more: Any) -> str:
    fields = {"action": f"{name}_selected", "_selected_action": [entry.pk for entry in entries], **more}
    answer = desk.post(LIST, fields)
    return answer.content.decode() if answer.status_code == 200 else "done"


def kept_fields(page: str) -> dict[str, Any]:
    """What the second click posts."""
    form = page.partition('<form class="acts"')[2].partition("</form>")[0]
    found: dict[str, Any] = {}
    for name, value in re.findall(r'name="([^"]+)" value="([^"]*)"', form):
        found.setdefault(name, []).append(html.unescape(value))
    return found


def test_a_selection_that_answers_rest_on_is_retracted_on_the_second_click(
    desk: Client, ana: Account, port: Entry
) -> None:
    question = star(ana, QUESTION, [port.pk])
    other = Entry.objects.get(text=TALK[0])
    before = head(ana)

    page = acted(desk, "retract", port, other)

    assert "1 question would be given less" in page
    assert f"/goldenquestion/{question.pk}/change/" in page
    assert port.text in page
    assert head(ana) == before
    fields = kept_fields(page)
    assert {int(pk) for pk in fields["_selected_action"]} == {port.pk, other.pk}
    desk.post(LIST, fields)
    assert set(Entry.objects.filter(status="retracted")) == {port, other}


def test_what_no_answer_rests_on_goes_at_once(desk: Client, ana: Account, port: Entry) -> None:
    asked(ana)
    other = Entry.objects.get(text=TALK[0])
    assert acted(desk, "retract", other) == "done"
    other.refresh_from_db()
    assert other.status == "retracted"


def test_pinning_asks_nothing(desk: Client, ana: Account, port: Entry) -> None:
    star(ana, QUESTION, [port.pk])
    assert acted(desk, "pin", port) == "done"


def test_another_project_takes_it_from_what_is_asked_within_one(desk: Client, ana: Account, port: Entry) -> None:
    found = recall(ana, Query(QUESTION, project="lab", for_prompt=True))
    receipts.seal(ana, Gathered([Found("search_memory", found)]), run_id="run")
    url = f"{LIST}project/"

    page = desk.post(url, {"ids": port.pk, "project": "home"}).content.decode()

    assert "1 question would be given less" in page
    port.refresh_from_db()
    assert port.project == "lab"
    desk.post(url, kept_fields(page))
    port.refresh_from_db()
    assert port.project == "home"


def test_retracting_instead_of_forgetting_is_asked_about_too(desk: Client, ana: Account, port: Entry) -> None:
    asked(ana)
    ids = f"{port.pk},{Entry.objects.get(text=TALK[0]).pk}"

    page = desk.post(f"{LIST}retract/", {"ids": ids}).content.decode()

    assert "1 question would be given less" in page
    desk.post(f"{LIST}retract/", kept_fields(page))
    assert Entry.objects.filter(status="retracted").count() == 2


def test_the_question_before_forgetting_names_what_was_asked_lately(desk: Client, ana: Account, port: Entry) -> None:
    asked(ana, run_id="run")
    page = desk.get(f"{LIST}{port.pk}/delete/?goes=1").content.decode()
    assert "Questions asked lately that were given one of them:" in page
    assert "run_id=run" in page
