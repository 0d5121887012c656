"""`manage.py repl`: a chat in the terminal, with the same commands as the page."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _

from chat.outcome import complete
from chat.terminal import account_of, messages, remark
from chat.turn_request import TurnRequest
from forgesite.command import ForgeCommand
from forgesite.errors import ForgeError

#: What begins another conversation, and whether that is a temporary one.
BEGINS = {"!new": False, "!temp": True}


class Command(ForgeCommand):
    help = "Chat in the terminal. !help lists the commands; ``` opens and closes a pasted block; exit leaves."
    stealth_options = ("stdin",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", default="", help="whose memory (default: the first account's)")

    def handle(self, *, user: str, **options: Any) -> None:
        owner, conversation, given = account_of(user), "", options.get("stdin")
        temporary = False
        for text in messages(given.readline if given else _line):
            begins = text.strip().casefold()
            if begins in BEGINS:
                conversation, temporary = "", BEGINS[begins]
                self.stdout.write(_begun(temporary))
            else:
                conversation = self._turn(TurnRequest(owner, text, conversation, temporary=temporary, door="terminal"))

    def _turn(self, asked: TurnRequest) -> str:
        """The conversation it was in. A text that begins no turn is named, and the chat goes on."""
        try:
            result = asyncio.run(complete(asked))
        except ForgeError as error:
            self.stderr.write(error.message)
            return asked.conversation
        self.stdout.write(result.output)
        if said := remark(result):
            self.stderr.write(said)
        return result.conversation


def _begun(temporary: bool) -> str:
    if temporary:
        return _("A temporary conversation begins: nothing in it enters memory.")
    return _("A new conversation begins.")


def _line() -> str | None:
    try:
        return f"{input('> ')}\n"
    except (EOFError, KeyboardInterrupt):
        return None
