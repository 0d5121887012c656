"""The ids of rows that are about to be written: a commit names them before they are there."""

from __future__ import annotations

from django.db import connection, models

LAST = "SELECT COALESCE((SELECT seq FROM sqlite_sequence WHERE name = %s), 0)"


def next_ids(model: type[models.Model], count: int) -> range:
    """Call it in the immediate transaction that writes the rows: they are free only as long as nobody else writes."""
    if not count:
        return range(0)
    with connection.cursor() as cursor:
        cursor.execute(LAST, [model._meta.db_table])
        first = int(cursor.fetchone()[0]) + 1
    return range(first, first + count)
