"""Takes forgotten texts out of what the site itself keeps: jobs and their results, the desk's log, sessions.

The rows of the queue are signed pickles: no search of the database finds a text in them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django_q.models import OrmQ, Task
from django_q.signing import SignedPackage

from forgesite.erasing import Plan
from forgesite.holding import holding
from forgesite.job import owner_in
from forgesite.lib.masking import Texts, masked, masked_json

if TYPE_CHECKING:
    from forgesite.models import Account

#: What a message shown once is kept under, where it does not fit the cookie.
SHOWN_ONCE = "_messages"
Write = Callable[[], object]


def plan(owner: Account, texts: Texts) -> Plan:
    """Every quotation becomes `[forgotten #id]`; a job goes on with what is left of its arguments.

    Jobs that name another owner are not looked at.
    """
    jobs = [*_waiting(owner, texts), *_done(owner, texts)]
    lines, sessions = _lines(owner, texts), _sessions(owner, texts)

    def write() -> None:
        for change in (*jobs, *lines, *sessions):
            change()

    return Plan(write, {"jobs": len(jobs), "log_lines": len(lines), "sessions": len(sessions)})


def leave(owner: Account) -> None:
    """An account that is deleted is signed in nowhere, and no job goes on for it."""
    for session in Session.objects.iterator():
        if _is_of(session.get_decoded(), owner):
            session.delete()
    for job in OrmQ.objects.iterator():
        if _owner_of(job.task) == owner.pk:
            job.delete()
    Task.objects.filter(pk__in=[task.pk for task in Task.objects.iterator() if _named(task) == owner.pk]).delete()


def _waiting(owner: Account, texts: Texts) -> list[Write]:
    changes: list[Write] = []
    for job in OrmQ.objects.order_by("id").iterator():
        task = job.task
        after = masked_json(task, texts) if _owner_of(task) in (None, owner.pk) else task
        if after != task:
            changes.append(partial(OrmQ.objects.filter(pk=job.pk).update, payload=SignedPackage.dumps(after)))
    return changes


def _done(owner: Account, texts: Texts) -> list[Write]:
    changes: list[Write] = []
    for task in Task.objects.order_by("pk").iterator():
        before = (task.args, task.kwargs, task.result)
        after = tuple(masked_json(value, texts) for value in before)
        if after != before and _named(task) in (None, owner.pk):
            task.args, task.kwargs, task.result = after
            changes.append(partial(task.save, update_fields=["args", "kwargs", "result"]))
    return changes


def _owner_of(task: Any) -> int | None:
    """Whose job it is, where its arguments say so (see job.py: a path, and what it is called with)."""
    return owner_in(task.get("args") if isinstance(task, dict) else None)


def _named(task: Task) -> int | None:
    return owner_in(task.args)


def _lines(owner: Account, texts: Texts) -> list[Write]:
    changes: list[Write] = []
    rows = LogEntry.objects.filter(user=owner)
    for pk, name, message in holding(rows, ["object_repr", "change_message"], texts):
        after = masked(name, texts)[:200], _masked_message(message, texts)
        if after != (name, message):
            line = rows.filter(pk=pk)
            changes.append(partial(line.update, object_repr=after[0], change_message=after[1]))
    return changes


def _masked_message(message: str, texts: Texts) -> str:
    """Django writes what was changed as JSON, and older lines as text."""
    try:
        kept = json.loads(message)
    except ValueError:
        return masked(message, texts)
    changed = masked_json(kept, texts)
    return message if changed == kept else json.dumps(changed)


def _sessions(owner: Account, texts: Texts) -> list[Write]:
    """Messages that wait to be shown: a session keeps them as JSON inside its own."""
    changes: list[Write] = []
    for session in Session.objects.iterator():
        data = session.get_decoded()
        if SHOWN_ONCE in data and _is_of(data, owner) and masked_json(_shown(data), texts) != _shown(data):
            data[SHOWN_ONCE] = json.dumps(masked_json(_shown(data), texts))
            session.session_data = SessionStore().encode(data)
            changes.append(partial(session.save, update_fields=["session_data"]))
    return changes


def _shown(data: dict[str, Any]) -> Any:
    try:
        return json.loads(data[SHOWN_ONCE])
    except ValueError:
        return data[SHOWN_ONCE]


def _is_of(data: dict[str, Any], owner: Account) -> bool:
    return str(data.get(SESSION_KEY, "")) == str(owner.pk)
