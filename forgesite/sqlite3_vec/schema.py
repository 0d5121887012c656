"""Keep triggers, and the ids that were given, when Django rebuilds a table.

SQLite cannot alter most things in place, so Django makes a new table, copies the rows, drops the old one and renames.
Dropping a table drops its triggers, in silence; the word index would stop following its rows. While it is gone, a
trigger of another table that names it makes the renaming fail. And the new one counts ids from the rows that are left:
that of a deleted row would be given again.
"""

from typing import Any

from django.db.backends.sqlite3 import schema

#: Oldest first: of several triggers on one event, the order in which they were made decides which runs first.
TRIGGERS_OF = """
SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND (tbl_name = %s OR instr(sql, %s)) ORDER BY rowid
"""


HIGHEST_ID = "SELECT seq FROM sqlite_sequence WHERE name = %s"
KEEP_HIGHEST_ID = "UPDATE sqlite_sequence SET seq = max(seq, %s) WHERE name = %s"
#: A table without a row that was ever inserted is not in it.
BEGIN_AT_HIGHEST_ID = """
INSERT INTO sqlite_sequence(name, seq)
SELECT %s, %s WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = %s)
"""


class DatabaseSchemaEditor(schema.DatabaseSchemaEditor):
    def _remake_table(self, model: Any, *args: Any, **kwargs: Any) -> None:
        table = model._meta.db_table
        with self.connection.cursor() as cursor:
            cursor.execute(TRIGGERS_OF, [table, table])
            triggers = cursor.fetchall()
            for name, _ in triggers:  # or the copy's deletes would run through them
                cursor.execute(f'DROP TRIGGER "{name}"')
            cursor.execute(HIGHEST_ID, [table])
            highest = cursor.fetchone()
        super()._remake_table(model, *args, **kwargs)  # type: ignore[misc]
        with self.connection.cursor() as cursor:
            if highest:
                cursor.execute(KEEP_HIGHEST_ID, [*highest, table])
                cursor.execute(BEGIN_AT_HIGHEST_ID, [table, *highest, table])
            for _, sql in triggers:
                cursor.execute(sql)
