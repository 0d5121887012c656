"""`manage.py repl`: a chat in the terminal, with the same commands as the page."""

from __future__ import annotations

import asyncio
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.outcome import complete
from chat.terminal import account_named, messages
from chat.turn import TurnRequest
from forgesite.errors import ForgeError


class Command(BaseCommand):
    help = "Chat in the terminal. !help lists the commands; ``` opens and closes a pasted block; exit leaves."

    stealth_options = ("stdin",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", default="", help="The account that chats; without it, the first.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            owner = account_named(options["user"])
        except ForgeError as error:
            raise CommandError(error.message) from None
        conversation, given = "", options.get("stdin")
        for text in messages(given.readline if given else self._line):
            try:
                result = asyncio.run(complete(TurnRequest(owner, text, conversation, door="terminal")))
            except ForgeError as error:
                self.stderr.write(error.message)
                continue
            conversation = result.conversation
            self.stdout.write(result.output)
            if result.error:
                self.stderr.write(result.error["message"])

    def _line(self) -> str | None:
        try:
            return f"{input('> ')}\n"
        except (EOFError, KeyboardInterrupt):
            return None
