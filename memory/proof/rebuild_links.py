"""Links, tombstones and the ledger's index, put back as the chain has them."""

from __future__ import annotations

from typing import Any

from django.db import connection

from memory.models import Link
from memory.proof.findings import EXTRA, LOST, Finding
from memory.proof.reading import rows
from memory.proof.verify_links import LINK, TOMBSTONE
from memory.proof.verify_touched import TABLE as TOUCHED
from memory.verify import Proof

BURIED = "SELECT address, message, source, forgotten, forgotten_at FROM said WHERE entry = ? AND kind IS NOT NULL"
TOMBSTONE_OF = "SELECT id FROM memory_tombstone WHERE owner_id = %s AND entry = %s"
SET_TOMBSTONE = """
UPDATE memory_tombstone SET address = %s, message = %s, source = %s, "commit" = %s, at = %s WHERE id = %s
"""
PUT_TOMBSTONE = """
INSERT INTO memory_tombstone (address, message, source, "commit", at, owner_id, entry)
VALUES (%s, %s, %s, %s, %s, %s, %s)
"""
DROP_TOMBSTONE = "DELETE FROM memory_tombstone WHERE id = %s"
DROP_TOUCH = "DELETE FROM memory_commitentry WHERE id = %s"
PUT_TOUCH = "INSERT INTO memory_commitentry (id, commit_id, position, entry, states) VALUES (%s, %s, %s, %s, %s)"


def links(proved: Proof) -> None:
    """They go first, all of them: a row may stand in another one's way."""
    ids = [each.row for each in proved.findings if each.table == LINK and each.row is not None]
    Link.objects.filter(pk__in=ids).delete()
    said = {pk: was for pk in sorted(set(ids)) if (was := proved.notes.link(pk))}
    Link.objects.bulk_create(Link(pk=pk, owner=proved.owner, **was._asdict()) for pk, was in said.items())


def tombstones(proved: Proof) -> None:
    found = [each for each in proved.findings if each.table == TOMBSTONE]
    with connection.cursor() as cursor:
        cursor.executemany(DROP_TOMBSTONE, [(each.row,) for each in found if each.code == EXTRA])
        for entry in sorted({each.entry for each in found if each.entry and each.code != EXTRA}):
            for buried in proved.notes.rows(BURIED, entry):
                there = rows(TOMBSTONE_OF, proved.owner.pk, entry)
                statement, last = (SET_TOMBSTONE, there[0]) if there else (PUT_TOMBSTONE, (proved.owner.pk, entry))
                cursor.execute(statement, [*buried, *last])


def touches(proved: Proof) -> None:
    """The rows keep their ids. Of the first form no commit says which entry it was of: what is gone there is lost."""
    with connection.cursor() as cursor:
        cursor.executemany(DROP_TOUCH, [(row.id,) for row, _due in proved.chain.pairs if row])
        must = [(row.id if row else None, due) for row, due in proved.chain.pairs if due and due.said[1]]
        cursor.executemany(PUT_TOUCH, [(pk, due.commit, *due.said) for pk, due in must])


def lost(proved: Proof) -> list[Finding]:
    """Lines of the index that only commits of the first form were of."""
    gone: list[Any] = [row.id if row else None for row, due in proved.chain.pairs if due and not due.said[1]]
    return [proved.lines.finding(LOST, TOUCHED, row) for row in gone]
