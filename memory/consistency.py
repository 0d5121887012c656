"""Are the two indexes in step with the entries, of everybody? The counts, what is out of step, and how to mend it.

So are the database's own indexes of what memory keeps: a search finds without them, and takes longer.

`verify` asks whether the rows are what the ledger says; here the rows are taken as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.models import Index, Model
from django.utils.translation import gettext as _

from memory import change_log, vector_channel, word_channel, word_index
from memory.domain.parts import parts
from memory.domain.words import indexed
from memory.proof.reading import AT_ONCE, in_turn, rows
from memory.proof.verify_vec import differences

COUNTS = f"""
SELECT
    (SELECT COUNT(*) FROM memory_entry),
    (SELECT COUNT(*) FROM memory_entry e WHERE {vector_channel.SHOWN} IN ('active', 'open')),
    (SELECT COUNT(*) FROM memory_words),
    (SELECT COUNT(DISTINCT entry_id) FROM memory_vector),
    (SELECT COUNT(*) FROM memory_vec_pending)
"""
WITH_WORDS = """
SELECT e.id, e.text, w.words,
    EXISTS (SELECT 1 FROM memory_vector v WHERE v.entry_id = e.id),
    EXISTS (SELECT 1 FROM memory_vec_pending p WHERE p.entry_id = e.id)
FROM memory_entry e LEFT JOIN memory_words w ON w.entry_id = e.id WHERE e.id > %s ORDER BY e.id LIMIT %s
"""
INDEXES = "SELECT name FROM sqlite_master WHERE type = 'index'"
#: What hangs on an entry that is not there, by table.
OF_NOTHING = "SELECT {column} FROM {table} WHERE {column} NOT IN (SELECT id FROM memory_entry) ORDER BY {column}"
DROP_OF_NOTHING = "DELETE FROM {table} WHERE {column} NOT IN (SELECT id FROM memory_entry)"
HANGING = (
    ("memory_words", "entry_id"),
    ("memory_vector", "entry_id"),
    ("memory_vec_pending", "entry_id"),
    ("memory_words_queue", "entry_id"),
    ("memory_words_ready", "entry_id"),
)
#: By what is out of step about an entry. Queued, its words are folded anew.
MENDS = {
    "words": (
        "INSERT INTO memory_words (entry_id, words) SELECT %(id)s, '' "
        "WHERE NOT EXISTS (SELECT 1 FROM memory_words WHERE entry_id = %(id)s)",
        "INSERT INTO memory_words_queue (entry_id) SELECT %(id)s "
        "WHERE NOT EXISTS (SELECT 1 FROM memory_words_queue WHERE entry_id = %(id)s)",
    ),
    "vectors": ("INSERT INTO memory_vec_pending (entry_id) VALUES (%(id)s)",),
}


@dataclass(frozen=True)
class Counts:
    """`embedded`: entries that have vectors; `pending`: those that wait for theirs."""

    entries: int
    live: int
    words: int
    embedded: int
    pending: int


@dataclass(frozen=True)
class Step:
    """Something out of step, in a sentence. `entry` is its id where one is concerned."""

    code: str
    entry: int | None
    message: str


@dataclass(frozen=True)
class Consistency:
    counts: Counts
    out_of_step: tuple[Step, ...]

    @property
    def ok(self) -> bool:
        return not self.out_of_step


def counts() -> Counts:
    return Counts(*rows(COUNTS)[0])


def check() -> Consistency:
    """Reads everything, and first lets the indexes follow what was changed outside: that alone is nothing wrong."""
    complaint = word_index.check()
    if not complaint:  # into a broken one nothing can be written
        word_channel.sync()
    vector_channel.settle()
    return Consistency(counts(), tuple(_steps(complaint)))


def _steps(complaint: str) -> Iterator[Step]:
    for _model, index in _dropped():
        words = _("The database has no index %(name)s any more: what is looked up by it takes longer.")
        yield Step("database_index", None, words % {"name": index.name})
    if complaint:
        yield Step("fts", None, _("The word index does not agree with its rows: %(why)s") % {"why": complaint})
    for table, column in HANGING:
        for (entry,) in rows(OF_NOTHING.format(table=table, column=column)):
            words = _("%(table)s has a row of entry #%(id)s, which is not there.")
            yield Step("orphan", entry, words % {"table": table, "id": entry})
    for entry, text, words_, has_vectors, waits in in_turn(WITH_WORDS, AT_ONCE):
        if words_ != indexed(text):
            yield Step("words", entry, _("Entry #%(id)d is not in the word index as it is.") % {"id": entry})
        if not has_vectors and not waits and has_something_to_embed(text):
            message = _("Entry #%(id)d has no vectors and does not wait for any.") % {"id": entry}
            yield Step("vectors", entry, message)
    yield from _of_vectors()


def _dropped() -> list[tuple[type[Model], Index]]:
    """The indexes that a migration made and somebody took away."""
    there = {name for (name,) in rows(INDEXES)}
    models = apps.get_app_config("memory").get_models()
    return [(model, index) for model in models for index in model._meta.indexes if index.name not in there]


def has_something_to_embed(text: str) -> bool:
    return bool(parts(text, settings.FORGE.EMBEDDING_MAX_CHARS, 1).texts)


def _of_vectors() -> Iterator[Step]:
    made = vector_channel.made_for() if vector_channel.available() else None
    if made is None:
        return
    for each in differences(*made):
        message = _("The index of vectors is not as vector %(id)d is.") % {"id": each.row}
        yield Step("vector_index", None, message)


def repair() -> Consistency:
    """Make the indexes anew from the entries, in one transaction. Returns what was out of step before.

    Entries whose vectors are missing wait for them: the worker, or the next search, embeds them.
    """
    found = check()
    if found.ok:
        return found
    with change_log.ours(), connection.cursor() as cursor:
        word_index.rebuild()  # first: what is written below goes into it
        for table, column in HANGING:
            cursor.execute(DROP_OF_NOTHING.format(table=table, column=column))
        for step in found.out_of_step:
            for statement in MENDS.get(step.code, ()):
                cursor.execute(statement, {"id": step.entry})
        word_channel.sync()
        vector_channel.remake()
        for model, index in _dropped():
            cursor.execute(str(index.create_sql(model, connection.schema_editor())))
    return found
