"""The two indexes as wholes, and rows that are of no entry or of nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.db import DatabaseError

from forgesite.models import Account
from memory import vector_channel, word_index
from memory.proof.findings import EXTRA, INDEX, Finding, Lines
from memory.proof.reading import rows
from memory.proof.verify_index import Index
from memory.proof.verify_vec import differences

#: Table: what of it is of no entry, and waits for nothing.
ADRIFT = {
    "memory_words": """
        SELECT w.entry_id FROM memory_words w WHERE NOT EXISTS (SELECT 1 FROM memory_entry e WHERE e.id = w.entry_id)
        AND NOT EXISTS (SELECT 1 FROM memory_words_queue q WHERE q.entry_id = w.entry_id)
    """,
    "memory_words_ready": "SELECT entry_id FROM memory_words_ready",
    "memory_words_queue": """
        SELECT q.entry_id FROM memory_words_queue q
        WHERE NOT EXISTS (SELECT 1 FROM memory_entry e WHERE e.id = q.entry_id)
        AND NOT EXISTS (SELECT 1 FROM memory_words w WHERE w.entry_id = q.entry_id)
    """,
    "memory_vec_pending": """
        SELECT p.entry_id FROM memory_vec_pending p
        WHERE NOT EXISTS (SELECT 1 FROM memory_entry e WHERE e.id = p.entry_id)
    """,
    "memory_vector": """
        SELECT v.id FROM memory_vector v WHERE NOT EXISTS (SELECT 1 FROM memory_entry e WHERE e.id = v.entry_id)
        AND NOT EXISTS (SELECT 1 FROM memory_words_queue q WHERE q.entry_id = v.entry_id)
    """,
}
#: Of the vectors in the index, are there some, and all of them of other regimes?
OF_ANOTHER = "SELECT MAX(v.regime = %s) = 0 FROM memory_vec_rowids x JOIN memory_vector v ON v.id = x.rowid"
STATES = "SELECT rowid, regime, dim FROM memory_vec_state ORDER BY rowid"
MADE = "SELECT sql FROM sqlite_master WHERE name = 'memory_vec'"
DIM = re.compile(r"float\[(\d+)\]")
#: Owners with rows, and no account.
OWNED = (
    "memory_entry",
    "memory_link",
    "memory_commit",
    "memory_textversion",
    "memory_tombstone",
    "memory_erasure",
    "memory_receipt",
)
NO_ACCOUNT = """
SELECT t.id FROM {table} t WHERE NOT EXISTS (SELECT 1 FROM {accounts} a WHERE a.id = t.owner_id) ORDER BY t.id
"""


def findings(lines: Lines, index: Index, owner: int | None) -> Iterator[Finding]:
    """Of rows that no entry has, and of the indexes, of that of vectors the owner's rows alone where one is named."""
    for table, statement in ADRIFT.items():
        for (row,) in rows(statement):
            yield lines.finding(EXTRA, table, row)
    if not word_index.finds_all():
        yield lines.finding(INDEX, "memory_fts", None, "terms")
    state = list(_state(lines))
    yield from state
    if index.made_for and not state:
        yield from _vectors(lines, index.made_for, owner)


def _vectors(lines: Lines, made_for: tuple[str, int], owner: int | None) -> Iterator[Finding]:
    """vec0 raises where its tables do not agree with one another: then no row can be named."""
    try:
        for each in differences(*made_for):
            if owner is None or each.owner in (None, owner):
                yield lines.finding(EXTRA if each.extra else INDEX, "memory_vec", each.row, each.column)
    except DatabaseError:
        yield lines.finding(INDEX, "memory_vec", None)


def of_no_account(lines: Lines) -> Iterator[Finding]:
    for table in OWNED:
        for (row,) in rows(NO_ACCOUNT.format(table=table, accounts=Account._meta.db_table)):
            yield lines.finding(EXTRA, table, row, "owner_id")


def _state(lines: Lines) -> Iterator[Finding]:
    """What the index of vectors is said to be made for, against the index."""
    table, states, made = "memory_vec_state", rows(STATES), rows(MADE)
    if len(states) != len(made):
        yield lines.finding(INDEX, table, states[-1][0] if states else None)
    if not states or not made:
        return
    row, regime, dim = states[0]
    declared = DIM.search(made[0][0])
    if declared is None or int(declared[1]) != dim:
        yield lines.finding(INDEX, table, row, "dim")
    if vector_channel.available() and rows(OF_ANOTHER, regime)[0][0]:
        yield lines.finding(INDEX, table, row, "regime")
