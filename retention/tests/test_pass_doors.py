"""What starts a pass: the command, the schedule and its jobs; and the switch that turns all of them off."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import override_settings
from django.utils import timezone
from django_q.models import OrmQ, Schedule

from forgesite.models import Account
from retention import forgetting_pass, jobs
from retention.errors import DisabledError
from retention.tests.entries import changed, proposals


def test_off_it_reads_and_writes_nothing(ana: Account, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DisabledError):
        forgetting_pass.run(ana)
    assert jobs.pass_over(ana.pk) == 0
    assert jobs.forget_daily() == 0
    call_command("forgetting_pass", "--once")
    assert "FORGETTING_PASS_ENABLED" in capsys.readouterr().out


def test_the_command_says_what_it_did(on: None, ana: Account, capsys: pytest.CaptureFixture[str]) -> None:
    changed(ana)

    call_command("forgetting_pass", "--dry-run")
    call_command("forgetting_pass", "--once", "--user", "ana")

    dry, real = capsys.readouterr().out.splitlines()
    assert dry == real == "ana: 1 candidates, 1 judged, 1 proposed, 0 dismissed, 0 left for the next pass"
    assert len(proposals(ana)) == 1


def test_it_is_scheduled_at_half_past_four_and_no_more_once_it_is_off(on: None, db: None) -> None:
    jobs.keep_schedule()
    jobs.keep_schedule()

    [plan] = Schedule.objects.filter(name=jobs.DAILY)
    assert (plan.next_run.hour, plan.next_run.minute, plan.schedule_type) == (4, 30, Schedule.DAILY)
    assert plan.next_run > timezone.now()
    with override_settings(FORGE=settings.FORGE.model_copy(update={"FORGETTING_PASS_ENABLED": False})):
        jobs.keep_schedule()
    assert not Schedule.objects.filter(name=jobs.DAILY).exists()


@pytest.mark.django_db(transaction=True)
def test_the_daily_job_makes_one_job_an_account(on: None, ana: Account, ben: Account) -> None:
    changed(ana)

    jobs.forget_daily()
    jobs.forget_daily()

    assert OrmQ.objects.count() == 2
    assert (jobs.pass_over(ana.pk), jobs.pass_over(ben.pk), jobs.pass_over(10**9)) == (1, 0, 0)


def test_the_command_passes_over_those_whom_the_daily_job_does(
    on: None, ana: Account, ben: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(ana), changed(ben)
    Account.objects.filter(pk=ana.pk).update(is_active=False)

    call_command("forgetting_pass")

    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith("ben: ")
    assert proposals(ana) == []


@pytest.fixture
def full_for_ana(transactional_db: None, ana: Account) -> Iterator[None]:
    """The database takes no pass of hers."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMP TRIGGER full BEFORE INSERT ON retention_pass "
            f"WHEN NEW.owner_id = {ana.pk} BEGIN SELECT RAISE(ABORT, 'no room'); END"
        )
        yield
        cursor.execute("DROP TRIGGER full")


def test_a_pass_that_fails_is_named_and_the_others_have_theirs(
    on: None, full_for_ana: None, ana: Account, ben: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(ben)

    with pytest.raises(CommandError, match=r"failed for ana,"):
        call_command("forgetting_pass")

    assert capsys.readouterr().out.startswith("ben: 1 candidates, 1 judged, 1 proposed")
