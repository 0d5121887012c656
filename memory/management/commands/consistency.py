"""`consistency [--repair]`: are the indexes in step with the entries?"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from forgesite.command import ForgeCommand
from memory.consistency import Consistency, check, repair

#: Lines of one run; the rest is counted.
SHOWN = 50


class Command(ForgeCommand):
    help = "Count entries, word rows, vectors and what waits, of everybody, and compare them. Exits with 1 on findings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--repair", action="store_true", help="make the indexes anew from the entries")

    def handle(self, *, repair: bool, **_options: Any) -> None:
        found = check()
        self._say(found)
        if found.ok:
            return
        if not repair:
            raise CommandError(_("`manage.py consistency --repair` makes the indexes anew from the entries."))
        self._repair()

    def _repair(self) -> None:
        repair()
        found = check()
        if not found.ok:
            self._say(found)
            raise CommandError(_("Repaired, and not all of it is in step: run `manage.py verify`."))
        self.stdout.write(_("Repaired: everything is in step."))

    def _say(self, found: Consistency) -> None:
        words = _(
            "Entries %(entries)d (live %(live)d), word rows %(words)d, with vectors %(embedded)d, waiting %(pending)d."
        )
        self.stdout.write(words % vars(found.counts))
        for step in found.out_of_step[:SHOWN]:
            self.stderr.write(step.message)
        if (more := len(found.out_of_step) - SHOWN) > 0:
            self.stderr.write(_("… and %(count)d more.") % {"count": more})
        if found.ok:
            self.stdout.write(_("Everything is in step."))
