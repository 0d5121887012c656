"""`signin`: a fresh one-time link."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from forgesite import accounts
from forgesite.address import DEFAULT_HOST, DEFAULT_PORT, sign_in_url
from forgesite.command import ForgeCommand
from forgesite.errors import UnknownError
from forgesite.models import Account


class Command(ForgeCommand):
    help = "Print a link that signs an account in once, within an hour."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", default="", help="whose link (default: the first account's)")
        parser.add_argument("--host", default=DEFAULT_HOST, help="host in the link, when PUBLIC_URL is not set")
        parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="port in the link")

    def handle(self, *, name: str, host: str, port: int, **_: Any) -> None:
        secret = accounts.sign_in_link(account_or_first(name))
        self.stdout.write(sign_in_url(secret, host, port))


def account_or_first(name: str) -> Account:
    found = accounts.account_named(name) if name else accounts.first_account()
    if found is None:
        raise UnknownError(_("There is no account yet. `up` makes the first; so does `account create NAME`."))
    return found
