"""`account create|password|delete NAME`."""

from __future__ import annotations

import getpass
import sys
from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from forgesite import accounts
from forgesite.command import ForgeCommand
from forgesite.errors import InvalidError


class Command(ForgeCommand):
    help = "Make an account, give it a password, or delete it with everything it holds."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        create = verbs.add_parser("create", help="make an account; its owner signs in by the link that is printed")
        password = verbs.add_parser("password", help="set a password")
        password.add_argument("--stdin", action="store_true", help="read it from standard input")
        delete = verbs.add_parser("delete", help="show what would be deleted")
        delete.add_argument("--apply", action="store_true", help="delete it, for good")
        for verb in (create, password, delete):
            verb.add_argument("name")

    def handle(self, *, verb: str, name: str, **options: Any) -> None:
        getattr(self, f"{verb}_account")(name, **options)

    def create_account(self, name: str, **_options: Any) -> None:
        account = accounts.create_account(name)
        role = _("superuser, being the first") if account.is_superuser else _("member")
        self.stdout.write(_("Made the account %(name)s (%(role)s).") % {"name": name, "role": role})
        self.stdout.write(_("`signin %(name)s` prints a link that signs it in.") % {"name": name})

    def password_account(self, name: str, *, stdin: bool, **_options: Any) -> None:
        account = accounts.account_named(name)
        accounts.set_password(account, sys.stdin.readline().rstrip("\n") if stdin else _asked_twice())
        self.stdout.write(_("The password of %(name)s is set.") % {"name": name})

    def delete_account(self, name: str, *, apply: bool, **_options: Any) -> None:
        account = accounts.account_named(name)
        held = accounts.held_by(account)
        for kind, count in held.counts:
            self.stdout.write(f"{count:>8}  {kind}")
        if held.folder:
            self.stdout.write(_("and the folder %(folder)s") % {"folder": held.folder})
        if not apply:
            self.stdout.write(
                _("Nothing was deleted. With --apply all of this goes, for good. Backups keep what they hold.")
            )
            return
        accounts.delete_account(account)
        self.stdout.write(_("The account %(name)s and everything of it is deleted.") % {"name": name})


def _asked_twice() -> str:
    first = getpass.getpass(_("Password: "))
    if getpass.getpass(_("Once more: ")) != first:
        raise InvalidError(_("The two passwords differ; nothing was changed."))
    return first
