"""Whether a worker lives, known from a lock that the system takes back however its processes end.

A heartbeat would have to be written twice a minute for ever, and would still be wrong for half of one.
"""

from __future__ import annotations

import fcntl
import os
import threading
from pathlib import Path

from django.conf import settings

_asking = threading.Lock()


def hold() -> None:
    """This process, and those it forks, are the worker from now until the last of them is gone."""
    fcntl.flock(_open(), fcntl.LOCK_SH)


def alive() -> bool:
    """Does any process hold the lock?"""
    file = _open()
    try:
        # One at a time: of two that ask at once each would take the other for a worker.
        with _asking:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.flock(file, fcntl.LOCK_UN)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def _open() -> int:
    return os.open(Path(settings.DATA_DIR) / "worker.lock", os.O_RDWR | os.O_CREAT, 0o600)
