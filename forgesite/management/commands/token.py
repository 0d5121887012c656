"""`token create|list|revoke`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from forgesite import accounts
from forgesite.command import ForgeCommand
from forgesite.management.commands.signin import account_or_first
from forgesite.models import Account


class Command(ForgeCommand):
    help = "Make, list and revoke bearer tokens of the API."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        create = verbs.add_parser("create", help="make a token and print it, alone on the last line")
        create.add_argument("--user", default="", help="whose; made if new (default: the first account)")
        create.add_argument("--name", default="", help="what it is for")
        create.add_argument("--scope", default="all", help=" or ".join(accounts.SCOPES) + " (default: %(default)s)")
        listed = verbs.add_parser("list", help="the tokens in force")
        listed.add_argument("--user", default="", help="only this account's")
        revoke = verbs.add_parser("revoke", help="a token no longer opens anything")
        revoke.add_argument("id", type=int)

    def handle(self, *, verb: str, **options: Any) -> None:
        getattr(self, f"{verb}_token")(**options)

    def create_token(self, *, user: str, name: str, scope: str, **_options: Any) -> None:
        secret = accounts.new_token(self._owner(user), name=name, scope=scope)
        self.stderr.write(_("Shown this once; Forge keeps only its digest:"))
        self.stdout.write(secret)

    def _owner(self, user: str) -> Account:
        if user and not Account.objects.filter(username=user).exists():
            return accounts.create_account(user)
        return account_or_first(user)

    def list_token(self, *, user: str, **_options: Any) -> None:
        for token in accounts.tokens(accounts.account_named(user) if user else None):
            used = f"{token.last_used_at:%Y-%m-%d}" if token.last_used_at else "-"
            self.stdout.write(f"{token.pk}  {token.owner.username}  {token.scope}  {used}  {token.name}".rstrip())

    def revoke_token(self, *, id: int, **_options: Any) -> None:
        token = accounts.revoke_token(id)
        self.stdout.write(
            _("The token %(id)s of %(owner)s is revoked.") % {"id": token.pk, "owner": token.owner.username}
        )
