"""A complete copy of the database while others write to it."""

from __future__ import annotations

import os
import secrets
from contextlib import closing
from pathlib import Path

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.errors import BackupError
from forgesite.sqlite3_vec.base import load_vectors
from forgesite.sqlite3_vec.driver import Database

KEPT = 5


def back_up_before_migrating(version: str) -> Path:
    """A copy in `DATA_DIR/backups`, of which the last five stay. Raises BackupError, and then nothing was removed."""
    folder = Path(settings.DATA_DIR) / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = back_up(folder / f"forge-{timezone.now():%Y%m%dT%H%M%S%f}-before-{version}.db")
    for old in sorted(folder.glob("forge-*-before-*.db"))[:-KEPT]:
        old.unlink(missing_ok=True)
    return made


def back_up(target: Path) -> Path:
    """Copy the database to `target` by SQLite's own backup: under another name, verified, then renamed.

    The copy needs no other file beside it. Raises BackupError; `target` is then as it was.
    """
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        part.touch(mode=0o600)
        _copy(part)
        os.replace(part, target)
    except (OSError, Database.Error) as error:
        raise BackupError(_("The backup %(file)s was not made: %(why)s") % {"file": target, "why": error}) from error
    finally:
        for left in (part, Path(f"{part}-wal"), Path(f"{part}-shm"), Path(f"{part}-journal")):
            left.unlink(missing_ok=True)
    return target


def _copy(part: Path) -> None:
    with closing(Database.connect(settings.DATABASE_FILE)) as source, closing(Database.connect(part)) as copy:
        source.backup(copy)
        load_vectors(copy)  # an index that its module cannot be asked about counts as damaged
        copy.execute("PRAGMA journal_mode = DELETE")  # the write-ahead log would be a second file
        findings = [row[0] for row in copy.execute("PRAGMA integrity_check(5)")]
    if findings != ["ok"]:
        raise Database.DatabaseError("; ".join(findings))
    descriptor = os.open(part, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
