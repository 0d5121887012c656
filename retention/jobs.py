"""What the worker does for the forgetting pass. Each job is idempotent."""

from __future__ import annotations

from django.conf import settings
from django.utils import timezone

from forgesite import job
from forgesite.models import Account
from retention import forgetting_pass, model_judge
from retention.domain.asking import VOTES

#: The jobs by their dotted names.
DAILY, PASS = "retention.jobs.forget_daily", "retention.jobs.pass_over"
#: When, in UTC: hour and minute.
AT = (4, 30)
#: Seconds of a job for what is not the judge's.
BESIDES = 30


def keep_schedule() -> None:
    """Every day while the pass is on."""
    if settings.FORGE.FORGETTING_PASS_ENABLED:
        job.daily_at(DAILY, *AT)
    else:
        job.never(DAILY)


def forget_daily() -> int:
    """A job for every account. How many; none while the pass is off, whatever is left of a schedule."""
    if not settings.FORGE.FORGETTING_PASS_ENABLED:
        return 0
    owners = list(Account.objects.filter(is_active=True).order_by("pk").values_list("pk", flat=True))
    for owner in owners:
        job.enqueue(PASS, key=f"{PASS} {owner}", owner=owner)
    return len(owners)


def pass_over(owner: int) -> int:
    """One account. How many proposals were made. What it had no time for is a job of its own."""
    enabled = settings.FORGE.FORGETTING_PASS_ENABLED
    account = Account.objects.filter(pk=owner).first() if enabled else None
    if account is None:
        return 0
    done = forgetting_pass.run(account, seconds=_seconds())
    if done.cut and done.judged:
        # Not under the key of this run, which still counts as waiting.
        job.enqueue(PASS, key=f"{PASS} {owner} {timezone.now():%H:%M:%S}", owner=owner)
    return done.proposed


def _seconds() -> float:
    """A batch that is begun has time for all of its votes before the queue stops the job."""
    return max(0.0, model_judge.job_seconds() - VOTES * model_judge.longest() - BESIDES)
