"""`manage.py ask "question"`: one turn, its answer printed."""

from __future__ import annotations

import asyncio
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.outcome import complete
from chat.terminal import account_named
from chat.turn import TurnRequest
from forgesite.errors import ForgeError


class Command(BaseCommand):
    help = "Ask one question and print the answer."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("question")
        parser.add_argument("--user", default="", help="The account that asks; without it, the first.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            owner = account_named(options["user"])
            result = asyncio.run(complete(TurnRequest(owner, options["question"], door="terminal")))
        except ForgeError as error:
            raise CommandError(error.message) from None
        self.stdout.write(result.output)
        if not result.ok:
            raise CommandError((result.error or {}).get("message", "stopped"))
