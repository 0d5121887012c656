"""Where a text is looked for after it was forgotten, and what it means where it is found.

What others own is not looked at: whoever may ask whether a text stands in other people's rows can read them, a guess
at a time. With several accounts, files that hold rows of all of them are told from one's own rows, or left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from forgesite.accounts import folder_of
from forgesite.models import Account
from memory.erasing import rows as erasure_rows
from memory.erasing.scan import Hit, Looked, look

#: What a place means that holds the text. `messages`: what was typed. `free_pages`: rows that are deleted, in pages not
#: yet used again.
BACKUP, MESSAGES, ANSWERS, ENTRIES, ROWS, FREE, LOG, UPLOAD, FILE = (
    "backup", "messages", "answers", "entries", "rows", "free_pages", "log", "upload", "file",
)  # fmt: skip
#: Where it may stand after it was forgotten.
ALLOWED = frozenset({BACKUP, MESSAGES})
OF_TABLES = {"chat_message": ANSWERS, "memory_entry": ENTRIES, "memory_textversion": ENTRIES}
#: Files that are named one by one; beyond them their number says enough.
NAMED = 50


@dataclass(frozen=True)
class Place:
    """`file` is relative to the data folder. `table`: of the database, where it is a row. `count`: rows, or places."""

    file: str
    count: int
    means: str
    table: str = ""

    def report(self) -> dict[str, Any]:
        said = {"file": self.file, "count": self.count, "means": self.means}
        return said | ({"table": self.table} if self.table else {})


@dataclass(frozen=True)
class Search:
    """`shared`: files of several accounts that were not looked at."""

    looked: Looked
    places: tuple[Place, ...]
    shared: int = 0


def search(owner: Account, texts: Sequence[str], *, seconds: float) -> Search:
    """Look for the texts in the owner's part of the data folder; in all of it, where there is no other account."""
    if not Account.objects.exclude(pk=owner.pk).exists():
        return search_everywhere(texts, seconds=seconds, owner=owner)
    paths = list(dict.fromkeys(_own(owner)))
    return _searched(paths, texts, seconds, owner, shared=len(set(_everywhere()) - set(paths)))


def search_everywhere(texts: Sequence[str], *, seconds: float, owner: Account | None = None) -> Search:
    """In everybody's rows and files: for whoever runs the machine. `owner`: count their rows only."""
    return _searched(list(dict.fromkeys(_everywhere())), texts, seconds, owner)


def _searched(
    paths: Sequence[Path], texts: Sequence[str], seconds: float, owner: Account | None, *, shared: int = 0
) -> Search:
    looked = look(paths, texts, seconds=seconds)
    return Search(looked, tuple(place for hit in looked.hits for place in _places(hit, owner)), shared)


def database() -> Path:
    return Path(str(connection.settings_dict["NAME"]))


def log() -> Path:
    return database().with_name(f"{database().name}-wal")


def _everywhere() -> Iterator[Path]:
    """The files in use first, the backups last: where the time is short, those are known to hold it anyway."""
    yield from (database(), log())
    if settings.FORGE.TRACE_FILE:
        yield Path(settings.BASE_DIR, settings.FORGE.TRACE_FILE)
    files = sorted(path for path in Path(settings.DATA_DIR).rglob("*") if path.is_file() and not path.is_symlink())
    yield from (path for path in files if not _is_backup(path))
    yield from (path for path in files if _is_backup(path))


def _own(owner: Account) -> Iterator[Path]:
    yield database()
    yield from sorted(path for path in folder_of(owner).rglob("*") if path.is_file() and not path.is_symlink())


def _is_backup(path: Path) -> bool:
    return Path(settings.DATA_DIR) / "backups" in path.parents


def _places(hit: Hit, owner: Account | None) -> list[Place]:
    if hit.path == database():
        return _in_database(hit, owner)
    return [Place(name_of(hit.path), hit.count, _meaning(hit.path))]


def _in_database(hit: Hit, owner: Account | None) -> list[Place]:
    """Rows of one's own; and what no row accounts for. Other people's rows are counted off, and not told."""
    held = erasure_rows.held(sorted(hit.patterns), owner)
    file = name_of(hit.path)
    typed = [Place(file, one.typed, MESSAGES, one.table) for one in held if one.typed]
    others = [(one, one.rows - one.typed) for one in held]
    found = [Place(file, rows, OF_TABLES.get(one.table, ROWS), one.table) for one, rows in others if rows]
    free = hit.count - sum(one.places for one in held)
    return [*typed, *found, *([Place(file, free, FREE)] if free > 0 else [])]


def _meaning(path: Path) -> str:
    if path == log():
        return LOG
    if _is_backup(path):
        return BACKUP
    return UPLOAD if "uploads" in path.parts else FILE


def name_of(path: Path) -> str:
    """Relative to the data folder. What a person named themselves is left out: the name may say what was forgotten."""
    folder = Path(settings.DATA_DIR)
    inside = path.relative_to(folder) if path.is_relative_to(folder) else Path(path.name)
    if "uploads" in inside.parts:
        return str(Path(*inside.parts[: inside.parts.index("uploads") + 1]))
    return str(inside)
