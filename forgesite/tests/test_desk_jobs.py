"""Jobs on the desk and by the API: whose are seen, what of them is told, and what may be done about a failed one."""

from __future__ import annotations

import fcntl
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.test import Client, TestCase
from django_q.models import OrmQ, Schedule, Task

from forgesite import job
from forgesite.models import Account
from forgesite.tests.queue import KEY, PATH, ended, queued

PAGE, ACT = "/admin/health/jobs/", "/admin/health/jobs/act/"
EMBED, SECRET = "memory.jobs.embed_pending", "the canary sings at dawn"


@pytest.fixture
def desk(client: Client, ana: Account) -> Client:
    """Ana as a member: what is her own is hers, the installation is not."""
    Account.objects.filter(pk=ana.pk).update(is_staff=True)
    ana.user_permissions.set(Permission.objects.filter(content_type__app_label="memory"))
    client.force_login(ana)
    return client


@pytest.fixture
def root(desk: Client, ana: Account) -> Client:
    Account.objects.filter(pk=ana.pk).update(is_superuser=True)
    return desk


def text(client: Client) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", client.get(PAGE).content.decode()).split())


def states(client: Client) -> dict[str, str]:
    return {one["id"]: one["state"] for one in client.get("/jobs").json()["jobs"]}


def test_every_state_is_told_apart(root: Client, ana: Account) -> None:
    """In the queue a job is locked for as long as it may run, also when it has failed long before."""
    queued("waits", owner=ana.pk)
    queued("runs", begun=2, owner=ana.pk)
    queued("again", begun=20, owner=ana.pk)
    ended("again", "ValueError: no", tries=2, owner=ana.pk)
    ended("failed", "ValueError: no", tries=3, owner=ana.pk)
    ended("done", owner=ana.pk)

    assert states(root)["runs"] == "waiting"  # no worker lives that could run it
    with (Path(settings.DATA_DIR) / "worker.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_SH)
        found = states(root)

    assert found == {"waits": "waiting", "runs": "running", "again": "again", "failed": "failed", "done": "done"}


def test_a_job_that_names_an_owner_is_seen_by_nobody_else(root: Client, ana: Account, ben: Account) -> None:
    ended("theirs", f"ValueError: {SECRET}", owner=ben.pk, key="compact bens-talk")
    queued("waits", owner=ben.pk, key="compact bens-talk")
    ended("own", "ValueError: mine", owner=ana.pk)

    page, told = text(root), root.get("/jobs").json()

    assert SECRET not in page + str(told)
    assert "bens-talk" not in page + str(told)
    assert "ValueError: mine" in page
    assert "2 jobs are not shown" in page
    assert (list(states(root)), told["hidden"]) == (["own"], 2)


def test_of_everybodys_jobs_an_error_is_told_by_its_kind_where_others_have_rows(
    root: Client, ana: Account, ben: Account
) -> None:
    ended("all", f"ValueError: {SECRET}", path=EMBED, key=EMBED)

    assert "ValueError" in text(root)
    assert SECRET not in text(root)
    ben.delete()
    assert f"ValueError: {SECRET}" in text(root)


def test_the_installations_jobs_are_for_those_with_the_right_to_see_the_queue(desk: Client, ana: Account) -> None:
    ended("all", "ValueError: no", path=EMBED, key=EMBED)

    assert states(desk) == {}
    ana.user_permissions.add(Permission.objects.get(codename="view_task"))
    assert states(desk) == {"all": "failed"}
    assert 'value="all"' not in desk.get(PAGE).content.decode()


def test_no_argument_and_no_result_is_told(root: Client, ana: Account) -> None:
    queued("q", owner=ana.pk, text=SECRET)
    ended("done", owner=ana.pk, text=SECRET)

    assert SECRET not in text(root) + str(root.get("/jobs").json())
    assert "words that it returned" not in text(root)


def test_a_failed_job_is_queued_again_once_however_often_that_is_asked_for(root: Client, ana: Account) -> None:
    ended("failed", "ValueError: no", tries=3, owner=ana.pk, conversation="talk")

    with TestCase.captureOnCommitCallbacks(execute=True):
        first = root.post(ACT, {"retry": "failed"}, follow=True).content.decode()
    with TestCase.captureOnCommitCallbacks(execute=True):
        second = root.post(ACT, {"retry": "failed"}, follow=True).content.decode()

    assert "The job is queued again." in first
    assert "not there any more" in second
    [row] = OrmQ.objects.all()
    assert (row.task["args"], row.task["group"]) == ((PATH, {"owner": ana.pk, "conversation": "talk"}), KEY)
    assert not Task.objects.exists()


def test_nothing_is_queued_beside_one_of_its_key_that_waits(root: Client, ana: Account) -> None:
    ended("failed", "ValueError: no", tries=3, owner=ana.pk)
    queued("newer", owner=ana.pk)

    with TestCase.captureOnCommitCallbacks(execute=True):
        root.post(ACT, {"retry": "failed"})

    assert [row.task["id"] for row in OrmQ.objects.all()] == ["newer"]


def test_one_that_has_tries_left_is_tried_now_and_removed_with_them(root: Client, ana: Account) -> None:
    ended("again", "ValueError: no", owner=ana.pk)
    row = queued("again", begun=20, owner=ana.pk)

    root.post(ACT, {"retry": "again"})
    assert OrmQ.objects.get(pk=row.pk).lock < row.lock
    assert OrmQ.objects.get().task["id"] == "again"

    root.post(ACT, {"remove": "again"})
    assert (OrmQ.objects.count(), Task.objects.count()) == (0, 0)


def test_a_job_of_another_account_can_be_neither_queued_nor_removed(root: Client, ben: Account) -> None:
    ended("theirs", "ValueError: no", owner=ben.pk)

    for act in ("retry", "remove"):
        assert "not there any more" in root.post(ACT, {act: "theirs"}, follow=True).content.decode()
    assert Task.objects.filter(pk="theirs").exists()


def test_a_hand_made_post_of_someone_who_may_only_look_is_refused(desk: Client, ana: Account) -> None:
    ana.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    ended("own", "ValueError: no", owner=ana.pk)
    ended("all", "ValueError: no", path=EMBED, key=EMBED)

    for name in ("own", "all"):
        for act in ("retry", "remove"):
            assert desk.post(ACT, {act: name}).status_code == 403
    assert Task.objects.count() == 2
    assert "Retry" not in text(desk)


def test_a_member_acts_on_no_job_of_the_whole_installation(desk: Client, ana: Account) -> None:
    ended("all", "ValueError: no", path=EMBED, key=EMBED)

    desk.post(ACT, {"remove": "all"})

    assert Task.objects.count() == 1


def test_schedules_say_when_they_run_next_and_how_they_ended(root: Client) -> None:
    job.every_minute(EMBED)
    job.daily("chat.jobs.prune")
    Schedule.objects.filter(name=EMBED).update(task=ended("last", "OSError: no", path=EMBED).pk)

    page, told = text(root), root.get("/jobs").json()["schedules"]

    assert "Make the vectors that are missing" in page
    assert "every minute" in page
    assert "every day" in page
    assert {one["name"]: one["ok"] for one in told} == {EMBED: False, "chat.jobs.prune": None}
    assert all(one["next_run"] for one in told)


def test_a_row_that_nobody_can_read_takes_the_page_down_for_nobody(root: Client) -> None:
    OrmQ.objects.create(key="forge", payload="not signed by this Forge", lock=None)

    assert "a job that cannot be read" in text(root)


@pytest.mark.parametrize("page", ["ormq", "failure", "success", "schedule"])
def test_the_queues_own_pages_with_their_arguments_are_not_there(root: Client, page: str) -> None:
    assert root.get(f"/admin/django_q/{page}/").status_code == 404


@pytest.mark.parametrize("rows", [100, 1000])
def test_many_jobs_need_few_queries(
    root: Client, ana: Account, rows: int, django_assert_max_num_queries: object
) -> None:
    ended("first", "ValueError: no", owner=ana.pk)
    one = Task.objects.get()
    Task.objects.bulk_create(
        Task(**{f.name: getattr(one, f.name) for f in Task._meta.fields} | {"id": f"t{n}", "success": n % 2 == 0})
        for n in range(rows)
    )
    with django_assert_max_num_queries(15):  # type: ignore[operator]
        assert root.get(PAGE).status_code == 200
