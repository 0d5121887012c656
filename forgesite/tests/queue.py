"""Rows of the queue, as django-q2 leaves them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone
from django_q.models import OrmQ, Task
from django_q.signing import SignedPackage

from forgesite.job import RUN

KEY = "compact talk"
PATH = "chat.jobs.compact"


def queued(task_id: str = "q", *, path: str = PATH, key: str = KEY, begun: float | None = None, **given: Any) -> OrmQ:
    """In the queue. `begun`: it was taken up so many seconds ago."""
    package = {"id": task_id, "name": key, "group": key, "func": RUN, "args": (path, given), "kwargs": {}}
    lock = timezone.now() - timedelta(seconds=1)
    if begun is not None:
        queue: dict[str, Any] = settings.Q_CLUSTER
        lock = timezone.now() + timedelta(seconds=queue["retry"] - begun)
    return OrmQ.objects.create(key="forge", payload=SignedPackage.dumps(package), lock=lock)


def ended(task_id: str, error: str = "", *, path: str = PATH, key: str = KEY, tries: int = 1, **given: Any) -> Task:
    """Done; with an error it failed, five seconds ago."""
    now = timezone.now()
    return Task.objects.create(
        id=task_id,
        name=key,
        group=key,
        func=RUN,
        args=(path, given),
        kwargs={},
        result=f"{path} failed: {error} : Traceback (most recent call last): …" if error else "words that it returned",
        started=now - timedelta(seconds=7),
        stopped=now - timedelta(seconds=5),
        success=not error,
        attempt_count=tries,
    )
