"""Put a backup in the place of the database in use: verified and brought up to date before, swapped by one renaming."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import DatabaseError, connection
from django.utils.translation import gettext as _

from forgesite import database_file, store_lock, upgrade
from forgesite.backup import backups, stamp
from forgesite.database_file import Contents
from forgesite.errors import ConflictError, StoreError
from forgesite.part_file import BESIDE, part_of, put_in_place, sync
from forgesite.sqlite3_vec.driver import Database

#: For so many milliseconds another program may have the database open before the restore gives up.
PATIENCE = 500


@dataclass(frozen=True)
class Preview:
    """`present` is None where there is no database, or none that can be read; `damage` is then what SQLite says of it.

    `lost`: entries of the present database that are not in the backup; `back`: the other way round. `migrated` and
    `made`: what had to be done to the copy of the backup.
    """

    backup: Contents
    present: Contents | None
    lost: int
    back: int
    migrated: tuple[str, ...]
    made: tuple[str, ...]
    damage: str = ""


@dataclass(frozen=True)
class Restored:
    """`kept`: a copy of the database that was replaced; None where there was none."""

    preview: Preview
    kept: Path | None


def preview(file: Path) -> Preview:
    """What `restore` would do: the same steps but the last. Raises what that raises."""
    words = _("The backup %(file)s cannot be used: %(why)s. Nothing was changed.")
    with _in_words(words, file), part_of(_live()) as part:
        return _made_ready(file, part)


def restore(file: Path) -> Restored:
    """Replace the database by a backup; a copy of the database as it was is kept.

    Killed at any moment it leaves the one or the other, whole. Raises ConflictError where something works with the
    database, or a newer Forge wrote the backup; StoreError for a file that is no whole backup, or where the database
    cannot be replaced. Then nothing was changed.
    """
    words = _("The database was not replaced by %(file)s: %(why)s. It is as it was.")
    with _in_words(words, file), store_lock.alone(), part_of(_live()) as part:
        found = _made_ready(file, part)
        return Restored(found, _swap(part, _live()))


@contextmanager
def _in_words(words: str, file: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, Database.Error, DatabaseError) as error:
        raise StoreError(words % {"file": file, "why": error}) from error


@contextmanager
def connected_to(file: Path) -> Iterator[None]:
    """Django's own connection is one to `file` inside the block: migrations and the ORM work on it.

    Not for a process in which other threads use the database.
    """
    before = connection.settings_dict["NAME"]
    _reconnect(file)
    try:
        yield
    finally:
        _reconnect(before)


def _reconnect(name: Any) -> None:
    connection.close()
    connection.settings_dict["NAME"] = str(name)
    ContentType.objects.clear_cache()  # their numbers are those of one database


def _live() -> Path:
    return Path(settings.DATABASE_FILE).resolve()


def _made_ready(file: Path, part: Path) -> Preview:
    """Make of an empty file a copy of the backup that can take the place of the database."""
    _refuse(file)
    with database_file.read_only(file) as source:
        if not database_file.is_of_forge(source):
            raise StoreError(_("%(file)s holds no database of Forge. Nothing was changed.") % {"file": file})
        database_file.copy(source, part)
    database_file.verify(part)
    migrated, made = _brought_up_to_date(part, file)
    return _compared(part, migrated, made)


def _refuse(file: Path) -> None:
    if not file.is_file():
        raise StoreError(_("There is no file %(file)s. Nothing was changed.") % {"file": file})
    if file.resolve() == _live():
        raise StoreError(_("%(file)s is the database in use. Nothing was changed.") % {"file": file})


def _brought_up_to_date(part: Path, file: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The migrations that were applied, and the names of what had been lost."""
    with connected_to(part):
        plan = upgrade.planned(file)
        made = upgrade.apply(plan)
    with database_file.opened(part) as shell:
        shell.execute("PRAGMA journal_mode = DELETE")  # its log would not be renamed with it
    if plan.pending or made:
        database_file.verify(part)
    sync(part)
    return plan.pending, tuple(made)


def _compared(part: Path, migrated: tuple[str, ...], made: tuple[str, ...]) -> Preview:
    live = _live()
    with database_file.read_only(part) as shell:
        backup, theirs = database_file.contents(shell), database_file.addresses(shell)
    if not live.exists():
        return Preview(backup, None, 0, len(theirs), migrated, made)
    try:
        with database_file.opened(live) as shell:
            present, ours = database_file.contents(shell), database_file.addresses(shell)
    except Database.Error as error:
        return Preview(backup, None, 0, len(theirs), migrated, made, damage=str(error))
    return Preview(backup, present, len(ours - theirs), len(theirs - ours), migrated, made)


def _swap(part: Path, live: Path) -> Path | None:
    """One renaming. A log of the old file is gone before: SQLite would apply it to the new one."""
    with _closed_to_others(live) as present:
        kept = _keep(live, present)
        for end in BESIDE:
            Path(f"{live}{end}").unlink(missing_ok=True)
        sync(live.parent)
        put_in_place(part, live)
    return kept


@contextmanager
def _closed_to_others(live: Path) -> Iterator[Any | None]:
    """The database in use, its log written back into it, while not even a SQLite shell can open it.

    None where there is none, or where it is damaged. Raises ConflictError where another program has it open.
    """
    if live.exists():
        with database_file.opened(live) as shell:
            if _closes(shell, live):
                yield shell
                return
    yield None


def _closes(shell: Any, live: Path) -> bool:
    """Take the lock for good. False for a file that SQLite does not understand."""
    try:
        shell.execute(f"PRAGMA busy_timeout = {PATIENCE}")
        shell.execute("PRAGMA locking_mode = EXCLUSIVE")
        shell.execute("PRAGMA journal_mode = DELETE")
        shell.execute("BEGIN EXCLUSIVE")
        shell.execute("COMMIT")  # in that mode the lock stays; with a transaction open no copy could be made
    except Database.OperationalError as error:
        if "locked" not in str(error):
            raise
        raise ConflictError(
            _("Another program has %(file)s open. Close it, then try again. Nothing was changed.") % {"file": live}
        ) from error
    except Database.DatabaseError:
        return False
    return True


def _keep(live: Path, present: Any | None) -> Path | None:
    """A copy of the database as it was; of one that SQLite does not understand, its bytes."""
    if not live.exists():
        return None
    kept = backups() / f"replaced-{stamp()}.db"
    with part_of(kept) as part:
        if present is not None:
            database_file.copy(present, part)
        else:
            shutil.copyfile(live, part)
        sync(part)
        put_in_place(part, kept)
    return kept
