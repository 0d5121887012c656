"""Runs through the API."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from forgesite.models import Account
from forgesite.tests.web import by_token
from traces.models import Run

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_last_runs_come_oldest_first_and_each_by_its_id(ana: Account) -> None:
    for number in range(12):
        at = timezone.now() + timedelta(seconds=number)
        Run.objects.create(owner=ana, run_id=f"run{number}", started_at=at, ok=True, total_ms=number)
    web = by_token(ana)

    traces = web.ask("GET", "/traces?n=3").json()["traces"]

    assert [trace["run_id"] for trace in traces] == ["run9", "run10", "run11"]
    assert web.ask("GET", "/traces/run4").json()["total_ms"] == 4
    assert len(web.ask("GET", "/traces").json()["traces"]) == 10


def test_a_run_tells_whether_it_crashed_and_whether_it_answered(ana: Account) -> None:
    Run.objects.create(
        owner=ana, run_id="empty", started_at=timezone.now(), ok=True, not_answered="no memory", total_ms=1
    )

    trace = by_token(ana).ask("GET", "/traces/empty").json()

    assert (trace["ok"], trace["not_answered"], trace["error"], trace["llm"]) == (True, "no memory", None, None)
