"""A harness reads a copy of a store, and never the store: copied, verified, and Django connected to it.

It is searched with one's own settings (`.env` and the environment), as the store is: distances of another embedder
would say nothing of it. What the copy gets of rows, migrations and jobs goes with it.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: Of the copy's own findings so many are shown.
SHOWN = 3


@contextmanager
def on_copy(db: Path, **settings: str) -> Iterator[Path]:
    """The copy's file. Import models inside the block only; `settings`: those of Forge that are other than one's own.

    At the end one line on stderr says that the store is as it was, or that another program wrote to it meanwhile. Ends
    the process with status 1 and a sentence for a file that is no whole database of this Forge or an older one. What
    `verify` finds in the copy is said on stderr, and the harness goes on: somebody's edit is no reason not to measure.
    """
    db = db.absolute()
    if not db.is_file():
        sys.exit(f"There is no file {db}.")
    before = digest(db)
    with tempfile.TemporaryDirectory(prefix="forge-bench-") as folder, _django(Path(folder), settings):
        copy = Path(folder) / "forge.db"
        _copied(db, copy)
        from forgesite.restore import connected_to

        with connected_to(copy):
            _brought_up_to_date(db)
            _verified(db)
            yield copy
    print(_left(db, before, digest(db)), file=sys.stderr)


def digest(db: Path) -> str:
    """Of the file and of the log beside it, which holds what was written last. Read in pieces."""
    found = hashlib.sha256()
    for part in (db, Path(f"{db}-wal")):
        if part.is_file():
            with part.open("rb") as opened:
                found.update(hashlib.file_digest(opened, "sha256").digest())
    return found.hexdigest()


@contextmanager
def _django(folder: Path, settings: dict[str, str]) -> Iterator[None]:
    """Set up with the data folder of the copy, where it is not set up yet."""
    import django
    from django.apps import apps

    if not apps.ready:
        os.environ.update({"DATA_DIR": str(folder), "DATABASE_URL": f"sqlite:///{folder / 'forge.db'}"})
        os.environ["DJANGO_SETTINGS_MODULE"] = "forgesite.settings"
        django.setup()
    from django.conf import settings as present
    from django.test import override_settings

    asked = type(present.FORGE).model_validate(present.FORGE.model_dump() | settings)
    with override_settings(DATA_DIR=folder, DATABASE_FILE=folder / "forge.db", FORGE=asked):
        yield


def _copied(db: Path, copy: Path) -> None:
    from forgesite import database_file
    from forgesite.sqlite3_vec.driver import Database

    copy.touch()
    try:
        with database_file.read_only(db) as source:
            if not database_file.is_of_forge(source):
                sys.exit(f"{db} holds no database of Forge.")
            database_file.copy(source, copy)
        database_file.verify(copy)
    except Database.Error as error:
        sys.exit(f"{db} cannot be read as a database of Forge: {error}.")


def _brought_up_to_date(db: Path) -> None:
    from forgesite import upgrade
    from forgesite.errors import ConflictError

    try:
        upgrade.apply(upgrade.planned(db))
    except ConflictError as error:
        sys.exit(error.message)


def _verified(db: Path) -> None:
    from forgesite.errors import StoreError
    from memory.verify import verify

    try:
        found = verify()
    except StoreError as error:
        sys.exit(f"{db}: {error.message}")
    for finding in found.findings[:SHOWN]:
        print(f"{db}: {finding.message}", file=sys.stderr)
    if (more := len(found.findings) - SHOWN + found.more) > 0:
        print(f"{db}: … and {more} more findings of `verify`", file=sys.stderr)


def _left(db: Path, before: str, after: str) -> str:
    if before == after:
        return f"{db} is as it was (sha256 {after[:12]}); all of this was done on a copy, which is gone."
    return f"{db} was written to by another program meanwhile; all of this was done on a copy, which is gone."
