"""Jobs in words: what each does, how it stands, and what may be done about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django_q.models import Schedule

from forgesite import job_list
from forgesite.job_list import Due, Job

#: By dotted name; another is shown by its name alone.
NAMES: dict[str, Any] = {
    "chat.jobs.compact": gettext_lazy("Move old messages of a conversation into memory"),
    "chat.jobs.expire": gettext_lazy("Remove conversations that have expired"),
    "chat.jobs.prune": gettext_lazy("Remove runs and refusals that are older than they are kept"),
    "memory.jobs.embed_pending": gettext_lazy("Make the vectors that are missing"),
    "memory.jobs.scrub": gettext_lazy("Clean the file of what was forgotten"),
    "memory.folds.job.fold": gettext_lazy("Fold entries that say the same"),
    "retention.extraction.extract": gettext_lazy("Propose entries from what was said"),
    "retention.jobs.forget_daily": gettext_lazy("Have every account’s entries looked over"),
    "retention.jobs.pass_over": gettext_lazy("Propose what to archive or to replace"),
}
#: Words and tone of each state.
STATES: dict[str, tuple[Any, str]] = {
    job_list.WAITING: (gettext_lazy("waiting"), ""),
    job_list.RUNNING: (gettext_lazy("running"), "ok"),
    job_list.AGAIN: (gettext_lazy("failed, will be tried again"), "none"),
    job_list.FAILED: (gettext_lazy("failed"), "bad"),
    job_list.DONE: (gettext_lazy("done"), "ok"),
}
EVERY = {Schedule.HOURLY: gettext_lazy("every hour"), Schedule.DAILY: gettext_lazy("every day")}


@dataclass(frozen=True)
class Line:
    """`can_act`: it failed, and who looks may have it done again or removed."""

    job: Job
    name: str
    state: str
    tone: str
    can_act: bool


@dataclass(frozen=True)
class ScheduleLine:
    due: Due
    name: str
    every: str


def line(job: Job, *, may_act: bool) -> Line:
    words, tone = STATES[job.state]
    failed = job.state in (job_list.FAILED, job_list.AGAIN)
    return Line(job, name_of(job.path), str(words), tone, may_act and failed)


def name_of(path: str) -> str:
    return str(NAMES.get(path, path)) or _("a job that cannot be read")


def schedule_line(due: Due) -> ScheduleLine:
    if due.every == Schedule.MINUTES:
        every = ngettext("every minute", "every %(count)d minutes", due.minutes) % {"count": due.minutes}
    else:
        every = str(EVERY.get(due.every, dict(Schedule.TYPE).get(due.every, due.every)))
    return ScheduleLine(due, name_of(due.path), every)
