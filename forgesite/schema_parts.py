"""The triggers and virtual tables that migrations make by SQL, against those that a database has.

Search follows the rows by them, and Django knows nothing of them: what lost one would lose it in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.migrations import Migration
from django.db.migrations.operations import DeleteModel, RunSQL, SeparateDatabaseAndState

from forgesite.sqlite3_vec.driver import Database

NAMED = re.compile(
    r"\s*(?:--[^\n]*\n\s*)*(CREATE|DROP)\s+(?:TEMP\w*\s+)?(VIRTUAL\s+TABLE|TABLE|TRIGGER)\s+"
    r"(?:IF\s+(?:NOT\s+)?EXISTS\s+)?[\"`\[]?(\w+)",
    re.IGNORECASE,
)
OF_TABLE = re.compile(r"\bON\s+[\"`\[]?(\w+)", re.IGNORECASE)
PRESENT = "SELECT name FROM sqlite_master WHERE type = 'trigger' OR sql LIKE 'CREATE VIRTUAL TABLE%'"
REFILL = "INSERT INTO {name}({name}) VALUES ('rebuild')"


@dataclass(frozen=True)
class Part:
    """A trigger on `table`, or a virtual table that is its own `table`."""

    name: str
    sql: str
    table: str


def expected(migrations: Iterable[Migration]) -> dict[str, Part]:
    """What these migrations, in the order in which they are applied, leave in a database."""
    parts: dict[str, Part] = {}
    for migration in migrations:
        for operation in _of_database(migration.operations):
            if isinstance(operation, DeleteModel):
                _drop(parts, f"{migration.app_label}_{operation.name_lower}")
            elif isinstance(operation, RunSQL):
                for statement in statements(operation.sql):
                    _follow(parts, statement)
    return parts


def missing(shell: Any, migrations: Iterable[Migration]) -> list[Part]:
    """Those that the database has not, in the order in which they were made."""
    present = {name for (name,) in shell.execute(PRESENT).fetchall()}
    return [part for part in expected(migrations).values() if part.name not in present]


def make(shell: Any, parts: Iterable[Part]) -> None:
    """Make them again. An index of words is filled from the rows it stands over."""
    for part in parts:
        shell.execute(part.sql)
        if "fts5" in part.sql.lower() and part.name == part.table:
            shell.execute(REFILL.format(name=part.name))


def statements(sql: Any) -> Iterator[str]:
    """One by one, without a final semicolon. SQLite itself says where one ends: a trigger's body has semicolons too."""
    if not isinstance(sql, str):
        for each in sql or ():
            yield from statements(each if isinstance(each, str) else each[0])
        return
    text = ""
    for piece in re.split(r"(?<=;)", sql):
        text += piece
        if Database.complete_statement(text):
            yield text.strip().rstrip(";")
            text = ""
    if text.strip():
        yield text.strip()


def _of_database(operations: Iterable[Any]) -> Iterator[Any]:
    for operation in operations:
        if isinstance(operation, SeparateDatabaseAndState):
            yield from _of_database(operation.database_operations)
        else:
            yield operation


def _follow(parts: dict[str, Part], statement: str) -> None:
    found = NAMED.match(statement)
    if found is None:
        return
    verb, kind, name = (word.upper() if index < 2 else word for index, word in enumerate(found.groups()))
    if verb == "DROP":
        parts.pop(name, None) if kind == "TRIGGER" else _drop(parts, name)
    elif kind == "TRIGGER":
        table = OF_TABLE.search(statement, found.end())
        parts[name] = Part(name, statement, table[1] if table else "")
    elif kind != "TABLE":
        parts[name] = Part(name, statement, name)


def _drop(parts: dict[str, Part], table: str) -> None:
    """A table takes its triggers with it."""
    for name in [part.name for part in parts.values() if part.table == table]:
        del parts[name]
