"""Who works with the database, known from a lock that the system takes back however a process ends.

SQLite's own locks come and go with its connections; a Forge that has none open for a moment is running all the same.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from forgesite.bootstrap import say
from forgesite.errors import ConflictError

_held: dict[Path, int] = {}


def hold() -> None:
    """This process, and those it forks, work with the database until the last of them is gone.

    Waits for a restore that is under way.
    """
    file = _file()
    if file in _held:
        return
    descriptor = _open(file)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        say(_("a backup is being restored; waiting for that"))
        fcntl.flock(descriptor, fcntl.LOCK_SH)
    _held[file] = descriptor


@contextmanager
def alone() -> Iterator[None]:
    """Nobody else works with the database inside the block. Raises ConflictError where somebody does."""
    descriptor = _open(_file())
    try:
        _take(descriptor)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ConflictError(
            _(
                "A Forge, or a command of it, is running on %(file)s. Stop it (Ctrl-C where `up` runs), then try "
                "again. Nothing was changed."
            )
            % {"file": settings.DATABASE_FILE}
        ) from None


def _file() -> Path:
    """Beside the database and not in it: that file is replaced under the lock."""
    return Path(f"{Path(settings.DATABASE_FILE).resolve()}.lock")


def _open(file: Path) -> int:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
