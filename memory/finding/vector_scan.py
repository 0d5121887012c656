"""Distances without the index: by the same function over `memory_vector` itself, so that not a bit differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import connection

from forgesite.lib.vectors import Vector, packed

HAVING = "SELECT DISTINCT entry_id FROM memory_vector WHERE regime = %s AND dim = %s AND entry_id IN ({ids})"
SCAN = """
SELECT entry_id, MIN(vec_distance_l2(vector, %s)) FROM memory_vector
WHERE regime = %s AND dim = %s AND entry_id IN ({ids}) GROUP BY entry_id
"""
BETWEEN = "SELECT vec_distance_l2(%s, %s)"


def having(entries: Sequence[int], regime: str, dim: int) -> frozenset[int]:
    """Those of the entries that have vectors of that regime. No more of them than a statement takes values."""
    with connection.cursor() as cursor:
        cursor.execute(HAVING.format(ids=", ".join(["%s"] * len(entries))), [regime, dim, *entries])
        return frozenset(row[0] for row in cursor.fetchall())


def scanned(vector: Vector, entries: Sequence[int], regime: str) -> dict[int, float]:
    """The distance of each of these entries that has vectors of the regime, by its closest part."""
    with connection.cursor() as cursor:
        ids = ", ".join(["%s"] * len(entries))
        cursor.execute(SCAN.format(ids=ids), [packed(vector), regime, len(vector), *entries])
        return {row[0]: float(row[1]) for row in cursor.fetchall()}


def closest(vector: Vector, parts: Iterable[Vector]) -> float:
    """The distance of the closest of the parts, of which there must be one."""
    with connection.cursor() as cursor:
        found = []
        for part in parts:
            cursor.execute(BETWEEN, [packed(vector), packed(part)])
            found.append(float(cursor.fetchone()[0]))
        return min(found)
