"""What the site itself keeps of a text that is forgotten: jobs, their results, the desk's log, sessions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone
from django_q.models import OrmQ, Task
from django_q.signing import SignedPackage

from forgesite import erase
from forgesite.lib.masking import gone
from forgesite.models import Account

PORT = "the test server runs on port 8080"
TEXTS = gone([(312, PORT)])


def waiting(**arguments: Any) -> OrmQ:
    task = {"id": "1" * 32, "name": "look", "func": "forgesite.job.run", "args": ("memory.jobs.look", arguments)}
    return OrmQ.objects.create(key="forge", payload=SignedPackage.dumps(task), lock=timezone.now())


def done(result: str, **arguments: Any) -> Task:
    now = timezone.now()
    return Task.objects.create(
        id="2" * 32,
        name="look",
        func="forgesite.job.run",
        args=("memory.jobs.look", arguments),
        kwargs={},
        result=result,
        started=now,
        stopped=now,
        success=False,
    )


def test_a_job_that_waits_goes_on_without_the_text(ana: Account) -> None:
    job = waiting(owner=ana.pk, words=[f"Remember that {PORT}"], message=7)
    going = erase.plan(ana, TEXTS)
    assert PORT in str(OrmQ.objects.get().task)
    going.write()
    _path, arguments = OrmQ.objects.get(pk=job.pk).task["args"]
    assert arguments == {"owner": ana.pk, "words": ["Remember that [forgotten #312]"], "message": 7}
    assert going.removed["jobs"] == 1


def test_a_job_of_somebody_else_is_left_alone(ana: Account, ben: Account) -> None:
    waiting(owner=ben.pk, words=PORT)
    done(PORT, owner=ben.pk)
    going = erase.plan(ana, TEXTS)
    going.write()
    assert going.removed["jobs"] == 0
    assert PORT in str(OrmQ.objects.get().task)


def test_a_job_that_cannot_be_read_breaks_nothing(ana: Account) -> None:
    OrmQ.objects.create(key="forge", payload="no package", lock=timezone.now())
    assert erase.plan(ana, TEXTS).removed["jobs"] == 0


def test_the_arguments_and_the_result_of_a_finished_job_lose_it(ana: Account) -> None:
    task = done(f"could not save {PORT}", owner=ana.pk, words=PORT)
    erase.plan(ana, TEXTS).write()
    task.refresh_from_db()
    assert (task.result, task.args[1]["words"]) == ("could not save [forgotten #312]", "[forgotten #312]")


@pytest.mark.parametrize(
    ("message", "after"),
    [
        (f"Changed “{PORT}”.", "Changed “[forgotten #312]”."),
        (json.dumps([{"changed": {"name": PORT}}]), json.dumps([{"changed": {"name": "[forgotten #312]"}}])),
    ],
)
def test_the_desks_log_loses_it(ana: Account, ben: Account, message: str, after: str) -> None:
    for user in (ana, ben):
        LogEntry.objects.create(
            user=user,
            content_type=ContentType.objects.first(),
            object_id="1",
            object_repr=PORT,
            action_flag=CHANGE,
            change_message=message,
        )
    erase.plan(ana, TEXTS).write()
    line = LogEntry.objects.get(user=ana)
    assert (line.object_repr, line.change_message) == ("[forgotten #312]", after)
    assert LogEntry.objects.get(user=ben).object_repr == PORT


def session(owner: Account, **data: Any) -> Session:
    store = SessionStore()
    store.update({SESSION_KEY: str(owner.pk), **data})
    store.save()
    return Session.objects.get(pk=store.session_key)


def test_a_message_that_waits_in_a_session_loses_it_and_the_session_goes_on(ana: Account) -> None:
    kept = session(ana, _messages=json.dumps([["__json_message", 0, 20, f"Saved: {PORT}", ""]]), colour="dark")
    erase.plan(ana, TEXTS).write()
    data = Session.objects.get(pk=kept.pk).get_decoded()
    assert json.loads(data["_messages"])[0][3] == "Saved: [forgotten #312]"
    assert (data["colour"], data[SESSION_KEY]) == ("dark", str(ana.pk))


def test_whoever_leaves_is_signed_in_nowhere_and_no_job_goes_on_for_them(ana: Account, ben: Account) -> None:
    session(ana)
    other = session(ben)
    waiting(owner=ana.pk)
    kept = waiting(owner=ben.pk)
    done("", owner=ana.pk)
    erase.leave(ana)
    assert list(Session.objects.values_list("pk", flat=True)) == [other.pk]
    assert (list(OrmQ.objects.values_list("pk", flat=True)), Task.objects.count()) == ([kept.pk], 0)
