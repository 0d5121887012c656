"""`restore FILE`: what a backup would replace; with --apply it does."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from forgesite.command import ForgeCommand
from forgesite.database_file import Contents
from forgesite.prepare import lost_note
from forgesite.restore import Preview, preview, restore


class Command(ForgeCommand):
    help = "Show what a backup would replace; with --apply, put it in the place of the database in use."
    needs_store = False  # the database in use may be damaged: that is what a backup is for

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--apply", action="store_true", help="replace the database; a copy of it is kept")

    def handle(self, *, file: Path, apply: bool, **_options: Any) -> None:
        if apply:
            done = restore(file)
            self.show(file, done.preview)
            self.stdout.write(_("The database %(file)s is replaced.") % {"file": settings.DATABASE_FILE})
            if done.kept:
                self.stdout.write(_("A copy of it as it was: %(file)s") % {"file": done.kept})
        else:
            self.show(file, preview(file))
            self.stdout.write(
                _(
                    "Nothing was changed. With --apply the backup takes the place of the database, of which a copy is "
                    "kept; passwords, tokens and sessions are then those of the backup."
                )
            )

    def show(self, file: Path, found: Preview) -> None:
        self.stdout.write(_("The backup: %(file)s") % {"file": file.resolve()})
        self.stdout.write(f"  {_held(found.backup)}")
        for note in _notes(found):
            self.stdout.write(f"  {note}")
        self.stdout.write(_("The database: %(file)s") % {"file": settings.DATABASE_FILE})
        self.stdout.write(f"  {_present(found)}")
        for line in _differences(found):
            self.stdout.write(line)


def _held(held: Contents) -> str:
    words = _("accounts %(accounts)d, entries %(entries)d, commits %(commits)d, messages %(messages)d")
    if not held.last_change:
        return words % vars(held)
    return f"{words % vars(held)}; {_('last change %(at)s UTC') % {'at': held.last_change[:16]}}"


def _present(found: Preview) -> str:
    if found.present:
        return _held(found.present)
    return _("it cannot be read: %(why)s") % {"why": found.damage} if found.damage else _("there is none yet")


def _notes(found: Preview) -> list[str]:
    notes = []
    if found.migrated:
        words = _("it is of an older Forge, and is brought up to date: %(names)s")
        notes.append(words % {"names": ", ".join(found.migrated)})
    if found.made:
        notes.append(lost_note(list(found.made)))
    return notes


def _differences(found: Preview) -> list[str]:
    """What a person would miss afterwards, and what would be there again that somebody deleted."""
    lines = []
    if found.lost:
        words = ngettext(
            "%(count)d entry of the database is not in the backup.",
            "%(count)d entries of the database are not in the backup.",
            found.lost,
        )
        lines.append(words % {"count": found.lost})
    if found.present and found.back:
        words = ngettext(
            "%(count)d entry of the backup is not in the database; a deleted one is there again afterwards.",
            "%(count)d entries of the backup are not in the database; deleted ones are there again afterwards.",
            found.back,
        )
        lines.append(words % {"count": found.back})
    return lines
