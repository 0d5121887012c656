"""Which rows of the database hold a text: it tells a copy in a deleted page from a row that is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from forgesite.models import Account
from forgesite.owned import owner_id

TABLES = """
SELECT name FROM sqlite_master
WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%' ORDER BY name
"""
COLUMNS = "SELECT name, upper(type) FROM pragma_table_info(%s)"
#: Patterns of one query: each stands in it several times for every column.
AT_ONCE = 20


@dataclass(frozen=True)
class Held:
    """`rows`: the owner's own that hold it. `places`: how often it stands in rows of anybody."""

    table: str
    rows: int
    places: int


def held(patterns: Sequence[bytes], owner: Account) -> list[Held]:
    """Every table with a row that holds one of them, in any of its columns of text. It reads them all."""
    texts = [pattern.decode("utf-8", "replace") for pattern in patterns]
    found = []
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        for (table,) in cursor.fetchall():
            cursor.execute(COLUMNS, [table])
            columns = dict(cursor.fetchall())
            rows, places = _count(cursor, table, columns, texts, owner_id(owner))
            if places:
                found.append(Held(table, rows, places))
    return found


def _count(cursor: Any, table: str, columns: dict[str, str], texts: Sequence[str], owner: int) -> tuple[int, int]:
    worded = [name for name, type_ in columns.items() if "CHAR" in type_ or "TEXT" in type_]
    own = "owner_id = %s" if "owner_id" in columns else "%s IS NULL"
    rows = places = 0
    for start in range(0, len(texts) if worded else 0, AT_ONCE):
        some = texts[start : start + AT_ONCE]
        asked = [(name, text) for name in worded for text in some]
        holds = " OR ".join(f'instr("{name}", %s) > 0' for name, _text in asked)
        often = " + ".join(
            f'coalesce((length("{name}") - length(replace("{name}", %s, \'\'))) / length(%s), 0)'
            for name, _text in asked
        )
        values = [owner, *(text for _name, text in asked for _twice in range(2)), *(text for _name, text in asked)]
        cursor.execute(
            f'SELECT coalesce(sum({own}), 0), coalesce(sum({often}), 0) FROM "{table}" WHERE {holds}', values
        )
        some_rows, some_places = cursor.fetchone()
        rows, places = rows + some_rows, places + some_places
    return rows, places
