"""`export`: everything that an account owns, as JSON Lines on standard output."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from forgesite.accounts import account_named, first_account
from forgesite.command import ForgeCommand
from forgesite.errors import UnknownError
from forgesite.export_lines import pages
from forgesite.models import Account


class Command(ForgeCommand):
    help = "Write everything that an account owns to standard output, as GET /export does; `import` reads it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", default="", help="whose (default: the first account's)")

    def handle(self, *, user: str, **_options: Any) -> None:
        for page in pages(_owner(user)):
            self.stdout.write(page, ending="")


def _owner(user: str) -> Account:
    found = account_named(user) if user else first_account()
    if found is None:
        raise UnknownError(_("There is no account yet. `up` makes the first; so does `account create NAME`."))
    return found
