"""`fold [--apply]`: entries that say one subject in several lines, and the line that could speak for them."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from forgesite import accounts
from forgesite.command import ForgeCommand
from forgesite.models import Account
from memory.fold import apply
from memory.folds import lines as fold_lines
from memory.folds.plan import planned


class Command(ForgeCommand):
    help = "Say which entries could be folded, and why others are not. With --apply: fold them; a fold can be unwound."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--apply", action="store_true", help="do it")
        parser.add_argument("--force", action="store_true", help="even where questions would be given less")
        parser.add_argument("--subject", action="append", default=[], help="only this one; may be given several times")
        parser.add_argument("--user", default="", help="whose memory (default: everybody's)")

    def handle(self, *, apply: bool, force: bool, subject: Sequence[str], user: str, **_options: Any) -> None:
        owners = [accounts.account_named(user)] if user else list(Account.objects.order_by("pk"))
        for owner in owners:
            lines = self._applied(owner, subject, force=force) if apply else self._preview(owner)
            self.stdout.write("\n".join([f"{owner.username}:", *lines]))

    def _applied(self, owner: Account, subject: Sequence[str], *, force: bool) -> list[str]:
        done = apply(owner, subjects=subject or None, actor="person", cause="fold command", guard=not force)
        how = [_("`manage.py fold --apply --force` does it all the same.")] if done.losses else []
        return [*fold_lines.applied(done), *how]

    def _preview(self, owner: Account) -> list[str]:
        found = planned(owner)
        lines = [line for fold in found.plan.folds for line in fold_lines.lines(fold)]
        how = [_("`manage.py fold --apply` does it.")] if found.plan.accepted else [_("Nothing to fold.")]
        return [*lines, *fold_lines.left_alone(found), fold_lines.totals(found), *how]
