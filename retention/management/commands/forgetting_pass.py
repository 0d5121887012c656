"""`forgetting_pass [--once] [--dry-run]`: judge what may be out of date, and propose. A person decides."""

from __future__ import annotations

import logging
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from forgesite import accounts
from forgesite.command import ForgeCommand
from forgesite.errors import ForgeError
from forgesite.models import Account
from retention import forgetting_pass
from retention.forgetting_pass import Passed

log = logging.getLogger(__name__)


class Command(ForgeCommand):
    help = "Judge once what of memory may be out of date, and propose what to do. Nothing is changed: a person decides."

    @property
    def needs_store(self) -> bool:  # type: ignore[override]
        """Off, it reads nothing at all."""
        return bool(settings.FORGE.FORGETTING_PASS_ENABLED)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="one pass, here and now; it does so without it too")
        parser.add_argument("--dry-run", action="store_true", help="say what a pass would do; no model is asked")
        parser.add_argument("--user", default="", help="whose memory (default: that of every active account)")

    def handle(self, *, dry_run: bool, user: str, **_options: Any) -> None:
        if not settings.FORGE.FORGETTING_PASS_ENABLED:
            self.stdout.write(
                _("The forgetting pass is off: nothing was read. FORGETTING_PASS_ENABLED=true turns it on.")
            )
            return
        owners = [accounts.account_named(user)] if user else _everybody()
        failed = [owner.username for owner in owners if not self._passed_over(owner, dry_run=dry_run)]
        if failed:
            message = _("The pass failed for %(names)s, and what it had stored by then stays. The log says why.")
            raise CommandError(message % {"names": ", ".join(failed)})

    def _passed_over(self, owner: Account, *, dry_run: bool) -> bool:
        """False: it failed, and the log says why; the others have their pass, as they have in the daily jobs."""
        try:
            done = forgetting_pass.preview(owner) if dry_run else forgetting_pass.run(owner)
        except (ForgeError, DatabaseError, OSError):
            log.exception("forgetting pass failed owner=%d", owner.pk)
            return False
        self.stdout.write("\n".join(_lines(owner, done)))
        return True


def _everybody() -> list[Account]:
    return list(Account.objects.filter(is_active=True).order_by("pk"))


def _lines(owner: Account, done: Passed) -> list[str]:
    counts = _(
        "%(name)s: %(candidates)d candidates, %(judged)d judged, %(proposed)d proposed, %(dismissed)d dismissed, "
        "%(left)d left for the next pass"
    )
    told = {"name": owner.username} | {
        name: getattr(done, name) for name in ("candidates", "judged", "proposed", "dismissed", "left")
    }
    return [counts % told, *(f"  {why}" for why in done.trouble)]
