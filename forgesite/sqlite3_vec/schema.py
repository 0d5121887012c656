"""Keep a table's triggers when Django rebuilds it.

SQLite cannot alter most things in place, so Django makes a new table, copies the rows, drops the old one and renames.
Dropping a table drops its triggers, in silence; the word index would stop following its rows.
"""

from typing import Any

from django.db.backends.sqlite3 import schema

TRIGGERS_OF = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s ORDER BY name"


class DatabaseSchemaEditor(schema.DatabaseSchemaEditor):
    def _remake_table(self, model: Any, *args: Any, **kwargs: Any) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute(TRIGGERS_OF, [model._meta.db_table])
            triggers = cursor.fetchall()
            for name, _ in triggers:  # or the copy's deletes would run through them
                cursor.execute(f'DROP TRIGGER "{name}"')
        super()._remake_table(model, *args, **kwargs)  # type: ignore[misc]
        with self.connection.cursor() as cursor:
            for _, sql in triggers:
                cursor.execute(sql)
