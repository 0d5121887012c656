"""The queue as a person sees it: what waits, runs, failed and was done, and when the schedules are due.

A job that names an owner is that owner's alone. One that names nobody works over everybody's rows: it is shown to those
who may see the queue, and of its error no more than its kind where others have an account here. No argument is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone
from django_q.models import OrmQ, Schedule, Task

from forgesite import worker_lock
from forgesite.job import RUN, owner_in
from forgesite.models import Account

WAITING, RUNNING, AGAIN, FAILED, DONE = "waiting", "running", "again", "failed", "done"
STATES = (WAITING, RUNNING, AGAIN, FAILED, DONE)
#: Most rows that are looked at of each: of those waiting, failed and done. Their arguments are signed or pickled, so
#: that no query could tell whose they are.
LOOKED_AT = 500
#: The right to see what concerns the whole installation.
SEES_ALL = "django_q.view_task"
#: What job.py raises: the path, then the kind of the error, then its words, which may quote a row.
OURS = re.compile(r"\S+ failed: (?P<kind>[\w.]+)(?::.*)?", re.DOTALL)


@dataclass(frozen=True)
class Job:
    """`path`: its dotted name, empty where that cannot be read. `at`: it ended, or is tried next, or was begun.

    `tries`: how often it was begun. `seconds`: how long it ran the last time. `own`: it names the one who looks.
    """

    id: str
    path: str
    key: str
    state: str
    tries: int
    at: datetime | None
    seconds: float | None
    error: str
    own: bool


@dataclass(frozen=True)
class Due:
    """A schedule. `ok`: how its last run ended, None where that is not known."""

    path: str
    every: str
    minutes: int
    next_run: datetime | None
    ok: bool | None


@dataclass(frozen=True)
class Jobs:
    """`hidden`: jobs of other accounts. `more`: some were not looked at, as there are so many."""

    alive: bool
    jobs: tuple[Job, ...]
    due: tuple[Due, ...]
    hidden: int
    more: bool


@dataclass(frozen=True)
class _Viewer:
    id: int
    sees_all: bool
    alone: bool

    def sees(self, owner: int | None) -> bool:
        return owner == self.id or (owner is None and self.sees_all)


def jobs_of(viewer: Account) -> Jobs:
    """In the order of STATES, the newest first."""
    alone = not Account.objects.exclude(pk=viewer.pk).exists()
    who = _Viewer(viewer.pk, viewer.has_perm(SEES_ALL), alone)
    alive = worker_lock.alive()
    waiting, failed, done = _rows()
    found = [*_waiting(waiting, {task.pk: task for task in failed}, alive)]
    queued = {job.id for job, _owner in found}
    found += [_ended(task, FAILED) for task in failed if task.pk not in queued]
    found += [_ended(task, DONE) for task in done]
    seen = [_shown(job, owner, who) for job, owner in found if who.sees(owner)]
    seen.sort(key=lambda job: STATES.index(job.state))
    more = any(len(rows) >= LOOKED_AT for rows in (waiting, failed, done))
    return Jobs(alive, tuple(seen), tuple(_due()), len(found) - len(seen), more)


def _rows() -> tuple[list[OrmQ], list[Task], list[Task]]:
    ended = Task.objects.order_by("-stopped", "id")
    return (
        list(OrmQ.objects.order_by("-id")[:LOOKED_AT]),
        list(ended.filter(success=False)[:LOOKED_AT]),
        # What a job returned is nobody's business here, and may be long.
        list(ended.filter(success=True).defer("result")[:LOOKED_AT]),
    )


def _waiting(rows: list[OrmQ], failed: dict[str, Task], alive: bool) -> Iterator[tuple[Job, int | None]]:
    for row in rows:
        told = row.task
        id_, last = str(told.get("id", "")), failed.get(str(told.get("id", "")))
        state = state_of(row.lock, last, alive)
        later = row.lock if row.lock and row.lock > timezone.now() and state != RUNNING else None
        tries = (last.attempt_count if last else 0) + (state == RUNNING)
        path, key = path_in(told.get("args")), str(told.get("group") or "")
        error, seconds = (_error(last), _seconds(last)) if last else ("", None)
        yield Job(id_, path, key, state, tries, later, seconds, error, False), owner_in(told.get("args"))


def state_of(lock: datetime | None, last: Task | None, alive: bool) -> str:
    """Of a job in the queue. Taken up it is locked for as long as it may run at most, and stays so where it fails."""
    if lock is None or lock <= timezone.now():
        return AGAIN if last else WAITING
    queue: dict[str, Any] = settings.Q_CLUSTER
    taken_up = lock - timedelta(seconds=queue["retry"])
    if last and last.stopped >= taken_up:
        return AGAIN
    return RUNNING if alive else WAITING


def _ended(task: Task, state: str) -> tuple[Job, int | None]:
    error = _error(task) if state == FAILED else ""
    key, path = task.group or "", path_in(task.args)
    job = Job(task.pk, path, key, state, task.attempt_count, task.stopped, _seconds(task), error, False)
    return job, owner_in(task.args)


def path_in(arguments: Any) -> str:
    """The dotted name of a job (see job.py); empty where there is none."""
    named = arguments[0] if isinstance(arguments, tuple) and arguments else ""
    return named if isinstance(named, str) else ""


def _seconds(task: Task) -> float:
    return float(task.time_taken())


def _error(task: Task) -> str:
    """What the queue kept of it, without the traceback, which the log has."""
    return " ".join(str(task.result or "").split(" : Traceback")[0].split())


def _shown(job: Job, owner: int | None, who: _Viewer) -> Job:
    """Of an error only its kind, where it may quote somebody else."""
    own, error = owner == who.id, job.error
    if match := OURS.fullmatch(error):
        error = error.partition(" failed: ")[2] if own or who.alone else match["kind"]
    return replace(job, own=own, error=error)


def _due() -> Iterator[Due]:
    schedules = list(Schedule.objects.order_by("next_run", "id")[:LOOKED_AT])
    ended = Task.objects.filter(pk__in=[one.task for one in schedules if one.task])
    ok = dict(ended.values_list("pk", "success"))
    for one in schedules:
        path = one.name or one.func
        yield Due(path, one.schedule_type, one.minutes or 0, one.next_run, ok.get(one.task or ""))


def is_ours(task: Task) -> bool:
    """Was it queued by job.py, so that it can be queued again by it?"""
    return bool(task.func == RUN and path_in(task.args))
