"""`settings_docs`: the written settings, against the code's."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from forgesite.command import ForgeCommand
from forgesite.config import ROOT
from forgesite.settings_docs import env_example, with_table


class Command(ForgeCommand):
    help = "Say whether .env.example and the README's table are current; --write makes them so."
    needs_store = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--write", action="store_true")

    def handle(self, *, write: bool, **_: Any) -> None:
        readme = ROOT / "README.md"
        wanted = {ROOT / ".env.example": env_example(), readme: with_table(readme.read_text())}
        stale = [file for file, text in wanted.items() if not file.exists() or file.read_text() != text]
        for file in stale:
            if write:
                file.write_text(wanted[file])
            self.stdout.write(f"{file.name} {'written' if write else 'is not current'}")
        if stale and not write:
            sys.exit(1)
