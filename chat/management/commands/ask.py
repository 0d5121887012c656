"""`manage.py ask "question"`: one turn, its answer printed."""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentParser
from typing import Any

from chat.outcome import complete
from chat.terminal import account_of, remark
from chat.turn_request import TurnRequest
from forgesite.command import ForgeCommand


class Command(ForgeCommand):
    help = "Ask one question and print the answer."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question")
        parser.add_argument("--user", default="", help="whose memory (default: the first account's)")

    def handle(self, *, question: str, user: str, **_options: Any) -> None:
        result = asyncio.run(complete(TurnRequest(account_of(user), question, door="terminal")))
        self.stdout.write(result.output)
        if said := remark(result):
            self.stderr.write(said)
        if result.error:
            sys.exit(1)
