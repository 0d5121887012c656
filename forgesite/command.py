"""Base of Forge's commands: an error that a person may see is one line on stderr and exit status 1.

A command that works on the data folder finds a database there that is up to date, also before the first `up`.
"""

from __future__ import annotations

import sys
from typing import Any, Literal

from django.core.management.base import BaseCommand, CommandError

from forgesite.errors import ForgeError
from forgesite.prepare import bring_up_to_date


class ForgeCommand(BaseCommand):
    #: Only `up` and `check` run the checks: a command that searches need not wait for them.
    requires_system_checks: tuple[str, ...] | Literal["__all__"] = ()
    needs_store = True

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            if self.needs_store:
                for note in bring_up_to_date():
                    self.stderr.write(note)
            return super().execute(*args, **options)
        except ForgeError as error:
            if not getattr(self, "_called_from_command_line", False):
                raise CommandError(error.message) from error
            self.stderr.write(error.message)
            sys.exit(1)
