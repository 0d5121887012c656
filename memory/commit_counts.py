"""What commits did, counted in the database: the changes of an import are thousands, and only their number is shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.db import connection

COUNTS = """
SELECT c.id, json_extract(change.value, '$.do') AS did, COUNT(*)
FROM memory_commit c, json_each(c.changes) change
WHERE c.id IN ({places})
GROUP BY c.id, did
ORDER BY c.id, MIN(change.key)
"""


def counts(ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """By id of the commit: how many changes of each sort it made, in its own order. Without one: it made none."""
    if not ids:
        return {}
    found: defaultdict[int, dict[str, int]] = defaultdict(dict)
    with connection.cursor() as cursor:
        cursor.execute(COUNTS.format(places=", ".join(["%s"] * len(ids))), list(ids))
        for commit, did, count in cursor.fetchall():
            found[commit][did] = count
    return dict(found)
