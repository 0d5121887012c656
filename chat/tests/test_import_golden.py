"""An import says which golden questions find less after it, and which other names its entries show."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from django.utils import timezone
from django_q.models import OrmQ
from pytest_django import Settings

from chat.importers.entries import ReadEntries, ReadEntry
from chat.importing import bring_in, preview
from chat.intake.api import report_out
from chat.intake.entries import bring_entries
from chat.intake.rehearsal import MOST_ASKED, with_golden
from chat.intake.report import BroughtEntries, FileReport, Report
from chat.intake.wording import counted
from forgesite.accounts import folder_of
from forgesite.models import Account
from memory.golden import star
from memory.ledger import head
from memory.models import Alias, Entry, GoldenQuestion
from memory.remember import Draft, remember

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "Which port does the test server use?"


def talk(number: int) -> dict[str, object]:
    """One conversation of an Open WebUI export, full of the question's own words."""
    said = f"test server port {number}, port of the test server {number}"
    one = {"id": "1", "parentId": None, "childrenIds": ["2"], "role": "user", "content": said}
    other = {"id": "2", "parentId": "1", "role": "assistant", "content": f"The test server uses its port {number}."}
    return {
        "id": f"t{number}",
        "title": "Port",
        "chat": {"title": "Port", "history": {"currentId": "2", "messages": {"1": one, "2": other}}},
    }


@pytest.fixture
def port(ana: Account, settings: Settings) -> Entry:
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})
    for number in range(14):
        remember(
            ana, Draft(f"{'abcdefghijklmn'[number] * 5} {'nmlkjihgfedcba'[number] * 7}"), actor="person", cause="test"
        )
    entry = remember(ana, Draft("the port of the test server is 8080"), actor="person", cause="test").entry
    star(ana, QUESTION, [entry.pk])
    return entry


@pytest.fixture
def export(tmp_path: Path) -> Path:
    file = tmp_path / "export.json"
    file.write_text(json.dumps([talk(number) for number in range(12)]))
    return file


def test_the_report_names_those_that_find_less(ana: Account, port: Entry, export: Path) -> None:
    report = bring_in(ana, [export])
    assert report.golden
    assert [change.lost for change in report.golden.worse] == [(port.pk,)]
    assert "1 golden question finds less than before: #" in counted(report)
    out = report_out(report).golden
    assert out
    assert [change.question for change in out.worse] == [QUESTION]


def test_a_preview_asks_them_on_a_copy_and_leaves_nothing_of_it(ana: Account, port: Entry, export: Path) -> None:
    before, asked = head(ana), GoldenQuestion.objects.get().last_result
    report = preview(ana, [export])
    assert report.golden
    assert [change.lost for change in report.golden.worse] == [(port.pk,)]
    assert "1 golden question would find less: #" in counted(report)
    assert (head(ana), GoldenQuestion.objects.get().last_result) == (before, asked)
    assert (Entry.objects.count(), OrmQ.objects.count(), report.untold) == (15, 0, "")
    assert list((folder_of(ana) / "uploads").iterdir()) == []


def test_a_preview_says_which_it_did_not_ask_and_why(ana: Account, port: Entry, export: Path) -> None:
    large = Report((FileReport("x", entries=(BroughtEntries("x", Counter({"fact": 501})),)),), written=False)
    untold = with_golden(ana, large, lambda _ids: pytest.fail("it was tried"))
    assert (untold.golden, "501" in counted(untold)) == (None, True)
    GoldenQuestion.objects.bulk_create(
        GoldenQuestion(owner=ana, text=f"{QUESTION} {number}") for number in range(MOST_ASKED)
    )
    report = preview(ana, [export])
    assert report.golden
    assert (report.golden.worse, len(report.golden.same)) == ((), MOST_ASKED)
    assert report.untold == "1 older golden question was not asked."
    assert "No golden question that was asked would find less." in counted(report)
    GoldenQuestion.objects.all().delete()
    assert (preview(ana, [export]).golden, preview(ana, [export]).untold) == (None, "")


def test_entries_of_a_store_propose_the_other_names_that_they_show(ana: Account, settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})
    texts = ("NiPoGi is at 192.168.1.20", "the mini PC is at 192.168.1.20", "The cat is called Mimi")
    rows = [ReadEntry(str(n), f"e{n}", "fact", text, key="server" * (n < 2)) for n, text in enumerate(texts)]
    brought = bring_entries(ana, ReadEntries("memory_json", tuple(rows)), timezone.now(), None)
    assert (brought.new.total(), brought.skipped) == (3, ())
    pairs = {frozenset((alias.name, alias.other)) for alias in Alias.objects.of(ana).filter(state="proposed")}
    assert pairs == {frozenset(("NiPoGi", "mini PC")), frozenset(("cat", "Mimi"))}
