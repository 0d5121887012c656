"""`forge_rag.db` of an earlier Forge: a SQLite file of entries. Its vectors are left: they are of another model.

A copy is opened, never the file itself: opening alone can already write beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.utils.translation import gettext as _

from chat.domain.transcript import split
from chat.importers.entries import ReadEntries, ReadEntry, Remembering
from chat.importers.imported import Note, digest
from chat.importers.reading import SQLITE, Document, NotAnExportError, shown
from chat.importers.shape import moment
from forgesite.errors import TooLargeError
from forgesite.sqlite3_vec.driver import Database
from memory.models import Kind, Status

FORMAT = "forge_rag"
NAME = "forge_rag.db"

TABLE = "memory_entries"
NEEDED = frozenset({"id", "kind", "content"})
#: Added later, or never set by any code there.
MAYBE = ("project", "created_at", "status", "superseded_by")
#: More than anybody has: every row is looked at in memory.
ROWS = 200_000

KINDS = {"history_summary": Kind.EXCHANGE}
#: What would need sources that no row there names.
AS_NOTE = frozenset({Kind.SUMMARY, Kind.PROCEDURE})
STATUSES = {"archived": Status.ARCHIVED, "retracted": Status.RETRACTED, "closed": Status.CLOSED, "done": Status.CLOSED}


@dataclass(frozen=True)
class _Row:
    id: Any
    kind: Any
    content: Any
    project: Any
    created_at: Any
    status: Any
    superseded_by: Any


def matches(document: Document) -> bool:
    return document.data.startswith(SQLITE)


def entries(document: Document) -> ReadEntries:
    """Every entry of it, oldest first. Raises NotAnExportError for another database or a broken one, TooLargeError."""
    into = Remembering(FORMAT)
    try:
        with TemporaryDirectory(prefix="forge-import-") as folder:
            rows = _rows(_copy(document, Path(folder)), document.name)
    except (Database.Error, UnicodeDecodeError) as error:
        words = _("%(name)s is a database that cannot be read: %(why)s. Nothing of it was imported.")
        raise NotAnExportError(words % {"name": document.name, "why": _why(error)}) from None
    ids: dict[int, str] = {}
    for row in rows:
        if row.id in ids:
            into.skip(f"#{row.id}", _("its id stands there twice"))
        elif entry := _entry(into, row):
            ids[row.id] = entry.source_id
            into.entries.append(entry)
    return into.done(_spoken_for(into, rows, ids))


def _why(error: Exception) -> str:
    """What SQLite says, which quotes from the file: the driver fails to read its own message where that is no text."""
    said = bytes(error.object).decode("utf-8", "replace") if isinstance(error, UnicodeDecodeError) else str(error)
    return shown(said[:200])


def _copy(document: Document, folder: Path) -> Path:
    """With what SQLite had beside it: what was written last may be there alone."""
    path = folder / "copy.db"
    path.write_bytes(document.data)
    for end, data in document.beside.items():
        Path(f"{path}{end}").write_bytes(data)
    return path


def _rows(path: Path, name: str) -> list[_Row]:
    with closing(Database.connect(str(path))) as shell:
        shell.text_factory = lambda data: data.decode("utf-8", "replace")
        # The file comes from anywhere: its schema may call nothing.
        shell.execute("PRAGMA trusted_schema = OFF")
        columns = _columns(shell, name)
        [found] = shell.execute(f"PRAGMA quick_check('{TABLE}')").fetchone()
        if found != "ok":
            raise Database.DatabaseError(found)
        return list(_read(shell, columns, name))


def _columns(shell: Any, name: str) -> set[str]:
    tables = dict(shell.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    if TABLE not in tables:
        words = (
            _("%(name)s is a database of this Forge. `manage.py restore` brings one back.")
            if {"memory_entry", "memory_commit"} <= tables.keys()
            else _("%(name)s is a database without the table memory_entries, so it is no forge_rag.db.")
        )
        raise NotAnExportError(words % {"name": name})
    columns = {row[1]: row[6] for row in shell.execute(f"PRAGMA table_xinfo({TABLE})")}
    virtual = str(tables[TABLE] or "").upper().lstrip().startswith("CREATE VIRTUAL")
    if not columns.keys() >= NEEDED or virtual or any(columns.values()):
        words = _("%(name)s has a table memory_entries of another make, so it is no forge_rag.db.")
        raise NotAnExportError(words % {"name": name})
    return set(columns)


def _read(shell: Any, columns: set[str], name: str) -> Iterator[_Row]:
    [count] = shell.execute(f"SELECT count(*) FROM {TABLE}").fetchone()
    if count > ROWS:
        raise TooLargeError(
            _("%(name)s holds %(size)s entries; the limit is %(limit)s.")
            % {"name": name, "size": count, "limit": ROWS},
            detail={"size": count, "limit": ROWS},
        )
    more = ", ".join(column if column in columns else "NULL" for column in MAYBE)
    for row in shell.execute(f"SELECT id, kind, content, {more} FROM {TABLE} ORDER BY id"):
        yield _Row(*row)


def _entry(into: Remembering, row: _Row) -> ReadEntry | None:
    name = f"#{row.id}"
    if not isinstance(row.id, int) or not isinstance(row.kind, str) or not isinstance(row.content, str):
        into.skip(name, _("its kind or its words are no text"))
        return None
    text = into.mended(row.content)
    kind = _kind(row.kind)
    if kind == Kind.EXCHANGE and len(split(text)) > 1:
        into.notes[Note.BLOCK] += 1
    return ReadEntry(
        source_id=f"{row.id}-{digest(f'{row.kind}{chr(10)}{row.created_at}{chr(10)}{text}')}",
        name=name,
        kind=kind,
        text=text,
        at=moment(row.created_at),
        project=into.mended(row.project) if isinstance(row.project, str) else "",
        status=_status(kind, row.status),
    )


def _kind(kind: str) -> str:
    known = KINDS.get(kind, kind)
    return known if known in Kind.values and known not in AS_NOTE else Kind.NOTE


def _status(kind: str, status: Any) -> str:
    found = STATUSES.get(status, "") if isinstance(status, str) else ""
    return "" if found == Status.CLOSED and kind != Kind.TODO else found


def _spoken_for(into: Remembering, rows: list[_Row], ids: dict[int, str]) -> Iterator[tuple[str, str]]:
    for row in rows:
        if row.superseded_by is None or row.id not in ids:
            continue
        if row.superseded_by in ids and row.superseded_by != row.id:
            yield ids[row.superseded_by], ids[row.id]
        else:
            into.skip(f"#{row.id} -> #{row.superseded_by}", _("what speaks for it is not there, so it speaks itself"))
