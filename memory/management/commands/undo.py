"""`manage.py undo [ADDRESS]`: take a commit back, or show which there are."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.command import ForgeCommand
from forgesite.language import zone_of
from forgesite.management.commands.signin import account_or_first
from forgesite.models import Account
from memory.commit_lines import line
from memory.commits import NAMED, commits, undone
from memory.models import Commit
from memory.undo import hindrances, undo

LISTED = 10


class Command(ForgeCommand):
    help = "Take back what a commit changed. Without an address: the last ten commits, and what each did."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", nargs="?", default="", help="of the commit; its first 8 digits will do")
        parser.add_argument("--user", default="", help="whose memory (default: the first account's)")

    def handle(self, *, address: str, user: str, **_options: Any) -> None:
        owner = account_or_first(user)
        if not address:
            self._list(owner)
            return
        made = undo(owner, address, actor="person", cause="undo command")
        self.stdout.write(_("Undone by commit %(commit)s: %(did)s.") % {"commit": made.address, "did": line(made)})

    def _list(self, owner: Account) -> None:
        found = commits(owner, limit=LISTED)
        if not found:
            self.stdout.write(_("Nothing was changed yet."))
            return
        why, by, zone = hindrances(owner, found), undone(owner, found[-1].tick), zone_of(owner.time_zone)
        for commit in found:
            at = timezone.localtime(commit.at, zone)
            mark = state(commit, by.get(commit.address[:NAMED], ""), why[commit.tick])
            self.stdout.write(f"{commit.address[:NAMED]}  {at:%Y-%m-%d %H:%M}  {commit.actor}  {line(commit)}{mark}")


def state(commit: Commit, by: str, why: str) -> str:
    if by:
        return " " + _("[undone by %(commit)s]") % {"commit": by[:NAMED]}
    return " " + _("[cannot be undone: %(why)s]") % {"why": why} if why else ""
