"""A complete copy of the database while others write to it."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite import database_file
from forgesite.database_file import Contents
from forgesite.errors import BackupError
from forgesite.part_file import BESIDE, part_of, put_in_place, sync
from forgesite.sqlite3_vec.driver import Database

KEPT = 5


def back_up_before_migrating(version: str) -> Path:
    """A copy in `DATA_DIR/backups`, of which the last five stay. Raises BackupError, and then nothing was removed."""
    folder = backups()
    made = back_up(folder / f"forge-{stamp()}-before-{version}.db")
    for old in sorted(folder.glob("forge-*-before-*.db"))[:-KEPT]:
        old.unlink(missing_ok=True)
    return made


def backups() -> Path:
    folder = Path(settings.DATA_DIR) / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def stamp() -> str:
    return f"{timezone.now():%Y%m%dT%H%M%S%f}"


def back_up(target: Path) -> Path:
    """Copy the database to `target` by SQLite's own backup: under another name, verified, then renamed.

    The copy needs no other file beside it. Raises BackupError; `target` is then as it was.
    """
    try:
        with part_of(target) as part:
            with database_file.opened(Path(settings.DATABASE_FILE)) as source:
                database_file.copy(source, part)
            database_file.verify(part)
            sync(part)
            put_in_place(part, target)
    except (OSError, Database.Error) as error:
        raise BackupError(_("The backup %(file)s was not made: %(why)s") % {"file": target, "why": error}) from error
    return target


def back_up_to(target: Path, *, force: bool) -> Contents:
    """Make the copy that a person asked for. With `force` an older file of that name is replaced.

    Raises BackupError, with what stands there, for a file that must not be replaced.
    """
    target = target.absolute() if not target.exists() else target.resolve()
    _refuse(target, force=force)
    back_up(target)
    with database_file.read_only(target) as shell:
        return database_file.contents(shell)


def _refuse(target: Path, *, force: bool) -> None:
    live = Path(settings.DATABASE_FILE).resolve()
    if not live.exists():
        raise BackupError(_("There is no database %(file)s yet: there is nothing to back up.") % {"file": live})
    if target in {live, *(Path(f"{live}{end}") for end in BESIDE)}:
        raise BackupError(_("%(file)s is the database in use. Name another file.") % {"file": target})
    if target.is_dir():
        raise BackupError(_("%(file)s is a folder. Name a file in it.") % {"file": target})
    if not target.parent.is_dir():
        raise BackupError(_("There is no folder %(folder)s. Make it first.") % {"folder": target.parent})
    if target.exists() and not target.is_file():
        raise BackupError(_("%(file)s is no ordinary file. Name another.") % {"file": target})
    if target.exists() and not force:
        raise BackupError(_("%(file)s exists already. Name another file, or give --force.") % {"file": target})
