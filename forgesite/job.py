"""The one entry of every job: queued on commit, once a key, finite attempts, a visible failure.

A job is named by its dotted path, so that an app can queue another's without importing it. A job's function takes
keyword arguments that JSON can hold, and is idempotent: the queue may run it twice.
"""

from __future__ import annotations

import logging
import traceback
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.models import OrmQ, Schedule
from django_q.tasks import async_task

log = logging.getLogger(__name__)
#: What the queue is told to call, with a job's path and its arguments.
RUN = "forgesite.job.run"


def enqueue(path: str, *, key: str, **arguments: Any) -> None:
    """Queue `path(**arguments)` when the present transaction commits, unless the same `key` is already waiting.

    `path` is a dotted name. Nothing is queued when the transaction rolls back.
    """
    transaction.on_commit(lambda: _queue(path, key, arguments))


def _queue(path: str, key: str, arguments: dict[str, Any]) -> None:
    waiting = (job.task.get("group") for job in OrmQ.objects.all()[:500] if job.task)
    if key not in waiting:
        async_task(RUN, path, arguments, group=key, task_name=key[:100])


def every_minute(path: str) -> None:
    """Keep `path()` scheduled, by its name. The worker looks twice a minute; what was missed is not made up for."""
    _schedule(path, schedule_type=Schedule.MINUTES, minutes=1)


def daily(path: str) -> None:
    """The same once a day, the first time at once: a machine that is off at night is looked after when it is on."""
    _schedule(path, schedule_type=Schedule.DAILY)


def daily_at(path: str, hour: int, minute: int) -> None:
    """Once a day at that time, UTC."""
    now = timezone.now()
    first = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    _schedule(path, schedule_type=Schedule.DAILY, next_run=first if first > now else first + timedelta(days=1))


def _schedule(path: str, **when: Any) -> None:
    plan = {"func": RUN, "args": repr((path, {})), **when}
    Schedule.objects.get_or_create(name=path, defaults=plan)


def never(path: str) -> None:
    """Take it from the schedule."""
    Schedule.objects.filter(name=path).delete()


def owner_in(arguments: Any) -> int | None:
    """Whose job it is, where what `run` is called with says so."""
    given = arguments[1] if isinstance(arguments, tuple) and len(arguments) > 1 else None
    return given.get("owner") if isinstance(given, dict) else None


def run(path: str, arguments: dict[str, Any]) -> Any:
    """What the worker calls. A failure is logged with its traceback and kept by the queue as a failed task."""
    try:
        return import_string(path)(**arguments)
    except Exception:
        log.exception("job failed path=%s", path)
        raise RuntimeError(f"{path} failed: {traceback.format_exc(limit=1).strip().splitlines()[-1]}") from None
