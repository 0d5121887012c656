"""A file that is written under another name, and gets its own by one renaming once it is whole."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

END = ".forge-part"
#: What SQLite keeps beside a database file.
BESIDE = ("-wal", "-shm", "-journal")


@contextmanager
def part_of(target: Path) -> Iterator[Path]:
    """An empty file beside `target`, mode 600, that is gone after the block unless it was renamed.

    Those that killed processes left in the folder are removed first: a lock tells them from those that are written to.
    Where the folder's filesystem has no such locks they stay. Raises OSError.
    """
    _sweep(target.parent)
    part, held = _new_part(target.parent)
    try:
        yield part
    finally:
        _remove(part)
        os.close(held)


def put_in_place(part: Path, target: Path) -> None:
    """One renaming, which is on the disk when this returns. `part` has been synced before. Raises OSError."""
    os.replace(part, target)
    sync(target.parent)


def sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError:
        if not path.is_dir():  # some filesystems cannot sync a folder
            raise
    finally:
        os.close(descriptor)


def _new_part(folder: Path) -> tuple[Path, int]:
    while True:
        part = folder / f".{secrets.token_hex(8)}{END}"
        held = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX)
        if part.exists():
            return part, held
        os.close(held)  # swept up by another in the moment before it was locked


def _sweep(folder: Path) -> None:
    for part in folder.glob(f".*{END}"):
        with suppress(OSError):
            held = os.open(part, os.O_RDWR)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(part)
            finally:
                os.close(held)


def _remove(part: Path) -> None:
    for end in ("", *BESIDE):
        Path(f"{part}{end}").unlink(missing_ok=True)
