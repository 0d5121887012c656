"""What lies on the disk: every file of DATA_DIR, how large it is and what it holds, and the database wherever it is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from forgesite.accounts import folder_of
from forgesite.models import Account

#: Files that a page lists; of more it says how many.
LISTED = 500
#: What a file holds, by its place in DATA_DIR. The first that fits.
HOLDS: tuple[tuple[re.Pattern[str], str | Promise], ...] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"static/", _("styles and scripts of the pages, made anew at each start")),
        (r"backups/.*\.forge-part", _("a backup that was not finished; the next one removes it")),
        (r"backups/", _("a backup: all that the database held then, and what was forgotten since")),
        (r"(.*/)?traces\.jsonl", _("your runs, a line each: the beginnings of questions and results")),
        (r"accounts/\d+/uploads/", _("what you uploaded to bring in; it goes when it is read")),
        (r"accounts/", _("of your account")),
        (r"\.?secret_key", _("signs sessions and jobs: whoever reads it can sign in as anybody")),
        (r".*\.lock", _("a lock: a process holds it while it works; nothing is in it")),
        (r"channels\.db.*", _("notices for open pages, without any text")),
        (r"proof-.*", _("notes of a verify under way; they go with it")),
        (r".*\.forge-part", _("a copy that was not finished")),
    )
)
DATABASE = _("the database: accounts, conversations, entries, vectors, commits, receipts, runs and jobs")
LOG = _("the newest part of the database: never copy one without the other")
SHARED = _("an index of that part, made anew by whoever opens it")
OTHERS = _("of another account")
UNKNOWN = _("not made by Forge")
STAMP = re.compile(r"forge-(\d{8}T\d{12})-before-(.+)\.db")
BACKUPS, STATIC, TRACES = "backups", "static", "traces.jsonl"


@dataclass(frozen=True)
class Stored:
    """A file, or a folder that is told as one. `path`: inside DATA_DIR, or a whole one. `changed`: in UTC."""

    path: str
    size: int
    changed: datetime
    holds: str | Promise
    files: int = 1


@dataclass(frozen=True)
class OnDisk:
    """`more`: files that are not listed. `total`: bytes, of all."""

    stored: tuple[Stored, ...]
    total: int
    more: int


@dataclass(frozen=True)
class Backup:
    """`before`: the version that the database was about to be brought to; empty for one that a person made."""

    path: str
    size: int
    made: datetime
    before: str


def on_disk(viewer: Account) -> OnDisk:
    """The folders of other accounts, and what is there for the pages, are told as one each. Never raises OSError."""
    found = sorted([*_outside(), *_together(_files(), viewer)], key=lambda one: (one.path.count("/"), one.path))
    return OnDisk(tuple(found[:LISTED]), sum(one.size for one in found), len(found[LISTED:]))


def others_may_open() -> bool:
    """May other accounts of this machine open the data folder?"""
    return bool(Path(settings.DATA_DIR).stat().st_mode & 0o077)


def database_sizes() -> dict[str, int]:
    """Bytes of the database, its log, backups and traces; what is not there is left out."""
    database = Path(settings.DATABASE_FILE)
    sizes = {"database": _size(database), "log": _size(Path(f"{database}-wal"))}
    files = [*_files()]
    sizes["backups"] = sum(size for path, size, _at in files if path.startswith(f"{BACKUPS}/"))
    sizes["traces"] = sum(size for path, size, _at in files if path.endswith(TRACES))
    return {name: size for name, size in sizes.items() if size}


def backups() -> list[Backup]:
    """Those of DATA_DIR/backups, the newest first."""
    return sorted(_backups(), key=lambda one: one.made, reverse=True)


def _backups() -> Iterator[Backup]:
    for path, size, at in _files(BACKUPS):
        if path.endswith(".db"):
            named = STAMP.fullmatch(Path(path).name)
            made = datetime.strptime(named[1], "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC) if named else at
            yield Backup(path, size, made, named[2] if named else "")


def _files(inside: str = "") -> Iterator[tuple[str, int, datetime]]:
    """Path inside DATA_DIR, size and time of each file. A link is not followed; what goes meanwhile is left out."""
    folder = Path(settings.DATA_DIR)
    for place, _folders, names in os.walk(folder / inside):
        for name in names:
            path = Path(place, name)
            try:
                stat = path.lstat()
            except OSError:
                continue
            yield path.relative_to(folder).as_posix(), stat.st_size, datetime.fromtimestamp(stat.st_mtime, UTC)


def _together(files: Iterable[tuple[str, int, datetime]], viewer: Account) -> Iterator[Stored]:
    folders: dict[str, Stored] = {}
    own = folder_of(viewer).relative_to(settings.DATA_DIR).as_posix()
    for path, size, at in files:
        if (folder := _folder(path, own)) is None:
            yield Stored(path, size, at, holds(path))
            continue
        words = OTHERS if folder.startswith("accounts/") else holds(folder)
        known = folders.get(folder, Stored(folder, 0, at, words, 0))
        folders[folder] = Stored(folder, known.size + size, max(known.changed, at), words, known.files + 1)
    yield from folders.values()


def _folder(path: str, own: str) -> str | None:
    """What the file is told with; None where it is told alone."""
    parts = path.split("/")
    if parts[0] == STATIC and len(parts) > 1:
        return f"{STATIC}/"
    if parts[0] == "accounts" and len(parts) > 2 and not path.startswith(f"{own}/"):
        return f"accounts/{parts[1]}/"
    return None


def holds(path: str) -> str | Promise:
    """What a file of DATA_DIR is for."""
    database = Path(settings.DATABASE_FILE)
    ends = {str(database): DATABASE, f"{database}-wal": LOG, f"{database}-shm": SHARED}
    if words := ends.get(str(Path(settings.DATA_DIR, path))):
        return words
    return next((words for pattern, words in HOLDS if pattern.match(path)), UNKNOWN)


def _outside() -> Iterator[Stored]:
    """The database and the traces, where a setting puts them elsewhere."""
    database, traces = Path(settings.DATABASE_FILE), settings.FORGE.TRACE_FILE
    places = [(database, DATABASE), (Path(f"{database}-wal"), LOG), (Path(f"{database}-shm"), SHARED)]
    if traces:
        places.append((Path(settings.BASE_DIR, traces), _("everybody’s runs, a line each")))
    for path, words in places:
        if not path.is_relative_to(settings.DATA_DIR) and path.exists():
            stat = path.stat()
            yield Stored(str(path), stat.st_size, datetime.fromtimestamp(stat.st_mtime, UTC), words)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
