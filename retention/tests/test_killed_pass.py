"""A pass that is killed leaves memory as it was and no half of a batch; two at once are as one."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone
from django_q.brokers.orm import ORM
from django_q.conf import Conf
from django_q.models import OrmQ
from django_q.signing import SignedPackage

from forgesite import job
from forgesite.models import Account
from retention import jobs
from retention.models import Pass, Proposal
from retention.tests.entries import changed

#: Points of each act, and rounds of two at once: few in the test command, many in `python -m bench.full`.
POINTS = int(os.environ.get("FORGE_TEST_KILLS", "5"))
RUN = "import sys, django; django.setup(); from retention.tests.kill_points import main; main(int(sys.argv[1]))"


def test_a_pass_that_is_killed_is_gone_on_with_and_two_at_once_are_as_one(tmp_path: Path) -> None:
    environment = os.environ | {
        "DATA_DIR": str(tmp_path),
        "FORGE_ENV_FILE": "",
        "EMBEDDING_PROVIDER": "none",
        "DJANGO_SETTINGS_MODULE": "forgesite.settings",
    }
    command = [sys.executable, "-c", RUN, str(POINTS)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    lines = dict(line.split(": ") for line in done.stdout.splitlines())
    assert list(lines) == ["pass", "job", "together"]
    of_pass, of_job = (tuple(map(int, lines[name].split())) for name in ("pass", "job"))
    # An act of fewer statements than points is killed before each of them.
    assert all(killed >= min(POINTS - 1, every) for every, killed, _half in (of_pass, of_job))
    assert (of_pass[2] > 0, of_job[2]) == (True, 0)  # in the middle of the batches
    assert int(lines["together"]) == POINTS


@pytest.mark.django_db(transaction=True)
def test_the_job_of_a_worker_that_was_killed_is_taken_up_again(on: None, ana: Account) -> None:
    changed(ana)
    jobs.forget_daily()
    queue = ORM()
    queue.list_key = Conf.PREFIX
    [(number, _job)] = queue.dequeue()  # by a worker that is killed

    assert queue.queue_size() == 0
    OrmQ.objects.update(lock=timezone.now() - timedelta(seconds=1))  # once the time of a job is over
    [(again, signed)] = queue.dequeue()
    task = SignedPackage.loads(signed)
    assert (again, task["func"]) == (number, job.RUN)
    assert [job.run(*task["args"]) for _time in range(2)] == [1, 0]
    assert Proposal.objects.filter(status="proposed").count() == 1


def test_the_desk_says_of_a_pass_that_has_not_ended_that_it_has_not(client: Client, on: None, ana: Account) -> None:
    ana.is_staff = True
    ana.save()
    ana.user_permissions.set(Permission.objects.filter(content_type__app_label__in=("memory", "retention")))
    client.force_login(ana)

    def said_of_it() -> bool:
        page = client.get("/admin/retention/proposal/").content.decode()
        return "It has not ended: it still runs, or was stopped" in page

    killed = Pass.objects.create(owner=ana, run_id="0" * 32, judge="rules")
    assert said_of_it()
    Pass.objects.filter(pk=killed.pk).update(ended_at=timezone.now())
    assert not said_of_it()
