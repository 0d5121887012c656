"""`django.db.backends.sqlite3` on a driver that can load sqlite-vec."""

import datetime
import decimal
import sqlite3 as stdlib
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from itertools import tee
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base as django_base
from django.utils.asyncio import async_unsafe

from .creation import DatabaseCreation
from .driver import Database, can_load_extensions
from .schema import DatabaseSchemaEditor

base: Any = django_base  # most of what this file borrows has no stubs

if Database is not base.Database:  # converters and adapters belong to one driver module
    for _name in ("BOOL", "DATE", "TIME", "DATETIME", "TIMESTAMP"):
        Database.register_converter(_name, stdlib.converters[_name])
    Database.register_adapter(decimal.Decimal, str)
    Database.register_adapter(datetime.date, base.adapt_date)
    Database.register_adapter(datetime.datetime, base.adapt_datetime)


#: The extension's file. Its package's own `load` imports numpy: 0.4 s and 20 MB for each process and command.
VEC0 = next((Path(spec.origin).with_name("vec0") for spec in [find_spec("sqlite_vec")] if spec and spec.origin), None)


class Cursor(Database.Cursor):  # type: ignore[misc, name-defined]
    """Django's SQLiteCursorWrapper over this driver's cursor: its own `super()` is bound to the standard library's."""

    convert_query = base.SQLiteCursorWrapper.convert_query

    def execute(self, query: str, params: Any = None) -> Any:
        if params is None:
            return super().execute(query)
        names = list(params) if isinstance(params, Mapping) else None
        return super().execute(self.convert_query(query, param_names=names), params)

    def executemany(self, query: str, param_list: Iterable[Any]) -> Any:
        peek, rows = tee(iter(param_list))
        first = next(peek, None)
        names = list(first) if isinstance(first, Mapping) else None
        return super().executemany(self.convert_query(query, param_names=names), rows)


class DatabaseWrapper(django_base.DatabaseWrapper):
    init_commands: list[str]
    display_name = "SQLite + sqlite-vec"
    Database = Database
    creation_class = DatabaseCreation
    SchemaEditorClass = DatabaseSchemaEditor
    vectors_loaded = False

    @async_unsafe
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = Database.connect(**conn_params)
        base.register_functions(connection)
        self.vectors_loaded = load_vectors(connection)
        for command in ("PRAGMA foreign_keys = ON", "PRAGMA legacy_alter_table = OFF", *self.init_commands):
            if command.strip():
                connection.execute(command)
        return connection

    def create_cursor(self, name: str | None = None) -> Any:
        return self.connection.cursor(factory=Cursor)


def load_vectors(connection: Any) -> bool:
    """Load sqlite-vec into this connection. False where this SQLite cannot load extensions."""
    if not can_load_extensions or VEC0 is None:
        return False
    try:
        connection.enable_load_extension(True)
        connection.load_extension(str(VEC0))
        connection.enable_load_extension(False)
    except (Database.OperationalError, AttributeError):
        return False
    return True
