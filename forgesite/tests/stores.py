"""Databases in files, for the tests of backups: what the test's own database holds, in a data folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection
from django.test import override_settings

from forgesite import database_file
from forgesite.sqlite3_vec.base import load_vectors
from memory.models import Entry


def stored(file: Path) -> Path:
    """The test's database as it is now, in a file. Only outside a transaction."""
    file.parent.mkdir(exist_ok=True)
    file.touch()
    with database_file.opened(Path(connection.settings_dict["NAME"])) as source:
        database_file.copy(source, file)
    return file


def emptied() -> None:
    Entry.objects.all().delete()


@contextmanager
def in_folder(folder: Path) -> Iterator[Path]:
    """The settings of a Forge whose data folder this is."""
    with override_settings(DATA_DIR=folder, DATABASE_FILE=folder / "forge.db"):
        yield folder / "forge.db"


def texts(file: Path) -> list[str]:
    """Of the entries in a file, which may have a log beside it."""
    with database_file.opened(file) as shell:
        return [text for (text,) in shell.execute("SELECT text FROM memory_entry ORDER BY id")]


def run(file: Path, sql: str) -> None:
    """As somebody with a SQLite shell would, and a vector extension."""
    with database_file.opened(file) as shell, shell:
        load_vectors(shell)
        shell.executescript(sql)


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())
