"""Folds through the API and the command: the plan, what is done of it, and the way back."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import Settings

from forgesite.models import Account
from forgesite.tests.web import Web, by_token
from memory.folds.job import fold
from memory.models import Entry
from memory.tests.folds import DECK, DECK_MORE, HARDWARE, LINE, RAM, TELEGRAM, block, notes, standing

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def web(ana: Account, settings: Settings) -> Web:
    more: dict[str, Any] = {"RATE_LIMIT_REQUESTS": 0, "EMBEDDING_PROVIDER": "none", "COMPACTION_AGGREGATE": True}
    settings.FORGE = settings.FORGE.model_copy(update=more)
    return by_token(ana)


def test_what_the_preview_proposes_is_folded_listed_and_unwound(web: Web, ana: Account) -> None:
    sources = [entry.pk for entry in notes(ana, RAM, HARDWARE, TELEGRAM, DECK, DECK_MORE)]
    before = block(ana)

    preview = web.ask("GET", "/folds/preview").json()
    assert (block(ana), preview["left_alone"]) == (before, {})
    [machine, deck] = preview["subjects"]
    assert (machine["line"], machine["folds"], machine["gate"]) == (LINE, sources[:3], "")
    assert (deck["line"], deck["into"], deck["folds"]) == ("", sources[4], sources[3:4])
    saved = [each["tokens"]["before"] - each["tokens"]["after"] for each in (machine, deck)]
    assert preview["tokens"]["after"] == preview["tokens"]["before"] - sum(saved)

    done = web.ask("POST", "/folds", {"subjects": ["nipogi"]}).json()
    [written] = done["folds"]
    assert (written["line"], done["refused"], done["indexed"], len(done["commit"])) == (LINE, [], True, 64)
    web.ask("POST", "/folds", {})
    listed = web.ask("GET", "/folds").json()["folds"]
    assert [(each["id"], each["sources"], each["written"]) for each in listed] == [
        (written["id"], sources[:3], True),
        (sources[4], sources[3:4], False),
    ]

    one = web.ask("POST", f"/folds/{written['id']}/unwind", {"sources": sources[:1]}).json()
    assert (one["released"], one["retracted"]) == (sources[:1], False)
    rest = web.ask("POST", f"/folds/{written['id']}/unwind").json()
    assert (rest["released"], rest["retracted"]) == (sources[1:3], True)
    web.ask("POST", f"/folds/{sources[4]}/unwind", {})
    assert block(ana) == before


def test_what_cannot_be_done_is_refused_by_its_code(web: Web, ana: Account) -> None:
    [ram, *_rest] = notes(ana, RAM, HARDWARE, TELEGRAM)

    assert web.ask("POST", "/folds", {"subjects": ["nothing"]}).json()["error"]["code"] == "unknown"
    answer = web.ask("POST", f"/folds/{ram.pk}/unwind", {})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "no_fold")
    folded = web.ask("POST", "/folds", {}).json()["folds"][0]["id"]
    answer = web.ask("POST", f"/folds/{folded}/unwind", {"sources": [folded]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown")


def test_the_command_shows_first_and_folds_when_told(web: Web, ana: Account) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM, "Le NiPoGi n'a pas 64 Go de RAM")
    out = StringIO()

    call_command("fold", stdout=out)
    assert LINE in out.getvalue()
    assert "it negates something" in out.getvalue()
    assert not standing(ana)

    call_command("fold", apply=True, user="ana", stdout=out)
    assert "speaks for #" in out.getvalue()
    assert len(standing(ana)) == 3


def test_the_job_folds_once_and_only_where_it_is_on(web: Web, ana: Account, settings: Settings) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM)
    on, settings.FORGE = settings.FORGE, settings.FORGE.model_copy(update={"COMPACTION_AGGREGATE": False})
    assert fold(ana.pk) == 0
    settings.FORGE = on

    assert (fold(ana.pk), fold(ana.pk)) == (1, 0)
    assert Entry.objects.get(text=LINE).origin == "compaction"
