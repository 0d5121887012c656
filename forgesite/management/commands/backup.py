"""`backup FILE`: a complete copy of the database, also while Forge runs."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from forgesite import store_lock
from forgesite.backup import back_up_to
from forgesite.command import ForgeCommand


class Command(ForgeCommand):
    help = "Copy the database, complete and verified, to one file; Forge may run meanwhile."
    needs_store = False  # a copy is made of the database as it is, not brought up to date before

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--force", action="store_true", help="replace FILE where it exists")

    def handle(self, *, file: Path, force: bool, **_options: Any) -> None:
        store_lock.hold()
        held = back_up_to(file, force=force)
        self.stdout.write(f"{file.resolve()}  {filesizeformat(file.stat().st_size)}")
        words = _("It holds: accounts %(accounts)d, entries %(entries)d, commits %(commits)d, messages %(messages)d.")
        self.stdout.write(words % vars(held))
        self.stdout.write(
            _(
                "Not in it: the settings (.env); secret_key (restored under another one, everybody signs in again, "
                "while tokens go on working); traces.jsonl (the runs themselves are in it)."
            )
        )
