"""A fold after which an answer would be given less: refused at every door, with the questions, until one insists."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from forgesite.models import Account
from forgesite.tests.web import by_token
from memory.fold import apply
from memory.folds.job import fold
from memory.golden import star
from memory.ledger import head
from memory.models import Entry
from memory.tests.entries import saved
from memory.tests.folds import BY, HARDWARE, RAM, TELEGRAM, notes, standing
from memory.tests.test_guard import asked

QUESTION = "processeur Ryzen Arch Ansible Podman"
pytestmark = pytest.mark.django_db


@pytest.fixture
def right(ana: Account, settings: Settings) -> Entry:
    """Of one row that a turn is given it is this one, until there is a line that holds more of the question's words."""
    more: dict[str, Any] = {"RECALL_TOP_K": 1, "EMBEDDING_PROVIDER": "none", "COMPACTION_AGGREGATE": True}
    settings.FORGE = settings.FORGE.model_copy(update=more)
    notes(ana, RAM, HARDWARE, TELEGRAM)
    return saved(ana, "Paul aime le processeur Ryzen et Arch")


def test_a_question_of_late_that_would_lose_an_entry_holds_a_fold_back(ana: Account, right: Entry) -> None:
    asked(ana, QUESTION, run_id="run")
    before = head(ana)

    done = apply(ana, **BY)

    [loss] = done.losses
    assert (loss.text, loss.entries, loss.golden, loss.run) == (QUESTION, (right.pk,), None, "run")
    assert ([each.refused for each in done.dropped], done.done, done.commit) == (["questions"], (), None)
    assert (head(ana), standing(ana)) == (before, set())
    assert apply(ana, guard=False, **BY).commit


def test_the_desk_names_the_questions_and_folds_on_the_second_click(desk: Client, ana: Account, right: Entry) -> None:
    star(ana, QUESTION, [right.pk])
    asked(ana, "Paul Ryzen", run_id="run")
    [value] = re.findall(r'name="shown" value="([^"]+)"', desk.get("/admin/folds/").content.decode())

    page = desk.post("/admin/folds/apply/", {"one": value}).content.decode()

    assert "1 question would be given less" in page
    assert QUESTION in page
    assert f'<input type="hidden" name="one" value="{value}">' in page
    assert standing(ana) == set()
    desk.post("/admin/folds/apply/", {"one": value, "force": "1"})
    assert len(standing(ana)) == 3


def test_the_command_says_it_and_has_to_be_forced(ana: Account, right: Entry) -> None:
    star(ana, QUESTION, [right.pk])

    def said(*options: str) -> str:
        out = StringIO()
        call_command("fold", "--apply", *options, stdout=out)
        return out.getvalue()

    assert f"“{QUESTION}” would lose #{right.pk}." in (words := said())
    assert "--force" in words
    assert standing(ana) == set()
    assert "--force" not in said("--force")
    assert len(standing(ana)) == 3


def test_the_job_never_forces_it(ana: Account, right: Entry) -> None:
    Entry.objects.update(origin="model")
    star(ana, QUESTION, [right.pk])
    assert (fold(ana.pk), standing(ana)) == (0, set())


@pytest.mark.django_db(transaction=True)
def test_the_api_answers_409_with_the_questions(ana: Account, right: Entry) -> None:
    question, web = star(ana, QUESTION, [right.pk]), by_token(ana)

    refused = web.ask("POST", "/folds", {})

    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (409, "loses_answers")
    [loss] = error["detail"]
    assert loss == {"text": QUESTION, "entries": [right.pk], "golden": question.pk, "run": ""}
    assert standing(ana) == set()
    assert web.ask("POST", "/folds", {"force": True}).status_code == 200
    assert len(standing(ana)) == 3
