"""Runs and refused writes go when they are old; receipts stay, without the words of their questions."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import Schedule
from pytest_django import Settings

from chat import jobs
from forgesite.models import Account
from memory.given.gathered import Found, Gathered
from memory.models import Receipt, Refusal
from memory.pruning import prune_questions
from memory.recall import Query, recall
from memory.receipts import seal
from memory.refuse import refuse
from memory.verify import verify
from traces.jsonl import append, file_of
from traces.models import Run
from traces.recorder import Recorder


def old(owner: Account, days: int, run_id: str) -> None:
    """A run of so many days ago, with its line, its receipt, and a write that it had refused."""
    at = timezone.now() - timedelta(days=days)
    recorder = Recorder(owner, run_id=run_id, conversation="", text="Which port?")
    recorder.started_at = at
    with recorder.step("recall"):
        pass
    address = seal(owner, Gathered([Found("recall", recall(owner, Query("Which port?")))]), run_id=run_id)
    recorder.finish(ok=True, receipt=address)
    Receipt.objects.filter(address=address).update(at=at)
    refusal = refuse(owner, "question", "Is it 8080?", run_id=run_id)
    Refusal.objects.filter(pk=refusal.pk).update(created_at=at)


def kept(owner: Account) -> tuple[set[str], set[str], set[str], set[str]]:
    """Runs by their rows and by their lines, receipts with words, refusals."""
    lines = {json.loads(line)["run_id"] for line in file_of(owner).read_text().splitlines() if "run_id" in line}
    words = {receipt.run_id for receipt in Receipt.objects.all() if receipt.questions}
    return set(Run.objects.values_list("run_id", flat=True)), lines, words, set(_refused())


def _refused() -> list[str]:
    return list(Refusal.objects.values_list("run_id", flat=True))


@pytest.fixture
def aged(filled: Account) -> Account:
    file_of(filled).unlink(missing_ok=True)
    for days, run_id in ((181, "oldest"), (91, "older"), (1, "new")):
        old(filled, days, run_id)
    append(file_of(filled), "somebody's own line")
    return filled


def test_what_is_older_than_it_is_kept_goes_with_the_words_and_the_receipts_stay(aged: Account) -> None:
    jobs.prune()
    assert kept(aged) == ({"older", "new"}, {"older", "new"}, {"older", "new"}, {"new"})
    assert "somebody's own line" in file_of(aged).read_text()
    assert Receipt.objects.count() == 3
    jobs.prune()
    assert kept(aged)[0] == {"older", "new"}


def test_erased_words_break_no_chain(filled: Account) -> None:
    address = seal(filled, Gathered([Found("recall", recall(filled, Query("Which port?")))]), run_id="run")
    later = timezone.now() + timedelta(days=200)
    assert prune_questions(later) == 1
    assert Receipt.objects.get(address=address).salt == ""
    report = verify(filled)
    assert (report.ok, report.receipts) == (True, 1)


def test_0_days_keep_everything_and_need_no_job(aged: Account, settings: Settings) -> None:
    jobs.keep_schedule()
    assert Schedule.objects.filter(name=jobs.PRUNE).count() == 1
    update = {"TRACE_RETENTION_DAYS": 0, "REFUSAL_RETENTION_DAYS": 0}
    settings.FORGE = settings.FORGE.model_copy(update=update)
    before = kept(aged)
    jobs.prune()
    jobs.keep_schedule()
    assert kept(aged) == before
    assert not Schedule.objects.filter(name=jobs.PRUNE).exists()
