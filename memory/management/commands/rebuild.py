"""`rebuild [--apply] [--user NAME]`: put memory back as its ledger says."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from forgesite import accounts
from forgesite.command import ForgeCommand
from forgesite.models import Account
from memory.proof.findings import Finding
from memory.rebuild import Rebuilt, plan, rebuild

#: Lines of one run; the rest is counted.
SHOWN = 50


class Command(ForgeCommand):
    help = "Put rows, links, texts and indexes back as the ledger says. Without --apply: say what would be."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--apply", action="store_true", help="do it")
        parser.add_argument("--user", default="", help="whose memory (default: everybody's)")

    def handle(self, *, apply: bool, user: str, **_options: Any) -> None:
        owners = [accounts.account_named(user)] if user else list(Account.objects.order_by("pk"))
        done = [rebuild(owner) if apply else plan(owner) for owner in owners]
        for each in done:
            self._list(each.restored)
        count = sum(len(each.restored) for each in done)
        self.stdout.write(restored(count) if apply else would_be(count))
        self._left(done)

    def _left(self, done: Sequence[Rebuilt]) -> None:
        left = [finding for each in done for finding in each.left]
        for finding in left[:SHOWN]:
            self.stderr.write(finding.message)
        if left:
            raise CommandError(_("Left as it is, for nothing can give it back: %(count)d.") % {"count": len(left)})

    def _list(self, findings: Sequence[Finding]) -> None:
        for finding in findings[:SHOWN]:
            self.stdout.write(finding.message)
        if (more := len(findings) - SHOWN) > 0:
            self.stdout.write(_("… and %(count)d more.") % {"count": more})


def restored(count: int) -> str:
    return ngettext("%(count)d difference was taken back.", "%(count)d differences were taken back.", count) % {
        "count": count
    }


def would_be(count: int) -> str:
    words = ngettext(
        "%(count)d difference would be taken back: `manage.py rebuild --apply` does it.",
        "%(count)d differences would be taken back: `manage.py rebuild --apply` does it.",
        count,
    )
    return words % {"count": count}
