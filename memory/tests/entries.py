"""What the tests of memory share: a short way to save, to search, and to reach the database as a shell would."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from django.db import connection

from forgesite.models import Account
from forgesite.sqlite3_vec.driver import Database
from memory.models import Entry
from memory.recall import Query, recall
from memory.remember import Draft, remember

SHELL = shutil.which("sqlite3")


def saved(owner: Account, text: str, **draft: object) -> Entry:
    return remember(owner, Draft(text, **draft), actor="person", cause="test").entry  # type: ignore[arg-type]


def found(owner: Account, text: str, **query: object) -> list[str]:
    """The texts that a recall shows, in order."""
    return [row.entry.text for row in recall(owner, Query(text, **query)).rows]  # type: ignore[arg-type]


def by_words(owner: Account, text: str) -> list[str]:
    return found(owner, text, policy="lexical", top_k=50)


def by_sql(statement: str, *values: str | int | bytes | None) -> None:
    """As somebody else's program would: Forge is not asked."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def run_in_a_shell(folder: Path, sql: str) -> None:
    """Run SQL on the test's database from a plain SQLite: no vector extension, foreign keys off, another process."""
    file = folder / "forge.db"
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(file)])
    if SHELL:
        subprocess.run([SHELL, "-bail", str(file), sql], check=True, capture_output=True, timeout=60)
    else:
        with Database.connect(str(file)) as plain:
            plain.executescript(sql)
    edited = Database.connect(str(file))
    edited.backup(connection.connection)
    edited.close()
    file.unlink()


def index_is_whole() -> bool:
    """FTS5's own check of the index against its rows; PRAGMA integrity_check does not see a difference."""
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO memory_fts(memory_fts, rank) VALUES ('integrity-check', 1)")
    return True


def count_of(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {table}")
        return int(cursor.fetchone()[0])
