"""Where a pass over memory notes what the chain says: a database of its own in a file without a name.

In memory it would grow with the store; SQLite's own temporary tables are in memory in the driver that Forge brings.
Only what commits say is noted, and no words.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

from django.conf import settings

from forgesite.sqlite3_vec.driver import Database
from memory.domain.proof import STATED

SCHEMA = f"""
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE said (
    entry INTEGER PRIMARY KEY, address TEXT, adopted INTEGER, forgotten TEXT, forgotten_at TEXT, {", ".join(STATED)}
);
CREATE TABLE was (entry INTEGER, tick INTEGER, version INTEGER, digest TEXT);
CREATE INDEX was_entry ON was (entry, tick);
CREATE TABLE named (entry INTEGER, digest TEXT, erased INTEGER DEFAULT 0, PRIMARY KEY (entry, digest)) WITHOUT ROWID;
CREATE TABLE link (
    id INTEGER PRIMARY KEY, type TEXT, entry INTEGER, other INTEGER, digest TEXT, since INTEGER, until INTEGER
);
CREATE INDEX link_other ON link (other);
CREATE INDEX link_entry ON link (entry);
BEGIN;
"""


@contextmanager
def scratch() -> Iterator[Any]:
    """A connection to it. The file goes with whoever holds it, also with a process that is killed."""
    handle, name = tempfile.mkstemp(prefix="proof-", dir=settings.DATA_DIR)
    os.close(handle)
    try:
        with closing(Database.connect(name, isolation_level=None)) as connection:
            connection.executescript(SCHEMA)
            with suppress(OSError):  # Windows keeps a file that is open
                os.unlink(name)
            yield connection
    finally:
        with suppress(OSError):
            os.unlink(name)
