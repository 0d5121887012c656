"""Keep triggers when Django rebuilds a table: its own, and those of other tables that name it.

SQLite cannot alter most things in place, so Django makes a new table, copies the rows, drops the old one and renames.
Dropping a table drops its triggers, in silence; the word index would stop following its rows. And while it is gone, a
trigger of another table that names it makes the renaming fail.
"""

from typing import Any

from django.db.backends.sqlite3 import schema

#: Oldest first: of several triggers on one event, the order in which they were made decides which runs first.
TRIGGERS_OF = """
SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND (tbl_name = %s OR instr(sql, %s)) ORDER BY rowid
"""


class DatabaseSchemaEditor(schema.DatabaseSchemaEditor):
    def _remake_table(self, model: Any, *args: Any, **kwargs: Any) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute(TRIGGERS_OF, [model._meta.db_table] * 2)
            triggers = cursor.fetchall()
            for name, _ in triggers:  # or the copy's deletes would run through them
                cursor.execute(f'DROP TRIGGER "{name}"')
        super()._remake_table(model, *args, **kwargs)  # type: ignore[misc]
        with self.connection.cursor() as cursor:
            for _, sql in triggers:
                cursor.execute(sql)
