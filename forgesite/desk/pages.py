"""The desk's pages about the installation: health, jobs, where the data is, the settings in force."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from forgesite import job_acts, job_list, stored_files
from forgesite.desk.frame import account_of, shown
from forgesite.desk.job_words import Line, line, schedule_line
from forgesite.errors import ForgeError
from forgesite.filesystems import network_filesystem
from forgesite.models import Account
from forgesite.receivers import receivers
from forgesite.settings_in_force import in_force
from memory import health, store_counts, table_sizes
from memory.desk.health import checked, store_page

#: Jobs of one state that the page lists.
LISTED = 50
#: Who may have every row read: it keeps the machine busy for a while.
MAY_CHECK = "memory.change_entry"


@require_safe
def health_page(request: HttpRequest) -> HttpResponse:
    """`?tables`: what each table takes, which reads every page of the file; about what, where SQLite cannot say."""
    account = account_of(request, "health")
    page = store_page(account, health.embedding_health())
    more: dict[str, Any] = {"tables_asked": "tables" in request.GET}
    if more["tables_asked"]:
        more["tables"] = store_counts.tables()
        if more["tables"] is None:
            more |= {"tables": table_sizes.estimated(), "estimated": True}
    sizes, may_check = stored_files.database_sizes(), account.has_perm(MAY_CHECK)
    return shown(request, "health", "health/store", page=page, sizes=sizes, may_check=may_check, **more)


def check_page(request: HttpRequest) -> HttpResponse:
    """The button: are the two indexes in step with every row?"""
    account = account_of(request, "health")
    if request.method != "POST":
        return redirect("admin:health")
    if not account.has_perm(MAY_CHECK):
        raise PermissionDenied(gettext("You may not have the indexes checked."))
    return shown(request, "health", "health/check", found=checked(account))


@require_safe
def jobs_page(request: HttpRequest) -> HttpResponse:
    account = account_of(request, "jobs")
    found = job_list.jobs_of(account)
    rights = {own: job_acts.may_act(account, own=own) for own in (True, False)}
    lines = [line(job, may_act=rights[job.own]) for job in found.jobs]
    due = [schedule_line(due) for due in found.due]
    return shown(request, "jobs", "health/jobs", found=found, groups=_groups(lines), due=due)


def _groups(lines: list[Line]) -> list[dict[str, Any]]:
    """What is still to be done, what failed and what was done. Each is shown when it is empty: that is news too."""
    named = (
        (gettext("Waiting and running"), (job_list.WAITING, job_list.RUNNING, job_list.AGAIN), "todo"),
        (gettext("Failed"), (job_list.FAILED,), "failed"),
        (gettext("Done"), (job_list.DONE,), "done"),
    )
    groups = [(name, id_, [each for each in lines if each.job.state in states]) for name, states, id_ in named]
    return [
        {"name": name, "id": id_, "count": len(found), "lines": found[:LISTED], "more": len(found[LISTED:])}
        for name, id_, found in groups
    ]


def job_act(request: HttpRequest) -> HttpResponse:
    """*Retry* or *Remove*. Done twice, the second says that nothing is left to do."""
    account = account_of(request, "jobs")
    if request.method != "POST":
        return redirect("admin:jobs")
    if not any(job_acts.may_act(account, own=own) for own in (True, False)):
        raise PermissionDenied(gettext("You may not act on jobs."))
    try:
        messages.success(request, _acted(account, request.POST))
    except ForgeError as error:
        messages.warning(request, error.message)
    return redirect("admin:jobs")


def _acted(account: Account, asked: Any) -> str:
    if job_id := asked.get("retry", ""):
        job_acts.retry(account, job_id)
        return gettext("The job is queued again.")
    job_acts.remove(account, asked.get("remove", ""))
    return gettext("The job is removed.")


@require_safe
def data_page(request: HttpRequest) -> HttpResponse:
    account = account_of(request, "data")
    return shown(
        request,
        "data",
        "health/data",
        disk=stored_files.on_disk(account),
        open_to_others=stored_files.others_may_open(),
        folder=settings.DATA_DIR,
        database=settings.DATABASE_FILE,
        backups=stored_files.backups(),
        backup_folder=settings.DATA_DIR / stored_files.BACKUPS,
        receivers=receivers(account),
        network=network_filesystem(settings.DATA_DIR) or network_filesystem(Path(settings.DATABASE_FILE).parent),
    )


@require_safe
def settings_page(request: HttpRequest) -> HttpResponse:
    account_of(request, "settings_in_force")
    return shown(request, "settings_in_force", "health/settings", found=in_force())


#: Below /admin/: address, name and view.
PAGES: tuple[tuple[str, str, Callable[..., HttpResponse]], ...] = (
    ("health/", "health", health_page),
    ("health/check/", "health_check", check_page),
    ("health/jobs/", "jobs", jobs_page),
    ("health/jobs/act/", "job_act", job_act),
    ("health/data/", "data", data_page),
    ("health/settings/", "settings_in_force", settings_page),
)
