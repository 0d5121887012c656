"""`manage.py record ADDRESS`: an entry with its history and links, or a commit with its entries, as JSON."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from forgesite.command import ForgeCommand
from forgesite.errors import InvalidError
from forgesite.management.commands.signin import account_or_first
from memory.record import record

WRONG_USAGE = 2


class Command(ForgeCommand):
    help = "Print an entry with its history and links, or a commit and how it left its entries, as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="of an entry or of a commit (8 digits or more), or an entry's number")
        parser.add_argument("--as-of", default="", help="the entry as it was: a commit, a date (2026-03-31) or a time")
        parser.add_argument("--user", default="", help="whose memory (default: the first account's)")

    def handle(self, *, address: str, as_of: str, user: str, **_options: Any) -> None:
        try:
            said = record(account_or_first(user), address, as_of)
        except InvalidError as error:
            self.stderr.write(error.message)
            sys.exit(WRONG_USAGE)
        self.stdout.write(said.model_dump_json(indent=2))
