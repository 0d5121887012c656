"""Rows as they stand in the database: no conversion, and no failure at what is no text any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from django.db import DatabaseError, connection

#: Ids of one query.
AT_ONCE = 200


def rows(statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """What the database answers. A text that is not UTF-8, as damage leaves it, is read with its bytes escaped."""
    with connection.cursor() as cursor:
        try:
            return _all(cursor, statement, values)
        except DatabaseError as error:
            if "decode" not in str(error).lower():
                raise
        before = connection.connection.text_factory
        connection.connection.text_factory = lambda raw: raw.decode(errors="surrogateescape")
        try:
            return _all(cursor, statement, values)
        finally:
            connection.connection.text_factory = before


def _all(cursor: Any, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Fetched through Django's cursor, whose errors are Django's: `execute` gives the driver's own."""
    cursor.execute(statement, values)
    return list(cursor.fetchall())


def rows_of(statement: str, ids: Sequence[int], *values: Any) -> list[tuple[Any, ...]]:
    """`{ids}` in the statement stands for these ids, of which there are few enough for one query."""
    return rows(statement.format(ids=", ".join(["%s"] * len(ids))), *ids, *values) if ids else []


def in_turn(statement: str, at_once: int, *values: Any) -> Iterator[tuple[Any, ...]]:
    """Row after row by the first column, which is in order. The statement's last two values: past which, how many."""
    last: Any = -1
    while found := rows(statement, *values, last, at_once):
        yield from found
        last = found[-1][0]


def batched(values: Sequence[int] | Iterator[int], size: int = AT_ONCE) -> Iterator[list[int]]:
    rest = iter(values)
    while some := list(islice(rest, size)):
        yield some
