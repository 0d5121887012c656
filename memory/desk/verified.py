"""What the last verify on the desk found, kept in the desk's own log: one line of each account."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from forgesite.models import Account
from memory import ledger
from memory.models import Commit
from memory.verify import Report

#: What the line is about, in place of a row's id.
VERIFY = "verify"


@dataclass(frozen=True)
class LastVerify:
    """`since`: commits that were made after it, which it says nothing of."""

    at: datetime
    ok: bool
    commits: int
    entries: int
    findings: int
    since: int


def note(owner: Account, report: Report) -> None:
    """In place of the one before."""
    last = ledger.head(owner)
    told = {
        "ok": report.ok,
        "commits": report.commits,
        "entries": report.entries,
        "findings": len(report.findings) + report.more,
        "tick": last.tick if last else 0,
    }
    line = {"object_repr": VERIFY, "action_flag": CHANGE, "action_time": timezone.now()}
    LogEntry.objects.update_or_create(
        line | {"change_message": json.dumps(told)}, user=owner, content_type=None, object_id=VERIFY
    )


def last_verify(owner: Account) -> LastVerify | None:
    """None before the first."""
    ticks = Commit.objects.of(owner).order_by("-tick").values("tick")[:1]
    lines = LogEntry.objects.filter(user=owner, content_type=None, object_id=VERIFY)
    line = lines.annotate(tick=Coalesce(Subquery(ticks), 0)).first()
    if line is None:
        return None
    told = json.loads(line.change_message)
    since = max(line.tick - told["tick"], 0)
    return LastVerify(line.action_time, told["ok"], told["commits"], told["entries"], told["findings"], since)
