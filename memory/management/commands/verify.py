"""`verify [--adopt] [--user NAME]`: is memory what its ledger says?"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from forgesite import accounts
from forgesite.command import ForgeCommand
from forgesite.models import Account
from memory.adopt import adopt
from memory.proof.findings import Finding
from memory.verify import Report, verify

#: Lines of one run; the rest is counted.
SHOWN = 50
CAUSE = "verify --adopt"


class Command(ForgeCommand):
    help = "Replay the ledger, and compare every row, link, text and index with it. Exits with 1 on findings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--adopt", action="store_true", help="record what was changed outside Forge as a commit")
        parser.add_argument("--user", default="", help="whose memory (default: everybody's)")

    def handle(self, *, adopt: bool, user: str, **_options: Any) -> None:
        owner = accounts.account_named(user) if user else None
        if adopt:
            for each in [owner] if owner else Account.objects.order_by("pk"):
                self._adopt(each)
        self._say(verify(owner))

    def _adopt(self, owner: Account) -> None:
        done = adopt(owner, cause=CAUSE)
        for pk in done.entries:
            self.stdout.write(_("Entry #%(id)d is recorded as it is.") % {"id": pk})
        for pk in done.forgotten:
            self.stdout.write(_("Entry #%(id)d was deleted, and is forgotten for good.") % {"id": pk})
        if done.commit:
            self.stdout.write(_("Commit %(commit)s says so.") % {"commit": done.commit.address})
        self._list(done.left)

    def _say(self, report: Report) -> None:
        read = {"commits": report.commits, "entries": report.entries}
        self.stdout.write(_("Read: commits %(commits)d, entries %(entries)d.") % read)
        if report.ok:
            self.stdout.write(_("Every row, link, text and index is what the ledger says."))
            return
        self._list(report.findings, report.more)
        raise CommandError(
            _(
                "Memory is not what the ledger says. `manage.py verify --adopt` records what was changed outside "
                "Forge; `manage.py rebuild` takes it back."
            )
        )

    def _list(self, findings: Sequence[Finding], more: int = 0) -> None:
        for finding in findings[:SHOWN]:
            self.stderr.write(finding.message)
        if (left := len(findings) - SHOWN + more) > 0:
            self.stderr.write(_("… and %(count)d more.") % {"count": left})
