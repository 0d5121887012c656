"""The JSON lines beside the table: one line a run. Writers of several processes share a file."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from django.conf import settings

from forgesite.accounts import folder_of

if TYPE_CHECKING:
    from forgesite.models import Account


def file_of(owner: Account) -> Path:
    """`TRACE_FILE`, or `traces.jsonl` in the owner's folder of `DATA_DIR`."""
    if settings.FORGE.TRACE_FILE:
        return Path(settings.BASE_DIR, settings.FORGE.TRACE_FILE)
    return folder_of(owner) / "traces.jsonl"


def append(path: Path, line: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _locked(path) as file:
        file.write(line.encode("utf-8", "replace") + b"\n")


def rewrite(path: Path, change: Callable[[str], str]) -> int:
    """Put every line through `change`, all or nothing; one that becomes empty goes. How many lines it changed."""
    if not path.exists():
        return 0
    with _locked(path) as file:
        file.seek(0)
        before, after = _changed(file.read(), change)
        if after != before:
            kept = [new for old, new in zip(before, after, strict=True) if new or not old]
            _replace(path, "\n".join(kept))
    return _differ(before, after)


def would_change(path: Path, change: Callable[[str], str]) -> int:
    """How many lines `rewrite` would change now."""
    return _differ(*_changed(path.read_bytes(), change)) if path.exists() else 0


def _changed(data: bytes, change: Callable[[str], str]) -> tuple[list[str], list[str]]:
    before = data.decode("utf-8", "replace").split("\n")
    return before, [change(line) if line.strip() else line for line in before]


def _differ(before: list[str], after: list[str]) -> int:
    return sum(old != new for old, new in zip(before, after, strict=True))


@contextmanager
def _locked(path: Path) -> Iterator[BinaryIO]:
    """The file at `path`, for appending, held against other writers."""
    while True:
        with open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "r+b", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            # A rewrite may have put another file at this path while we waited: a line written to the old one is lost.
            if path.exists() and os.fstat(file.fileno()).st_ino == path.stat().st_ino:
                yield file
                return


def _replace(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with open(handle, "w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    Path(name).replace(path)
