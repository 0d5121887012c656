"""A database file outside Django: copied, checked, counted. Everything here raises `Database.Error`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forgesite.part_file import BESIDE
from forgesite.sqlite3_vec.base import load_vectors
from forgesite.sqlite3_vec.driver import Database

log = logging.getLogger(__name__)

#: Without these a file is no database of Forge.
ESSENTIAL = frozenset({"django_migrations", "forgesite_account", "memory_entry"})
TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
#: PRAGMA integrity_check does not see rows that the index of words has not, or has too many.
CHECK_WORDS = "INSERT INTO memory_fts(memory_fts, rank) VALUES ('integrity-check', 1)"
REBUILD_WORDS = "INSERT INTO memory_fts(memory_fts) VALUES ('rebuild')"
COUNTED = ("forgesite_account", "memory_entry", "memory_commit", "chat_message")
COUNT = "SELECT COUNT(*) FROM {table}"
DATED = {"memory_commit": "at", "chat_message": "created_at"}
LAST = "SELECT coalesce(max({column}), '') FROM {table}"
ADDRESSES = "SELECT address FROM memory_entry"


@dataclass(frozen=True)
class Contents:
    """What a file holds. `last_change`: of memory or a conversation, in UTC as SQLite keeps it; empty before any."""

    accounts: int
    entries: int
    commits: int
    messages: int
    last_change: str


@contextmanager
def opened(file: Path, query: str = "mode=rw") -> Iterator[Any]:
    """A connection to a file that exists: none is made."""
    with closing(Database.connect(f"{file.absolute().as_uri()}?{query}", uri=True)) as shell:
        yield shell


@contextmanager
def read_only(file: Path) -> Iterator[Any]:
    """Nothing is written to the file; nor beside it, unless what SQLite keeps there belongs to the reading.

    Not for the database in use: of a file without a log it is taken for granted that nobody writes to it.
    """
    logged = any(Path(f"{file}{end}").exists() for end in BESIDE)
    with opened(file, "mode=ro" if logged else "mode=ro&immutable=1") as shell:
        yield shell


def copy(source: Any, part: Path) -> None:
    """All of an open database into an empty file, as one moment, while others write. The copy has no log beside it."""
    with opened(part) as shell:
        source.backup(shell)
        shell.execute("PRAGMA journal_mode = DELETE")


def verify(file: Path) -> None:
    """Raises for damage. An index of words that does not agree with its rows is no damage: it is made anew."""
    with opened(file) as shell:
        load_vectors(shell)
        if "memory_fts" in _tables(shell) and _disagrees(shell):
            log.warning("the index of words did not agree with its rows, and was made anew in the copy %s", file)
            shell.execute(REBUILD_WORDS)
            shell.commit()
        [(finding,), *_more] = shell.execute("PRAGMA integrity_check(1)").fetchall()
    if finding != "ok":
        raise Database.DatabaseError(" ".join(finding.split()))


def _disagrees(shell: Any) -> bool:
    try:
        shell.execute(CHECK_WORDS)
    except Database.DatabaseError:
        return True
    finally:
        shell.rollback()
    return False


def is_of_forge(shell: Any) -> bool:
    return _tables(shell) >= ESSENTIAL


def contents(shell: Any) -> Contents:
    """A table that an older Forge did not have counts as empty."""
    there = _tables(shell)
    accounts, entries, commits, messages = (
        _one(shell, COUNT.format(table=table)) if table in there else 0 for table in COUNTED
    )
    dates = [_one(shell, LAST.format(table=table, column=DATED[table])) for table in there & set(DATED)]
    return Contents(accounts, entries, commits, messages, max(dates, default=""))


def addresses(shell: Any) -> set[str]:
    """Of the entries, whatever their status."""
    return {address for (address,) in shell.execute(ADDRESSES)}


def _tables(shell: Any) -> set[str]:
    return {name for (name,) in shell.execute(TABLES)}


def _one(shell: Any, query: str) -> Any:
    return shell.execute(query).fetchone()[0]
