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
#: How often a text stands in a column.
OFTEN = 'coalesce((length("{name}") - length(replace("{name}", %s, \'\'))) / length(%s), 0)'
#: Patterns of one query: each stands in it several times for every column.
AT_ONCE = 20


@dataclass(frozen=True)
class Held:
    """`rows`: those asked for that hold it. `typed`: those of them that a person typed, in a table that tells.
    `places`: how often it stands in rows of anybody."""

    table: str
    rows: int
    typed: int
    places: int


def held(patterns: Sequence[bytes], owner: Account | None) -> list[Held]:
    """Every table with a row that holds one of them, in any of its columns of text. It reads them all.

    `owner` None: rows are counted of everybody.
    """
    texts = [pattern.decode("utf-8", "replace") for pattern in patterns]
    found = []
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        for (table,) in cursor.fetchall():
            cursor.execute(COLUMNS, [table])
            columns = dict(cursor.fetchall())
            counts = [0, 0, 0]
            for start in range(0, len(texts), AT_ONCE):
                some = _count(cursor, table, columns, texts[start : start + AT_ONCE], owner)
                counts = [sum(pair) for pair in zip(counts, some, strict=True)]
            if counts[2]:
                found.append(Held(table, *counts))
    return found


def _count(
    cursor: Any, table: str, columns: dict[str, str], texts: Sequence[str], owner: Account | None
) -> tuple[int, int, int]:
    asked = [(name, text) for name, type_ in columns.items() if "CHAR" in type_ or "TEXT" in type_ for text in texts]
    if not asked:
        return 0, 0, 0
    own = "1" if owner is None else f"owner_id = {owner_id(owner)}" if "owner_id" in columns else "0"
    typed = f"({own}) AND role = 'user'" if "role" in columns else "0"
    often = " + ".join(OFTEN.format(name=name) for name, _text in asked)
    holds = " OR ".join(f'instr("{name}", %s) > 0' for name, _text in asked)
    counts = ", ".join(f"coalesce(sum({what}), 0)" for what in (own, typed, often))
    values = [*(text for _name, text in asked for _twice in range(2)), *(text for _name, text in asked)]
    cursor.execute(f'SELECT {counts} FROM "{table}" WHERE {holds}', values)
    rows, by_hand, places = cursor.fetchone()
    return int(rows), int(by_hand), int(places)
