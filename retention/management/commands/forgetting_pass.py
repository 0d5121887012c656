"""`forgetting_pass [--once] [--dry-run]`: judge what may be out of date, and propose. A person decides."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from forgesite import accounts
from forgesite.command import ForgeCommand
from forgesite.models import Account
from retention import forgetting_pass
from retention.forgetting_pass import Passed


class Command(ForgeCommand):
    help = "Judge once what of memory may be out of date, and propose what to do. Nothing is changed: a person decides."

    @property
    def needs_store(self) -> bool:  # type: ignore[override]
        """Off, it reads nothing at all."""
        return bool(settings.FORGE.FORGETTING_PASS_ENABLED)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="one pass, here and now; it does so without it too")
        parser.add_argument("--dry-run", action="store_true", help="say what a pass would do; no model is asked")
        parser.add_argument("--user", default="", help="whose memory (default: everybody's)")

    def handle(self, *, dry_run: bool, user: str, **_options: Any) -> None:
        if not settings.FORGE.FORGETTING_PASS_ENABLED:
            self.stdout.write(
                _("The forgetting pass is off: nothing was read. FORGETTING_PASS_ENABLED=true turns it on.")
            )
            return
        owners = [accounts.account_named(user)] if user else list(Account.objects.order_by("pk"))
        for owner in owners:
            done = forgetting_pass.preview(owner) if dry_run else forgetting_pass.run(owner)
            self.stdout.write("\n".join(_lines(owner, done)))


def _lines(owner: Account, done: Passed) -> list[str]:
    counts = _(
        "%(name)s: %(candidates)d candidates, %(judged)d judged, %(proposed)d proposed, %(dismissed)d dismissed, "
        "%(left)d left for the next pass"
    )
    told = {"name": owner.username} | {
        name: getattr(done, name) for name in ("candidates", "judged", "proposed", "dismissed", "left")
    }
    return [counts % told, *(f"  {why}" for why in done.trouble)]
