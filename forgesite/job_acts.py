"""A failed job is tried again, or removed. Both may be asked for twice: the second finds nothing left to do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django_q.models import OrmQ, Task

from forgesite import job, job_list, worker_lock
from forgesite.errors import ConflictError, UnknownError
from forgesite.job import owner_in
from forgesite.models import Account

#: Rights to act on one's own jobs, which change one's own memory, and on those of the whole installation.
OWN, ALL = "memory.change_entry", "django_q.change_task"


@dataclass(frozen=True)
class _Failed:
    """`queued`: its row in the queue, where it has tries left."""

    task: Task
    queued: OrmQ | None


def may_act(viewer: Account, *, own: bool) -> bool:
    return viewer.has_perm(OWN if own else ALL)


def retry(viewer: Account, job_id: str) -> str:
    """Have a failed job done again, now. Returns its key. It is queued once, however often that is asked for.

    Raises UnknownError for one that is not there any more, is somebody else's, or may not be touched; ConflictError for
    one that runs just now, or is none of ours.
    """
    with transaction.atomic():
        found = _failed(viewer, job_id)
        if not job_list.is_ours(found.task):
            raise ConflictError(_("This job is none of Forge’s own, and cannot be queued again."))
        path, arguments = found.task.args
        key = str(found.task.group or path)
        if found.queued:
            _unlock(found.queued)
            return key
        Task.objects.filter(pk=found.task.pk).delete()
        job.enqueue(path, key=key, **arguments)
    return key


def remove(viewer: Account, job_id: str) -> None:
    """Take a failed job away, with the tries it has left. Raises as `retry` does."""
    with transaction.atomic():
        found = _failed(viewer, job_id)
        if found.queued:
            OrmQ.objects.filter(pk=found.queued.pk).delete()
        Task.objects.filter(pk=found.task.pk).delete()


def _failed(viewer: Account, job_id: str) -> _Failed:
    """In a transaction that writes: until its end no worker takes the job up."""
    task = Task.objects.filter(pk=job_id, success=False).first()
    owner = owner_in(task.args) if task else None
    if task is None or owner not in (None, viewer.pk) or not may_act(viewer, own=owner is not None):
        raise UnknownError(_("That job is not there any more."))
    queued = next((row for row in OrmQ.objects.order_by("id").iterator() if row.task.get("id") == task.pk), None)
    if queued and job_list.state_of(queued.lock, task, worker_lock.alive()) == job_list.RUNNING:
        raise ConflictError(_("That job runs just now. Wait for its end."))
    return _Failed(task, queued)


def _unlock(queued: OrmQ) -> None:
    """It waits for its next try: that is now."""
    OrmQ.objects.filter(pk=queued.pk).update(lock=timezone.now() - timedelta(seconds=1))
